#include "server/net/call/get.h"

#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

#include "common/base/status.h"

struct line {
    char *text;
    size_t size;
    size_t length;
};

static size_t
take_bytes(char *bytes, size_t one, size_t length, void *context)
{
    struct line *line = context;

    (void)one;
    for (size_t i = 0; i < length && line->length + 1 < line->size; i++) {
        line->text[line->length++] = bytes[i];
    }
    line->text[line->length] = '\0';
    return length;
}

#define SET(option, value) SK_ASSERT(curl_easy_setopt(easy, option, value) == CURLE_OK)

long
call_get(const char *url, char *ret_line, size_t size)
{
    struct line line = { .text = ret_line, .size = size };
    CURL *easy = curl_easy_init();
    long status = 0;
    CURLcode code;

    SK_ASSERT(easy != NULL && size > 0);
    ret_line[0] = '\0';
    SET(CURLOPT_URL, url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TIMEOUT_MS, (long)CALL_GET_MS);
    SET(CURLOPT_SSL_VERIFYPEER, 0L);
    SET(CURLOPT_SSL_VERIFYHOST, 0L);
    SET(CURLOPT_WRITEFUNCTION, take_bytes);
    SET(CURLOPT_WRITEDATA, &line);
    code = curl_easy_perform(easy);
    if (code == CURLE_OK) {
        (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        ret_line[strcspn(ret_line, "\r\n")] = '\0';
    } else {
        (void)snprintf(ret_line, size, "%s", curl_easy_strerror(code));
    }
    curl_easy_cleanup(easy);
    return status;
}
