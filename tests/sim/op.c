#include "tests/sim/op.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct op_form {
    const char *name;
    int numbers;
    bool has_text;
};

#define SIM_OP_FORM(number, name, numbers, has_text) [number] = { name, numbers, has_text },
static const struct op_form forms[OP_COUNT] = { SIM_OPS(SIM_OP_FORM) };
#undef SIM_OP_FORM

void
ops_add(struct ops *ops, struct op op)
{
    if (ops->count == ops->capacity) {
        ops->capacity = ops->capacity == 0 ? 256 : 2 * ops->capacity;
        ops->at = realloc(ops->at, ops->capacity * sizeof(*ops->at));
        if (ops->at == NULL) {
            abort();
        }
    }
    ops->at[ops->count++] = op;
}

void
ops_fini(struct ops *ops)
{
    for (uint32_t i = 0; i < ops->count; i++) {
        free(ops->at[i].text);
    }
    free(ops->at);
    *ops = (struct ops){ 0 };
}

void
op_print(FILE *file, const struct op *op)
{
    const struct op_form *form = &forms[op->kind];

    fputs(form->name, file);
    if (form->numbers > 0) {
        fprintf(file, " %" PRId64, op->a);
    }
    if (form->numbers > 1) {
        fprintf(file, " %" PRId64, op->b);
    }
    if (form->has_text) {
        fprintf(file, " %s", op->text);
    }
    fputc('\n', file);
}

static bool
take_number(char **at, int64_t *ret_number)
{
    char *end;

    *ret_number = strtoll(*at, &end, 10);
    if (end == *at) {
        return false;
    }
    *at = end;
    return true;
}

static bool
parse(char *line, struct op *ret_op)
{
    size_t length = strcspn(line, " ");
    struct op op = { .kind = OP_OPTION };
    char *at = line + length;

    while (op.kind < OP_COUNT && (strlen(forms[op.kind].name) != length ||
                                  memcmp(forms[op.kind].name, line, length) != 0)) {
        op.kind++;
    }
    if (op.kind == OP_COUNT || (forms[op.kind].numbers > 0 && !take_number(&at, &op.a)) ||
        (forms[op.kind].numbers > 1 && !take_number(&at, &op.b))) {
        return false;
    }
    if (forms[op.kind].has_text) {
        op.text = strdup(at + strspn(at, " "));
    }
    *ret_op = op;
    return true;
}

bool
ops_read(FILE *file, struct ops *ops, uint32_t *ret_line)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    bool is_fine = true;

    *ret_line = 0;
    while (is_fine && (length = getline(&line, &size, file)) >= 0) {
        struct op op;

        ++*ret_line;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#') {
            continue;
        }
        is_fine = parse(line, &op);
        if (is_fine) {
            ops_add(ops, op);
        }
    }
    free(line);
    return is_fine;
}
