/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Other schedules of a program, chosen by a fixed seed: take the record of a run
 * and send it another way at one decision. hash_test.c does so again and again
 * along a run; apps/schedules.c walks from schedule to schedule.
 */
#ifndef CHESS_PERTURB_H
#define CHESS_PERTURB_H

#include <stdint.h>

#include "chessctl/chessctl.h"

struct perturb {
	uint64_t state;
};

void perturb_seed(struct perturb *p, uint64_t seed);
uint64_t perturb_random(struct perturb *p);

/**
 * perturb_at() - the schedule of a run up to a decision, and another task there
 * @p: chooses among the other enabled tasks
 * @r: record of the run
 * @event: index of the event to begin at; set to that of the decision changed
 *
 * Return: the schedule, to be freed by the caller, or NULL where no other task is
 * enabled at a decision from there on.
 */
struct chess_schedule *perturb_at(struct perturb *p, const struct chess_record *r, size_t *event);

/**
 * perturb_any() - as perturb_at(), at any decision with another enabled task
 * @p: chooses
 * @r: record of the run
 *
 * Return: the schedule, to be freed by the caller, or NULL where there is none.
 */
struct chess_schedule *perturb_any(struct perturb *p, const struct chess_record *r);

#endif /* CHESS_PERTURB_H */
