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

bool
call_prepare(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

#define SET(option, value) SK_ASSERT(curl_easy_setopt(easy, option, value) == CURLE_OK)

static CURL *
begin(const char *url, long limit_ms, struct line *line)
{
    CURL *easy = curl_easy_init();

    SK_ASSERT(easy != NULL && line->size > 0);
    line->text[0] = '\0';
    SET(CURLOPT_URL, url);
    SET(CURLOPT_PROTOCOLS_STR, "http,https");
    SET(CURLOPT_PROXY, "");
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_TIMEOUT_MS, limit_ms);
    SET(CURLOPT_SSL_VERIFYPEER, 0L);
    SET(CURLOPT_SSL_VERIFYHOST, 0L);
    SET(CURLOPT_WRITEFUNCTION, take_bytes);
    SET(CURLOPT_WRITEDATA, line);
    return easy;
}

static long
perform(CURL *easy, struct line *line)
{
    CURLcode code = curl_easy_perform(easy);
    long status = 0;

    if (code == CURLE_OK) {
        (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    } else {
        (void)snprintf(line->text, line->size, "%s", curl_easy_strerror(code));
    }
    curl_easy_cleanup(easy);
    return status;
}

long
call_get(const char *url, char *ret_line, size_t size)
{
    struct line line = { .text = ret_line, .size = size };
    long status = perform(begin(url, CALL_GET_MS, &line), &line);

    ret_line[strcspn(ret_line, "\r\n")] = '\0';
    return status;
}

long
call_post(const struct call_question *question, char *ret_answer, size_t size)
{
    struct line line = { .text = ret_answer, .size = size };
    CURL *easy = begin(question->url, question->limit_ms, &line);
    struct curl_slist *headers = NULL;
    long status;

    for (size_t i = 0; i < question->header_count; i++) {
        headers = curl_slist_append(headers, question->headers[i]);
        SK_ASSERT(headers != NULL);
    }
    SET(CURLOPT_HTTPHEADER, headers);
    SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)question->length);
    SET(CURLOPT_POSTFIELDS, question->body);
    status = perform(easy, &line);
    curl_slist_free_all(headers);
    return status;
}
