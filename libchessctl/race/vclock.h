/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Vector clocks: for each task how many of its releases are known. A missing entry is 0.
 */
#ifndef CHESSCTL_VCLOCK_H
#define CHESSCTL_VCLOCK_H

#include <stddef.h>
#include <stdint.h>

/* All zero when empty. */
struct chess_vclock {
	uint32_t *v;
	uint32_t n;
};

static inline uint32_t chess_vclock_get(const struct chess_vclock *c, uint32_t task)
{
	return task < c->n ? c->v[task] : 0;
}

/* One more of @task. 0 or -ENOMEM. */
int chess_vclock_tick(struct chess_vclock *c, uint32_t task);
/* @c knows what @other knows. 0 or -ENOMEM. */
int chess_vclock_join(struct chess_vclock *c, const struct chess_vclock *other);
void chess_vclock_free(struct chess_vclock *c);

#endif /* CHESSCTL_VCLOCK_H */
