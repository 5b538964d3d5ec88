/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * holders.c: which tasks of the group could end a wait, and since when, from the
 * record. wait.c says who comes into question.
 */
#ifndef CHESSCTL_HOLDERS_H
#define CHESSCTL_HOLDERS_H

#include "chessctl/chessctl.h"

/* Adds a candidate to a wait. Return: 0, or -errno with chess_error(). */
int chess_holders_add(struct chess_wait *w, const struct chess_holder *h);

/*
 * Keeps of each wait the surest candidates and says when they took or gave what is
 * waited for. All waits of a group at one time; @r may be NULL. Return: 0 or -errno.
 */
int chess_holders_determine(const struct chess_record *r, struct chess_wait *waits, size_t n);

/* Number of the spawn that made the process of @task; 0: it is the first one. */
uint32_t chess_holders_fork_of(const struct chess_record *r, uint32_t task);

#endif /* CHESSCTL_HOLDERS_H */
