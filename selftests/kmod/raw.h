/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A netlink client that can send what no library would: messages of any shape
 * to the family "chess". request.c and rights_test.c call.
 */
#ifndef CHESS_SELFTESTS_RAW_H
#define CHESS_SELFTESTS_RAW_H

#include <linux/chess.h>
#include <linux/chess_record.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct raw - a socket of the family
 * @fd: the socket
 * @family: its number
 * @seq: of the last request
 * @text: the sentence that came with the last answer, or empty
 * @value: by attribute number, the u32 of the last reply message; 0 when absent
 * @messages: reply messages to the last request
 * @datagrams: that came with them
 */
struct raw {
	int fd;
	uint16_t family;
	uint32_t seq;
	char text[256];
	uint32_t value[32];
	unsigned int messages, datagrams;
};

struct message {
	union {
		struct nlmsghdr head;
		char bytes[70000];
	};
	size_t len;
};

/* 0 or -errno; ENOENT: there is no such family */
int raw_open(struct raw *r);
void raw_close(struct raw *r);

void message_begin(struct message *m, unsigned int cmd, unsigned int flags);
void message_put(struct message *m, unsigned int type, const void *data, size_t len);
void message_u32(struct message *m, unsigned int type, uint32_t value);

/* Send and wait for the end of the answer: 0, or -errno as the kernel refused. */
int raw_talk(struct raw *r, struct message *m);

/* A request with the one attribute @type, or none at all when it is 0. */
int raw_call(struct raw *r, unsigned int cmd, unsigned int flags, unsigned int type,
	     uint32_t value);

/* Groups the caller can see. */
int raw_groups(struct raw *r);

#endif /* CHESS_SELFTESTS_RAW_H */
