#include "server/net/certificate.h"

#include <errno.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/memory.h"

#define FILE_BYTES_MAX (256u << 10)

struct pem {
    unsigned char bytes[FILE_BYTES_MAX];
    size_t length;
};

static bool
fail(const char *path, const char *why, char error[SERVER_ERROR_MAX + 1])
{
    snprintf(error, SERVER_ERROR_MAX + 1, "%.400s %s", path, why);
    return false;
}

static bool
fail_to_read(const char *path, const char *why, char error[SERVER_ERROR_MAX + 1])
{
    snprintf(error, SERVER_ERROR_MAX + 1, "cannot read %.400s: %s", path, why);
    return false;
}

static bool
read_pem(const char *path, struct pem *pem, uint8_t mark[32], char error[SERVER_ERROR_MAX + 1])
{
    FILE *file = fopen(path, "re");

    if (file == NULL) {
        return fail_to_read(path, strerror(errno), error);
    }
    pem->length = fread(pem->bytes, 1, sizeof(pem->bytes), file);
    if (ferror(file) || pem->length == sizeof(pem->bytes)) {
        (void)fail_to_read(path, ferror(file) ? strerror(errno) : "it is too large", error);
        fclose(file);
        return false;
    }
    fclose(file);
    crypto_generichash(mark, 32, pem->bytes, pem->length, NULL, 0);
    return true;
}

/* Fails: there is nobody to ask for a passphrase. */
static int
no_passphrase(char *space, int size, int is_writing, void *context)
{
    (void)space;
    (void)size;
    (void)is_writing;
    (void)context;
    return -1;
}

static bool
belong_together(const struct net_options *options, X509 *certificate, EVP_PKEY *key,
                char error[SERVER_ERROR_MAX + 1])
{
    if (certificate == NULL) {
        return fail(options->tls_certificate, "holds no certificate in PEM", error);
    }
    if (key == NULL) {
        return fail(options->tls_key, "holds no key in PEM without a passphrase", error);
    }
    if (X509_check_private_key(certificate, key) != 1) {
        return fail(options->tls_key, "is not the key of the certificate", error);
    }
    return true;
}

bool
certificate_look(const struct net_options *options, struct certificate_mark *ret_mark,
                 char error[SERVER_ERROR_MAX + 1])
{
    struct certificate_mark mark = { .bytes = { { 0 } } };
    struct pem *files = NULL;
    BIO *bios[2] = { NULL, NULL };
    X509 *certificate = NULL;
    EVP_PKEY *key = NULL;
    bool is_fine = options->tls_certificate[0] == '\0';

    if (is_fine) {
        goto out;
    }
    files = heap_memory(2 * sizeof(*files));
    if (!read_pem(options->tls_certificate, &files[0], mark.bytes[0], error) ||
        !read_pem(options->tls_key, &files[1], mark.bytes[1], error)) {
        goto out;
    }
    for (int i = 0; i < 2; i++) {
        bios[i] = BIO_new_mem_buf(files[i].bytes, (int)files[i].length);
    }
    certificate = PEM_read_bio_X509(bios[0], NULL, no_passphrase, NULL);
    key = PEM_read_bio_PrivateKey(bios[1], NULL, no_passphrase, NULL);
    is_fine = belong_together(options, certificate, key, error);
out:
    EVP_PKEY_free(key);
    X509_free(certificate);
    BIO_free(bios[0]);
    BIO_free(bios[1]);
    if (files != NULL) {
        sodium_memzero(files, 2 * sizeof(*files));
    }
    free(files);
    if (is_fine) {
        *ret_mark = mark;
    }
    return is_fine;
}
