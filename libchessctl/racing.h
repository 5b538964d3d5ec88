/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the library's own files ask of struct chess_racing beside <chessctl/races.h>.
 */
#ifndef CHESSCTL_RACING_H
#define CHESSCTL_RACING_H

#include "chessctl/races.h"

/*
 * A plan of strategy hold with these @changes is about to be run. Return: 1; 0: it has
 * been, for this program; -ENOMEM with chess_error()
 */
int chess_racing_hold(struct chess_racing *g, const uint32_t *changes, size_t n);

/* A task at an access that is a point, or at a call that tasks compete with. */
struct chess_visit {
	uint32_t place;		/* site, or CHESS_HOLD_CALL() */
	uint16_t task;
	bool shared;		/* another task uses the object as well; of accesses always */
	bool nested;		/* the task had a lock already */
	uint64_t object;
};

/* In the order in which they were first seen; good until the next chess_racing_learn(). */
const struct chess_visit *chess_racing_visits(const struct chess_racing *g, size_t *n);

#endif /* CHESSCTL_RACING_H */
