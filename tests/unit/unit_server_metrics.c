/* server/metrics_out: the text that Prometheus reads. */
#include <criterion/criterion.h>
#include <string.h>

#include "server/metrics_out.h"
#include "tests/support/cases.h"

#define ROOM 4096

struct written {
    char text[ROOM + 1];
    struct metrics_out out;
};

static void
begin(struct written *written, size_t size)
{
    memset(written->text, 'x', sizeof(written->text));
    written->out = (struct metrics_out){ .text = written->text, .size = size };
}

static const char *
text_of(struct written *written)
{
    written->text[written->out.used] = '\0';
    return written->text;
}

Test(metrics_out, tells_help_and_kind_and_then_the_number)
{
    struct written written;

    begin(&written, ROOM);
    metrics_counter(&written.out, "a_total", "All of them.", 18446744073709551615u);
    metrics_gauge(&written.out, "b_bytes", "How many.", 0);
    cr_expect_str_eq(text_of(&written),
                     "# HELP a_total All of them.\n# TYPE a_total counter\n"
                     "a_total 18446744073709551615\n"
                     "# HELP b_bytes How many.\n# TYPE b_bytes gauge\nb_bytes 0\n");
}

struct label_case {
    const char *label;
    const char *value;
    const char *text;
};

static const struct label_case label_cases[] = {
    { "a word", "ok", "a_total{k=\"ok\",l=\"2\"} 7\n" },
    { "nothing", "", "a_total{k=\"\",l=\"2\"} 7\n" },
    { "a quote", "a\"b", "a_total{k=\"a\\\"b\",l=\"2\"} 7\n" },
    { "a backslash", "a\\b", "a_total{k=\"a\\\\b\",l=\"2\"} 7\n" },
    { "a line's end", "a\nb", "a_total{k=\"a\\nb\",l=\"2\"} 7\n" },
};

CASES(metrics_out, escapes_labels, label_cases)
{
    const struct label_case *c = &label_cases[*index];
    struct metrics_label labels[] = { { "k", c->value }, { "l", "2" } };
    struct written written;

    begin(&written, ROOM);
    metrics_sample(&written.out, "a_total", labels, 2, 7);
    cr_expect_str_eq(text_of(&written), c->text, "%s: %s", c->label, text_of(&written));
}

Test(metrics_out, cuts_a_label_that_is_too_long_and_stays_well_formed)
{
    char value[2000];
    struct metrics_label label = { "k", value };
    struct written written;
    const char *text;

    memset(value, '"', sizeof(value) - 1);
    value[sizeof(value) - 1] = '\0';
    begin(&written, ROOM);
    metrics_sample(&written.out, "a_total", &label, 1, 7);
    text = text_of(&written);
    cr_assert_gt(strlen(text), 300);
    cr_expect_str_eq(text + strlen(text) - 6, "\"\"} 7\n");
}

/* ---- what does not fit ------------------------------------------------------------------- */

Test(metrics_out, leaves_out_whole_lines_and_never_writes_past_its_end)
{
    struct written written;

    for (size_t size = 0; size < 200; size++) {
        begin(&written, size);
        metrics_counter(&written.out, "first_total", "First.", 1);
        metrics_counter(&written.out, "second_total", "Second.", 2);
        cr_assert_leq(written.out.used, size);
        cr_assert_eq(written.text[size], 'x', "size %zu", size);
        cr_assert(written.out.used == 0 || written.text[written.out.used - 1] == '\n', "size %zu",
                  size);
        if (strstr(text_of(&written), "second_total 2\n") == NULL) {
            cr_assert_lt(size, 140);
        }
    }
}

/* ---- durations --------------------------------------------------------------------------- */

struct step_case {
    const char *label;
    int64_t us;
    const char *first; /* the first bucket that has it */
};

static const struct step_case step_cases[] = {
    { "less than nothing", -5, "d_seconds_bucket{le=\"2.5e-05\"} 1\n" },
    { "nothing", 0, "d_seconds_bucket{le=\"2.5e-05\"} 1\n" },
    { "the first step", 25, "d_seconds_bucket{le=\"2.5e-05\"} 1\n" },
    { "just past it", 26,
      "d_seconds_bucket{le=\"2.5e-05\"} 0\nd_seconds_bucket{le=\"0.0001\"} 1\n" },
    { "a millisecond", 1000, "{le=\"0.0005\"} 0\nd_seconds_bucket{le=\"0.001\"} 1\n" },
    { "the last step", 5000000, "{le=\"1\"} 0\nd_seconds_bucket{le=\"5\"} 1\n" },
    { "longer", 5000001, "{le=\"5\"} 0\nd_seconds_bucket{le=\"+Inf\"} 1\n" },
};

CASES(metrics_out, counts_durations_by_steps_in_seconds, step_cases)
{
    const struct step_case *c = &step_cases[*index];
    struct metrics_durations durations = { 0 };
    struct written written;

    metrics_durations_add(&durations, c->us);
    begin(&written, ROOM);
    metrics_histogram(&written.out, "d_seconds", "How long.", &durations);
    cr_expect_not_null(strstr(text_of(&written), c->first), "%s: %s", c->label, written.text);
    cr_expect_not_null(strstr(written.text, "d_seconds_count 1\n"), "%s", c->label);
}

Test(metrics_out, sums_durations)
{
    struct metrics_durations durations = { 0 };
    struct written written;

    metrics_durations_add(&durations, 1500000);
    metrics_durations_add(&durations, 250);
    begin(&written, ROOM);
    metrics_histogram(&written.out, "d_seconds", "How long.", &durations);
    cr_expect_not_null(strstr(text_of(&written), "d_seconds_sum 1.500250\nd_seconds_count 2\n"));
}
