/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Races that nobody wants to hear of: a file with one rule a line.
 *
 *	function GLOB		one of the two accesses is in such a function
 *	file GLOB		... in such a source file or program file
 *	pair GLOB GLOB		they are in two such functions, in either order
 *	variable GLOB		on such a variable: known to be benign
 *	address 0xN [SIZE]	on bytes from there on; 8 if SIZE is not given
 *
 * Patterns are the shell's; # begins a comment. Names without a * match whole names.
 */
#ifndef CHESSCTL_SUPPRESS_H
#define CHESSCTL_SUPPRESS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct chess_race_names - a race as people know it; NULL: not known
 * @function: of both accesses
 * @source: source file of both
 * @image: program or library of both
 * @variable: what was accessed, without an offset
 * @address: first byte both access
 */
struct chess_race_names {
	const char *function[2], *source[2], *image[2];
	const char *variable;
	uint64_t address;
};

struct chess_suppressions;

/**
 * chess_suppressions_read() - a file of rules
 * @path: the file
 *
 * Return: the rules, chess_suppressions_free() them; or NULL and errno with chess_error(),
 * which names file and line of what is no rule.
 */
struct chess_suppressions *chess_suppressions_read(const char *path);
void chess_suppressions_free(struct chess_suppressions *s);

/* Line of the first rule that is about @race; 0: none. Counts. */
unsigned int chess_suppressions_match(struct chess_suppressions *s,
				      const struct chess_race_names *race);
/* How many races the rule in @line hid: those that hide nothing may be out of date. */
size_t chess_suppressions_used(const struct chess_suppressions *s, unsigned int line);

#endif /* CHESSCTL_SUPPRESS_H */
