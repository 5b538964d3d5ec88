/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the netlink client share; who calls sees chessctl.h and nl.h only.
 * Nothing outside of them knows an attribute number.
 *
 * nl.c		the socket, requests and answers, notices
 * nl_group.c	groups and their tasks
 * nl_probe.c	traps and points
 * nl_plan.c	what decides in the next run
 * nl_run.c	runs
 * nl_record.c	the record and the accesses of a run
 */
#ifndef CHESSCTL_NL_INTERNAL_H
#define CHESSCTL_NL_INTERNAL_H

#include <linux/netlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>

#include "chessctl/chessctl.h"

/* The longest attribute: 16 bits hold its length, and the whole message has to fit
 * the send buffer (64 KiB as libnl sets it) less what the kernel takes of it.
 */
#define ATTRIBUTE_BYTES	32768

/* Called for each answer to a request. Return: 0 or -errno. */
typedef int (*chess_nl_answer_fn)(struct chess_ctl *c, struct nlattr **tb, void *arg);

/* A message with room for @bytes of attributes; NULL with chess_error(). */
struct nl_msg *chess_nl_request(struct chess_ctl *c, int cmd, int flags, size_t bytes);
/* Send it, free it, and wait for the end of the answer. Return: 0 or -errno. */
int chess_nl_send(struct chess_ctl *c, struct nl_msg *msg, chess_nl_answer_fn fn, void *arg);
/* A request whose only attribute is the group's number, or with 0 none at all. */
int chess_nl_ask(struct chess_ctl *c, int cmd, int flags, int attr, uint32_t group,
		 chess_nl_answer_fn fn, void *arg);

/* What chess_ctl_set_late() has set, for run-start: at most this many bytes. */
#define LATE_BYTES	160
void chess_nl_put_late(const struct chess_ctl *c, struct nl_msg *msg);

/* An attribute of an answer; 0 where it is not there. */
uint32_t chess_nl_u32(struct nlattr **tb, int attr);
/* Its bytes where a struct or a string may be, with a zero after them; until the next call. */
void *chess_nl_aligned(struct chess_ctl *c, struct nlattr *a);

#endif /* CHESSCTL_NL_INTERNAL_H */
