// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See conflicts.h. Ops on one object conflict unless both only read it. Objects are identified
 * by number, which may mean another inode in another run: that makes no difference here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "search/conflicts.h"

/* What calls that are given a path work on: all names of files are one object. */
#define NAMES	UINT8_MAX
/* Accesses to parts of one word share it. */
#define WORD_BITS	3

/**
 * struct chess_conflict_use - of an object
 * @task: the one that used it first
 * @used: there is one
 * @shared: another task used it as well
 * @written: some op on it did more than to read it
 */
struct chess_conflict_use {
	uint16_t task;
	bool used, shared, written;
};

static bool takes_names(const struct chess_event *e)
{
	return e->object_kind == CHESS_OBJECT_NONE &&
	       (e->op == CHESS_OP_FILE || e->op == CHESS_OP_OPEN);
}

/* False: what the op depends on is more than an object. */
static bool object_of(const struct chess_event *e, struct chess_object_key *key)
{
	if (takes_names(e)) {
		*key = (struct chess_object_key){ .kind = NAMES };
		return true;
	}
	switch (e->op) {
	case CHESS_OP_LOCK: case CHESS_OP_TRYLOCK: case CHESS_OP_UNLOCK:
	case CHESS_OP_COND_WAIT: case CHESS_OP_COND_SIGNAL: case CHESS_OP_COND_BROADCAST:
	case CHESS_OP_RDLOCK: case CHESS_OP_WRLOCK: case CHESS_OP_BARRIER: case CHESS_OP_ONCE:
	case CHESS_OP_SEM_WAIT: case CHESS_OP_SEM_POST:
	case CHESS_OP_LOAD: case CHESS_OP_STORE: case CHESS_OP_UPDATE:
		*key = (struct chess_object_key){ e->object >> WORD_BITS, e->object_kind };
		return e->object_kind == CHESS_OBJECT_ADDRESS;
	case CHESS_OP_READ: case CHESS_OP_WRITE: case CHESS_OP_FILE:
		*key = (struct chess_object_key){ e->object, e->object_kind };
		return e->object_kind == CHESS_OBJECT_INODE;
	default:
		return false;
	}
}

static int note(struct chess_conflicts *c, const struct chess_event *e,
		const struct chess_object_key *key)
{
	int64_t i = chess_objects_find(&c->objects, key->kind, key->number);
	size_t room = c->room;
	struct chess_conflict_use *u;

	if (i < 0 || chess_array_room(&c->use, &c->room, c->objects.n, sizeof(*c->use)))
		return chess_set_error(ENOMEM, "no memory for the objects of a program");
	memset(c->use + room, 0, (c->room - room) * sizeof(*c->use));
	u = &c->use[i];
	if (!u->used)
		u->task = e->task;
	u->used = true;
	u->shared |= u->task != e->task;
	u->written |= e->flags & CHESS_OPF_WRITE;
	return 0;
}

int chess_conflicts_learn(struct chess_conflicts *c, const struct chess_record *r)
{
	size_t i, length = chess_record_length(r);
	struct chess_object_key key;
	int ret = 0;

	for (i = 0; i < length && !ret; i++) {
		const struct chess_event *e = chess_record_event(r, i);

		if (e->type == CHESS_EVENT_POINT && object_of(e, &key))
			ret = note(c, e, &key);
	}
	return ret;
}

static bool has(struct chess_conflicts *c, const struct chess_event *e)
{
	struct chess_object_key key;
	int64_t i;

	if (!object_of(e, &key))
		return true;
	i = chess_objects_find(&c->objects, key.kind, key.number);
	return i < 0 || (size_t)i >= c->room || !c->use[i].used ||
	       (c->use[i].shared && c->use[i].written);
}

/* The task has just read the same way, and nobody else has come in between. */
static bool reads_again(const struct chess_record *r, size_t i)
{
	const struct chess_event *e = chess_record_event(r, i);
	const struct chess_event *before = i ? chess_record_event(r, i - 1) : NULL;

	return before && before->type == CHESS_EVENT_POINT && before->task == e->task &&
	       before->chosen == e->task && before->op == e->op && before->nr == e->nr &&
	       before->ip == e->ip && !((before->flags | e->flags) & CHESS_OPF_WRITE);
}

bool chess_conflicts_first(struct chess_conflicts *c, const struct chess_record *r, size_t i)
{
	return !reads_again(r, i) && has(c, chess_record_event(r, i));
}

void chess_conflicts_clear(struct chess_conflicts *c)
{
	chess_objects_free(&c->objects);
	free(c->use);
	memset(c, 0, sizeof(*c));
}
