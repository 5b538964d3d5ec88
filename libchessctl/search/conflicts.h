/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Before which ops a preemption is tried first: those that conflict with one of another task, as
 * far as runs have shown. A preemption before another op leads to nothing that one before the
 * task's next conflicting op does not lead to. Where a task only reads, again and again at one
 * place, it is the first of these ops: what differs is which of them sees a change. This is only
 * about what comes first, so a guess will do: what is not known conflicts.
 */
#ifndef CHESSCTL_CONFLICTS_H
#define CHESSCTL_CONFLICTS_H

#include "chessctl/chessctl.h"
#include "record/objects.h"

struct chess_conflict_use;

/**
 * struct chess_conflicts - all zero when nothing is known
 * @objects: that ops were on
 * @use: of each of them
 * @room: of @use
 */
struct chess_conflicts {
	struct chess_objects objects;
	struct chess_conflict_use *use;
	size_t room;
};

/* Learns from a run. Return: 0 or -ENOMEM with chess_error() */
int chess_conflicts_learn(struct chess_conflicts *c, const struct chess_record *r);
/* Is a preemption before the point @i of @r, a run that was learned from, to be tried first? */
bool chess_conflicts_first(struct chess_conflicts *c, const struct chess_record *r, size_t i);
void chess_conflicts_clear(struct chess_conflicts *c);

#endif /* CHESSCTL_CONFLICTS_H */
