/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where a search has been, by the states of a program that its executor reports
 * (chess_record_push_state()): from a state that was there before, with the same state of
 * fairness and at no less cost, everything that follows has been or will be found.
 */
#ifndef CHESSCTL_STATES_H
#define CHESSCTL_STATES_H

#include "chessctl/chessctl.h"
#include "search/reduce.h"

struct chess_states;

struct chess_states *chess_states_new(enum chess_reduce_costs costs);
void chess_states_free(struct chess_states *s);
int chess_states_begin(struct chess_states *s, const struct chess_record *r);
void chess_states_read(struct chess_states *s, size_t i);
int chess_states_arrive(struct chess_states *s, size_t i);
int chess_states_visit(struct chess_states *s);
int chess_states_step(struct chess_states *s, size_t i, bool look);
const char *chess_states_flaw(const struct chess_states *s);
void chess_states_left_out(const struct chess_states *s, uint64_t n[CHESS_LEFT_OUT_CAUSES]);

#endif /* CHESSCTL_STATES_H */
