/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a difference between two runs under one prefix points to, and what a record
 * shows of things outside. Knows records only: units call it with records made by hand.
 */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include <chessctl/chessctl.h>

/* where the difference comes from, a sentence; @a or @b NULL: that run had ended */
const char *hints_cause(const struct chess_event *a, const struct chess_event *b);

/* Do they differ because a file is there in one run only? */
bool hints_is_file(const struct chess_event *a, const struct chess_event *b);

/**
 * struct hints_record - what a record shows that no prefix decides
 * @wakes: wake-ups from outside the group
 * @first_wake: index of the first
 * @quanta: decisions because a quantum was used up
 * @stalls: decisions of the stall watchdog
 * @left: tasks that left control
 */
struct hints_record {
	size_t wakes, first_wake, quanta, stalls, left;
};

void hints_find(const struct chess_record *r, struct hints_record *out);

/**
 * struct hints_line - a line that two texts do not share
 * @number: from 1
 * @a: where it begins in the first text; NULL after its end
 * @b: the same of the second
 * @a_len: its length, without newline
 * @b_len: the same of the second
 */
struct hints_line {
	size_t number;
	const char *a, *b;
	size_t a_len, b_len;
};

/*
 * The next line that differs; *@line is all zero before the first call. False when
 * there is none.
 */
bool hints_next_line(const char *a, const char *b, struct hints_line *line);

#endif /* CLI_HINTS_H */
