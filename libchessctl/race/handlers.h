/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signal handlers in the order of a run: each is a task of its own as far as accesses and
 * what orders them goes, since it may run between any two instructions of the task that it
 * interrupts.
 */
#ifndef CHESSCTL_HANDLERS_H
#define CHESSCTL_HANDLERS_H

#include "race/sync.h"

struct chess_handlers;
struct sync;

/**
 * chess_handlers_new() - for a run
 * @a: its accesses
 * @n: how many
 * @tasks: of the run
 * @out: NULL where no handler ran
 *
 * Return: 0 or -ENOMEM.
 */
int chess_handlers_new(const struct chess_access *a, size_t n, size_t tasks,
		       struct chess_handlers **out);
void chess_handlers_free(struct chess_handlers *h);

/* The task, or the handler that it is in. */
uint16_t chess_handlers_who(const struct chess_handlers *h, uint16_t task);
/* A step was made. */
void chess_handlers_step(struct sync *s, const struct chess_step *step);
/* What @a, of kind CHESS_ACCESS_TOLD, says of signals. */
void chess_handlers_told(struct sync *s, const struct chess_access *a);
void chess_handlers_spawn(struct sync *s, uint16_t parent, uint16_t child);
void chess_handlers_exec(struct chess_handlers *h, uint16_t task);
/* A task and its handlers are before what comes after its end. */
void chess_handlers_end(struct sync *s, uint16_t task);
size_t chess_handlers_count(const struct chess_handlers *h);

#endif /* CHESSCTL_HANDLERS_H */
