#include "server/config_value.h"

#include <stdio.h>
#include <string.h>

#include "server/admin_socket.h"
#include "server/net/address.h"
#include "server/net/call/target.h"
#include "server/net/names.h"
#include "server/net/origin.h"

/* ---- numbers with units ------------------------------------------------------------------ */

struct unit {
    const char *name;
    int32_t factor;
};

/* From small to large; the first applies to a number without a unit. */
static const struct unit no_units[] = { { "", 1 }, { NULL, 0 } };
static const struct unit byte_units[] = {
    { "", 1 }, { "KiB", 1024 }, { "MiB", 1024 * 1024 }, { NULL, 0 }
};
static const struct unit time_units[] = { { "ms", 1 },      { "s", 1000 },     { "min", 60000 },
                                          { "h", 3600000 }, { "d", 86400000 }, { NULL, 0 } };

static const struct unit *
units_of(enum value_kind kind)
{
    switch (kind) {
    case VALUE_BYTES:
        return byte_units;
    case VALUE_DURATION:
        return time_units;
    default:
        return no_units;
    }
}

/* Returns 0 if there is no such unit.  Durations require one. */
static int32_t
unit_factor(const struct unit *units, const char *name)
{
    for (const struct unit *unit = units; unit->name != NULL; unit++) {
        if (strcmp(unit->name, name) == 0) {
            return unit->factor;
        }
    }
    return 0;
}

/* Parses digits with an optional minus, and a unit.  False if invalid or out of range. */
static bool
parse_number(const char *text, const struct unit *units, int64_t *ret_number)
{
    bool is_negative = text[0] == '-';
    int64_t number = 0;
    int64_t factor;

    text += is_negative ? 1 : 0;
    if (*text < '0' || *text > '9') {
        return false;
    }
    for (; *text >= '0' && *text <= '9'; text++) {
        number = 10 * number + (*text - '0');
        if (number > INT32_MAX) {
            return false;
        }
    }
    while (*text == ' ') {
        text++;
    }
    /* 0 is the same in every unit. */
    factor = number == 0 && *text == '\0' ? 1 : unit_factor(units, text);
    *ret_number = (is_negative ? -number : number) * factor;
    return factor != 0;
}

static void
write_number(const struct value_form *form, int32_t number, char *text, size_t size)
{
    const struct unit *best = units_of(form->kind);

    for (const struct unit *unit = best; unit->name != NULL; unit++) {
        if (number != 0 && number % unit->factor == 0) {
            best = unit;
        }
    }
    snprintf(text, size, "%d%s", number / best->factor, number == 0 ? "" : best->name);
}

static void
explain_number(const struct value_form *form, char why[SERVER_ERROR_MAX + 1])
{
    char min[32];
    char max[32];

    write_number(form, form->min, min, sizeof(min));
    write_number(form, form->max, max, sizeof(max));
    snprintf(why, SERVER_ERROR_MAX + 1, "expected a %s from %s to %s",
             form->kind == VALUE_DURATION ? "duration (like 500ms, 10s, 5min, 2h, 1d)"
             : form->kind == VALUE_BYTES  ? "size (like 4096, 64KiB, 4MiB)"
                                          : "whole number",
             min, max);
}

static bool
read_number(const struct value_form *form, const char *text, int32_t *place,
            char why[SERVER_ERROR_MAX + 1])
{
    int64_t number;

    if (!parse_number(text, units_of(form->kind), &number) || number < form->min ||
        number > form->max) {
        explain_number(form, why);
        return false;
    }
    *place = (int32_t)number;
    return true;
}

/* ---- words ------------------------------------------------------------------------------- */

static bool
read_word(const struct value_form *form, const char *text, int32_t *place,
          char why[SERVER_ERROR_MAX + 1])
{
    int used = snprintf(why, SERVER_ERROR_MAX + 1, "expected one of:");

    for (int32_t i = 0; form->words[i] != NULL; i++) {
        if (strcmp(form->words[i], text) == 0) {
            *place = i;
            return true;
        }
        used += snprintf(why + used, (size_t)(SERVER_ERROR_MAX + 1 - used), " %s", form->words[i]);
    }
    return false;
}

/* ---- texts ------------------------------------------------------------------------------- */

static bool
text_is_right(enum value_kind kind, const char *text)
{
    struct net_address address;
    struct net_networks networks;
    struct net_names names;
    struct net_list list;

    switch (kind) {
    case VALUE_ADDRESS:
        return net_address_parse(text, &address);
    case VALUE_NETWORKS:
        return net_networks_parse(text, &networks);
    case VALUE_ORIGINS:
        return net_origins_parse(text, &list);
    case VALUE_NAMES:
        return net_names_parse(text, &names);
    case VALUE_USERS:
        return admin_users_are_right(text);
    case VALUE_HOSTS:
        return call_hosts_parse(text, &list);
    default:
        return true;
    }
}

/* How --help calls a value, and what is said about a text that is not right. */
static const struct {
    const char *name;
    const char *expected;
} kinds[] = {
    [VALUE_NUMBER] = { "NUMBER", NULL },
    [VALUE_BYTES] = { "SIZE", NULL },
    [VALUE_DURATION] = { "DURATION", NULL },
    [VALUE_WORD] = { "WORD", NULL },
    [VALUE_PATH] = { "FILE", NULL },
    [VALUE_ADDRESS] = { "ADDRESS", "a numeric address, like 127.0.0.1 or ::1" },
    [VALUE_NETWORKS] = { "LIST", "a list of networks, like 127.0.0.1, 10.0.0.0/8" },
    [VALUE_ORIGINS] = { "LIST",
                        "a list of origins, like https://example.org, http://localhost:8080" },
    [VALUE_NAMES] = { "LIST", "a list of names, like play.example.org, game.lan" },
    [VALUE_USERS] = { "LIST", "a list of users of this system, like alice, 1001" },
    [VALUE_HOSTS] = { "LIST", "a list of hosts, like bots.example.org, 127.0.0.1:8001" },
};

static bool
read_text(const struct value_form *form, const char *text, char *place,
          char why[SERVER_ERROR_MAX + 1])
{
    size_t length = strlen(text);

    if (length >= form->size) {
        snprintf(why, SERVER_ERROR_MAX + 1, "at most %zu bytes are allowed", form->size - 1);
        return false;
    }
    if (!text_is_right(form->kind, text)) {
        snprintf(why, SERVER_ERROR_MAX + 1, "expected %s", kinds[form->kind].expected);
        return false;
    }
    memset(place, 0, form->size);
    memcpy(place, text, length);
    return true;
}

/* ---- all kinds --------------------------------------------------------------------------- */

static bool
is_text(const struct value_form *form)
{
    return form->kind >= VALUE_PATH;
}

bool
value_read(const struct value_form *form, const char *text, void *place,
           char why[SERVER_ERROR_MAX + 1])
{
    if (is_text(form)) {
        return read_text(form, text, place, why);
    }
    if (form->kind == VALUE_WORD) {
        return read_word(form, text, place, why);
    }
    return read_number(form, text, place, why);
}

void
value_write(const struct value_form *form, const void *place, char *text, size_t size)
{
    if (is_text(form)) {
        snprintf(text, size, "%s", (const char *)place);
    } else if (form->kind == VALUE_WORD) {
        snprintf(text, size, "%s", form->words[*(const int32_t *)place]);
    } else {
        write_number(form, *(const int32_t *)place, text, size);
    }
}

bool
value_is_same(const struct value_form *form, const void *a, const void *b)
{
    return is_text(form) ? strcmp(a, b) == 0 : *(const int32_t *)a == *(const int32_t *)b;
}

const char *
value_kind_name(enum value_kind kind)
{
    return kinds[kind].name;
}
