/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All requests of docs/netlink/specs/chess.yaml with their attributes, good ones
 * to be spoilt, and the check that a spoilt one is refused. netlink_test.c,
 * state_test.c and noise_test.c call. What goes wrong here is printed as a KTAP
 * comment; where that makes a test senseless the process ends.
 */
#ifndef CHESS_SELFTESTS_REQUEST_H
#define CHESS_SELFTESTS_REQUEST_H

#include <sys/types.h>

#include "raw.h"

#define U32_MAX 0xffffffffU
#define N_FIELDS 8

enum field_kind {
	NUMBER,		/* a u32 with a range */
	BINARY,
	FLAGS,
	NUMBER64,	/* a u64 */
	TEXT,		/* ends with a zero byte, and has @max others at most */
};

/**
 * struct field - an attribute of a request
 * @type: its number
 * @kind: what it is
 * @required: the request is refused without it
 * @min: lowest value
 * @max: highest value, or all flags
 */
struct field {
	unsigned int type;
	enum field_kind kind;
	bool required;
	uint32_t min, max;
};

/**
 * struct op - a request
 * @name: what messages call it
 * @cmd: its command
 * @flags: netlink flags
 * @fields: its attributes; the first with type 0 is after the last
 */
struct op {
	const char *name;
	unsigned int cmd, flags;
	struct field fields[N_FIELDS];
};

extern const struct op ops[];
extern const unsigned int n_ops;

/**
 * struct surroundings - what requests are about
 * @raw: our socket
 * @group: our group
 * @file: open for reading, to put traps into
 * @child: a task to register; see spawn_cat()
 * @child_in: its stdin
 * @message: the request that is being made
 */
extern struct surroundings {
	struct raw raw;
	uint32_t group;
	int file;
	pid_t child;
	int child_in;
	struct message message;
} req;

extern const struct chess_probe good_probe;
extern const struct chess_segment good_segment;

/* All of it. */
void set_up(void);
/* A child that executes cat, once it is woken, and then waits for input. */
void spawn_cat(void);
/* false when it was not there any more */
bool end_cat(void);

/* of our group; 0 when there is none */
uint32_t group_state(void);
/* false after 20 s */
bool wait_state(uint32_t state);

const struct op *find_op(unsigned int cmd);
const struct field *find_field(const struct op *op, unsigned int type);

/* The value that makes the request a good one. */
void put_good(const struct op *op, const struct field *f);
/* A good request but for @leave_out, which the caller may put wrongly. */
void begin_without(const struct op *op, const struct field *leave_out);

/* Is the message refused with one of two errors, a sentence, and no effect? */
bool is_refused(const char *what, int error, int other);

/* No group, and the module goes and comes back. */
bool is_nothing_left(void);

#endif /* CHESS_SELFTESTS_REQUEST_H */
