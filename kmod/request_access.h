/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What requests of io_uring and of asynchronous I/O access.
 */
#ifndef _CHESS_REQUEST_ACCESS_H
#define _CHESS_REQUEST_ACCESS_H

#include <linux/types.h>

struct chess_task;
struct pt_regs;

#define CHESS_MAX_RINGS	8

/**
 * struct chess_ring_place - where the queue of a ring is
 * @fd: its descriptor
 * @head: of the next request, as an offset in the mapping of the queue, like those that follow
 * @mask: for numbers of requests
 * @array: indices of requests
 * @large: a request has 128 bytes
 * @direct: there are no indices
 */
struct chess_ring_place {
	u32 fd;
	u32 head;
	u32 mask;
	u32 array;
	bool large;
	bool direct;
};

/**
 * struct chess_rings - those that a process made last
 * @n: how many it made
 * @v: ring N at index N modulo CHESS_MAX_RINGS
 *
 * Of one address space; used by the token holder alone.
 */
struct chess_rings {
	u32 n;
	struct chess_ring_place v[CHESS_MAX_RINGS];
};

void chess_request_ring(struct chess_task *t, const struct pt_regs *regs, long fd);
void chess_request_access(struct chess_task *t, const struct pt_regs *regs, long nr);

#endif /* _CHESS_REQUEST_ACCESS_H */
