/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where two records that should be the same differ, shown as diagnostics of KTAP. For
 * hash_test.c, conformance/records.c and apps/schedules.c.
 */
#ifndef CHESS_DIFFERENCE_H
#define CHESS_DIFFERENCE_H

#include "chessctl/chessctl.h"

/**
 * difference_show() - print the events around the first that differs
 * @first: one record
 * @other: the other
 * @at: index of that event, as of chess_record_compare()
 */
void difference_show(const struct chess_record *first, const struct chess_record *other, size_t at);

#endif /* CHESS_DIFFERENCE_H */
