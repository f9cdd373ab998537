#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/match_lines.h"
#include "server/store/match_file.h"
#include "tests/support/cases.h"

static const char good_head[] =
    "{\"skirmish_match\":1,\"match\":\"7\",\"ruleset\":\"tactics\",\"version\":1,\"params\":\"{}\","
    "\"settings\":\"{\\\"clock\\\":false,\\\"bank_ms\\\":0,\\\"open\\\":true,\\\"rated\\\":false,"
    "\\\"spectator_delay\\\":0}\",\"seed\":\"%064d\",\"salt\":\"%064d\",\"rated\":false,"
    "\"seats\":[{\"player\":1,\"name\":\"ann\",\"bot\":false}],\"created_at\":\"%s\","
    "\"started_at\":null,\"ended_at\":\"5\",\"winner\":null,\"reason\":\"expired\",\"records\":1,"
    "\"head\":\"%064d\"}";

static enum sk_status
read_head(const char *created_at, struct sk_fault *ret_fault)
{
    struct match_file_reader *reader = match_file_reader_alloc();
    struct store_job *job = NULL;
    char line[2048];
    int length = snprintf(line, sizeof(line), good_head, 0, 0, created_at, 0);
    enum sk_status status;

    status = match_file_reader_line(reader, line, (size_t)length, &job, ret_fault);
    cr_expect_null(job);
    cr_expect(status != SK_OK || match_file_reader_is_inside(reader));
    match_file_reader_begin(reader);
    cr_expect(!match_file_reader_is_inside(reader));
    match_file_reader_free(reader);
    return status;
}

struct digits_case {
    const char *label;
    const char *digits;
    bool is_number;
};

static const struct digits_case digits_cases[] = {
    { "the least", "1", true },
    { "the greatest", "9223372036854775807", true },
    { "one more than the greatest", "9223372036854775808", false },
    { "nothing", "", false },
    { "zero", "0", false },
    { "a zero in front", "01", false },
    { "a sign", "-1", false },
    { "twenty digits", "10000000000000000000", false },
    { "not a digit", "1x", false },
    { "white space", " 1", false },
};

CASES(match_file, numbers_are_digits_of_64_bits, digits_cases)
{
    const struct digits_case *it = &digits_cases[*index];
    struct sk_fault fault = { .code = NULL };
    enum sk_status status = read_head(it->digits, &fault);

    cr_expect_eq(status == SK_OK, it->is_number, "%s: %s", it->label, fault.message);
    if (!it->is_number) {
        cr_expect_str_eq(fault.code, "malformed", "%s", it->label);
        cr_expect_str_eq(fault.at, "/created_at", "%s", it->label);
    }
}

Test(match_file, a_line_has_at_most_so_many_bytes)
{
    char *line = malloc(MATCH_LINE_MAX + 1);

    cr_assert_not_null(line);
    memset(line, ' ', MATCH_LINE_MAX + 1);
    memcpy(line, "{}", 2);
    for (size_t over = 0; over < 2; over++) {
        struct match_file_reader *reader = match_file_reader_alloc();
        struct store_job *job = NULL;
        struct sk_fault fault;

        cr_expect_neq(match_file_reader_line(reader, line, MATCH_LINE_MAX + over, &job, &fault),
                      SK_OK);
        cr_expect_eq(strstr(fault.message, "too long") != NULL, over == 1, "%s", fault.message);
        match_file_reader_free(reader);
    }
    free(line);
}
