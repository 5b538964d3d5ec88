/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs that need not be made: their operations are those of a run that was made, and those that
 * depend on each other come in the same order, so it is known what they would do.
 */
#ifndef CHESSCTL_PREDICT_H
#define CHESSCTL_PREDICT_H

#include "chessctl/chessctl.h"

struct chess_predict;

struct chess_predict *chess_predict_new(bool accesses);
void chess_predict_free(struct chess_predict *p);
int chess_predict_learn(struct chess_predict *p, const struct chess_record *r);
int chess_predict_run(struct chess_predict *p, const struct chess_plan *plan,
		      struct chess_record **out);
bool chess_predict_knows(struct chess_predict *p, const struct chess_plan *plan);
void chess_predict_check(struct chess_predict *p, const struct chess_record *predicted,
			 const struct chess_record *r);
const char *chess_predict_flaw(const struct chess_predict *p);

#endif /* CHESSCTL_PREDICT_H */
