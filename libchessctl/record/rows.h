/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rows: points that one task takes one after another while no other task takes any. A task may
 * wait in a loop that only another task ends, so the module lets others go first after a number of
 * points in a row (kmod/take.h).
 */
#ifndef CHESSCTL_ROWS_H
#define CHESSCTL_ROWS_H

#include "chessctl/chessctl.h"

/**
 * struct chess_row - the current row
 * @task: of this task
 * @points: so many, since the last of its parts was full
 */
struct chess_row {
	uint32_t task;
	uint32_t points;
};

uint32_t chess_row_limit(const struct chess_record *r);
bool chess_row_is_cut(struct chess_row *row, const struct chess_event *e);
int chess_rows_should_be_longer(const struct chess_record *r);

#endif /* CHESSCTL_ROWS_H */
