/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files that make the steps of a run share: sync.c, handlers.c.
 */
#ifndef CHESSCTL_SYNC_INTERNAL_H
#define CHESSCTL_SYNC_INTERNAL_H

#include "race/handlers.h"
#include "record/objects.h"
#include "race/sync.h"

/* Kinds of objects that no event has; the others are enum chess_object_kind. */
enum {
	READERS = 0x20,		/* what readers of a lock release, beside the lock */
	ENDED,			/* a task's end */
	HANDED,			/* from one task to another, once: numbered */
	ROUND,			/* of a barrier: numbered */
	ATOMIC,			/* an address */
	SOCKETS,
	SIGNALS,
	INSTALLED,		/* what is done about a signal in a process */
	BORN,			/* a task's begin */
	MASKED,			/* a signal is blocked in a task: as a lock that is held */
	SENT,			/* a signal to a task */
	SENT_TO_ALL,		/* to a process */
	ARMED,			/* a timer that sends a signal */
};

/* What is known of an object; by index. */
struct object {
	uint32_t owner;		/* task plus one */
	uint32_t readers;
	uint32_t round;		/* object of the barrier's round, plus one */
	uint32_t first;		/* of once: task plus one */
};

struct task {
	size_t point;		/* index of its POINT event, plus one; 0: it is after that op */
	uint8_t op;		/* at its last point */
	bool started, blocked, woken, timed_out;
	uint32_t round;
	bool ended, joined;
	uint16_t space;
	uint16_t child;		/* the last one; 0: it has none */
	size_t last;		/* its last POINT event, plus one */
	size_t interrupted;	/* that at which a handler came that is over, if it goes on */
};

struct sync {
	const struct chess_record *record;
	struct chess_steps *out;
	struct chess_objects objects;
	struct object *object;
	size_t object_room;
	struct task *task;
	uint8_t *waits;		/* of each decision, enum next: what the chosen task does next */
	uint32_t numbers;
	uint16_t spaces;
	uint32_t seq;
	struct chess_handlers *handlers;	/* NULL: none ran */
	int error;
};

/* Index of an object; in doubt 0, and @s->error is set. */
uint32_t chess_sync_find(struct sync *s, uint8_t kind, uint64_t number);
/* A step as it is: of a task, or of a handler. */
void chess_sync_push(struct sync *s, struct chess_step step);

#endif /* CHESSCTL_SYNC_INTERNAL_H */
