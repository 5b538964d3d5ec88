/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The prefixes that wait, and which of them is next: forks.c uses it. Prefixes of a level have
 * equal cost; those of a row of a level have equally many free choices, that is, choices that
 * cost nothing and are not the policy's. Those of a level that are to come last have rows of
 * their own.
 */
#ifndef CHESSCTL_WORKLIST_H
#define CHESSCTL_WORKLIST_H

#include "search/fork.h"
#include "search/trunk.h"

struct chess_worklist;

/**
 * struct chess_waiting - a prefix that waits
 * @source: the run it leaves
 * @fork: where and for whom
 * @row: free choices in it
 * @deep: its turn was one of those that go depth first
 */
struct chess_waiting {
	struct chess_trunk *source;
	struct fork fork;
	unsigned int row;
	bool deep;
};

struct chess_worklist *chess_worklist_new(void);
void chess_worklist_free(struct chess_worklist *w);
int chess_worklist_push(struct chess_worklist *w, unsigned int level, unsigned int row, bool last,
			struct chess_trunk *t, const struct fork *fork, uint32_t n);
int chess_worklist_push_next(struct chess_worklist *w, unsigned int row,
			     struct chess_trunk *t, const struct fork *fork, uint32_t n);
bool chess_worklist_take(struct chess_worklist *w, unsigned int level,
			 struct chess_waiting *out);
bool chess_worklist_peek(const struct chess_worklist *w, size_t k, struct chess_waiting *out);
void chess_worklist_drop(struct chess_worklist *w, unsigned int first);
int chess_worklist_leave(struct chess_worklist *w, unsigned int level, struct chess_frontier *to);
bool chess_worklist_lowest(const struct chess_worklist *w, unsigned int *level);
uint64_t chess_worklist_count(const struct chess_worklist *w);
uint64_t chess_worklist_count_at(const struct chess_worklist *w, unsigned int level);

#endif /* CHESSCTL_WORKLIST_H */
