/*
 * All limits of the daemon outside the host, by name.
 *
 * The option table takes its defaults and bounds from here; the net layer takes
 * what no option changes.  Limits of the rules and of JSON are in
 * common/base/limits.h, those of sessions in server/host/host.h.
 */
#ifndef SK_SERVER_LIMITS_H
#define SK_SERVER_LIMITS_H

/* Texts of the configuration. */
#define SERVER_LINE_MAX  4095 /* bytes per line of the file */
#define SERVER_PATH_MAX  1023
#define SERVER_LIST_MAX  2047 /* a list of origins or networks as text */
#define SERVER_ERROR_MAX 511  /* a message for people */
#define SERVER_LOG_MAX   1023 /* one line of the log; longer ones are cut */

#define SERVER_RATED_BYTES_MAX (4u << 20) /* of the file of rated params */

/* Listening. */
#define NET_PORT_DEFAULT         7777
#define NET_METRICS_PORT_DEFAULT 9777
#define NET_PORT_MAX             65535

/* Connections. */
#define NET_CONNECTIONS_MAX_DEFAULT      10000
#define NET_CONNECTIONS_MAX_MAX          1000000
#define NET_PER_ADDRESS_MAX_DEFAULT      256
#define NET_CONNECTS_PER_SECOND_DEFAULT  100
#define NET_INBOX_ADDRESS_MAX_DEFAULT    (16 << 20)
#define NET_METRICS_CONNECTIONS_MAX      16
#define NET_DESCRIPTORS_RESERVE          64 /* files of the store, listeners, pipes */
#define NET_HANDSHAKE_TIMEOUT_DEFAULT_MS 10000
#define NET_HANDSHAKE_TIMEOUT_MIN_MS     1000
#define NET_HANDSHAKE_TIMEOUT_MAX_MS     120000
#define NET_PING_INTERVAL_DEFAULT_MS     30000
#define NET_PING_INTERVAL_MAX_MS         3600000
#define NET_CLOSE_TIMEOUT_MS             5000 /* for pending data and close frames */

/* Lists, after parsing. */
#define NET_NETWORKS_MAX 64
#define NET_LIST_MAX     64  /* origins, host names, hosts of bots */
#define NET_WORD_MAX     255 /* characters of each, and of an Origin or Host header */
#define NET_NAME_MAX     253 /* characters of a host name */

/* Messages. */
#define NET_RECEIVE_BYTES    (16u << 10) /* read at once; one buffer for all connections */
#define NET_SEND_BYTES       (1u << 20)  /* passed to the kernel at once */
#define NET_WRITE_BYTES      (32u << 10) /* several messages in one write */
#define NET_HEADER_BYTES_MAX 4           /* of a frame that is not longer */
#define NET_FRAGMENTS_MAX    1024        /* frames per message, including empty ones */
#define NET_CONTROL_BYTES    (32u << 10) /* control frames between two sweeps */
#define NET_SWEEP_MS         2000
#define NET_TICK_MAX_MS      250 /* the host's deadlines are checked at least this often ... */
#define NET_TICK_SOON_MS     50  /* ... and this soon after it did something */

/* Reviews of finished matches. */
#define SERVER_REVIEWS_MAX          4096 /* at once; the host has its own limit */
#define SERVER_REVIEW_MAX_MS        5000
#define SERVER_REVIEW_COMMANDS_SIZE ((size_t)4 << 20)

/* HTTP. */
#define NET_HTTP_HEAD_MAX    (16u << 10) /* of a request: its line and all headers */
#define NET_HTTP_HEAD_START  2048        /* initial buffer size */
#define NET_HTTP_FIELDS_MAX  128         /* headers per request */
#define NET_HTTP_METHOD_MAX  32
#define NET_HTTP_BODY_MAX    (64u << 10) /* of a request; it is skipped */
#define NET_HTTP_HEADERS_MAX 1536        /* of an answer */
#define NET_HTTP_PIECE_BYTES (16u << 10)
#define NET_HTTP_INBOX_MAX \
    (NET_HTTP_HEAD_MAX + NET_RECEIVE_BYTES) /* including what follows
                                                                        * it */
#define NET_HTTP_DELAY_MS      250          /* delay of a 429, so that clients slow down */
#define NET_HTTP_PATH_MAX      511
#define NET_HTTP_QUERY_MAX     1023
#define NET_HTTP_LINK_MAX      2047 /* of a picture in a card */
#define NET_HTTP_CARD_MS       2000 /* until the page is sent without its card */
#define NET_HTTP_TOKEN_MAX     255
#define NET_HTTP_ENCODINGS_MAX 255
#define NET_METRICS_BYTES_MAX  (256u << 10)

/* The page. */
#define NET_PAGE_ASSETS    "/assets/"
#define NET_PAGE_FILES_MAX 256
#define NET_PAGE_PATH_MAX  127 /* of a file in a request */
#define NET_PAGE_BYTES_MAX (4u << 20)

/* The admin socket. */
#define SERVER_ADMIN_TIMEOUT_MS 5000 /* for the client to send its line, or to read */

/* Stopping. */
#define SERVER_FLUSH_MS  10000 /* for pending writes, and to hand over every match to other nodes */
#define SERVER_CLOSE_MS  1500  /* in total, until every client has its close frame; at least ... */
#define SERVER_SEND_MS   300   /* ... after the writes */
#define SERVER_ANSWER_MS 200   /* for clients to answer it */

#endif /* SK_SERVER_LIMITS_H */
