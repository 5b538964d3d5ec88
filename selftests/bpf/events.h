/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What events.bpf.c hands to events_test.c.
 */
#ifndef EVENTS_H
#define EVENTS_H

#include <linux/chess_record.h>

#define SEEN_MAX	1024

enum seen_kind {
	SEEN_POINT = 1,
	SEEN_DECISION,
	SEEN_BLOCK,
	SEEN_WAKE,
};

struct seen {
	__u32 kind;
	__s32 pid;
	__u32 forced;
	__u32 deadline;
	struct chess_event event;
};

struct output {
	__u32 n;
	struct seen seen[SEEN_MAX];
};

#endif /* EVENTS_H */
