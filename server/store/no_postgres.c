/* For programs that are built without libpq. */
#include "server/store/address.h"
#include "server/store/backend.h"
#include "server/store/migrate.h"
#include "server/store/question.h"

static enum sk_status
refuse_postgres(const char *path, struct sk_fault *ret_fault)
{
    char shown[ADDRESS_SHOWN_MAX];

    address_show(path, shown);
    return sk_fault_set_about(ret_fault, "cannot_open", shown,
                              "this program was built without PostgreSQL; install libpq-dev and "
                              "build it again, or name a file with --database");
}

enum sk_status
postgres_open(const char *path, const struct store_options *options, struct heads *heads,
              struct backend **ret_backend, struct sk_fault *ret_fault)
{
    (void)options;
    (void)heads;
    (void)ret_backend;
    return refuse_postgres(path, ret_fault);
}

enum sk_status
postgres_open_read_only(const char *path, const struct store_options *options,
                        struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return postgres_open(path, options, NULL, ret_backend, ret_fault);
}

enum sk_status
postgres_open_beside(const char *path, const struct store_options *options,
                     struct backend **ret_backend, struct sk_fault *ret_fault)
{
    return postgres_open(path, options, NULL, ret_backend, ret_fault);
}

enum sk_status
postgres_question_ask(const char *path, const char *sql,
                      const struct question_parameter *parameters, size_t parameter_count,
                      const struct question_limits *limits, struct question_sink *sink,
                      bool *ret_is_cut, struct sk_fault *ret_fault)
{
    (void)sql;
    (void)parameters;
    (void)parameter_count;
    (void)limits;
    (void)sink;
    (void)ret_is_cut;
    return refuse_postgres(path, ret_fault);
}

enum sk_status
postgres_steps(const char *path, size_t *ret_applied, struct sk_fault *ret_fault)
{
    (void)ret_applied;
    return refuse_postgres(path, ret_fault);
}
