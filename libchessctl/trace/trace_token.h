/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Items of a line of a trace file. Each function takes one off at the cursor *@p, and
 * fails without moving it on anything else. For trace_read.c and trace_race.c.
 */
#ifndef CHESSCTL_TRACE_TOKEN_H
#define CHESSCTL_TRACE_TOKEN_H

#include "internal.h"

/* Its value, or -1. */
int chess_token_digit(char c);
bool chess_token_text(const char **p, const char *text);
/* Decimal, up to @max. */
bool chess_token_number(const char **p, uint64_t max, uint64_t *out);
/* Hex digits, at most so many. */
bool chess_token_hex(const char **p, unsigned int max_digits, uint64_t *out);
/* 0x... */
bool chess_token_address(const char **p, uint64_t *out);
/* "T3", or "-" for CHESS_TASK_NONE. */
bool chess_token_task(const char **p, uint16_t *out);
/* A quoted string, malloc'ed; the second one only where it ends the line. */
char *chess_token_quoted(const char **p);
char *chess_token_string(const char **p);

#endif /* CHESSCTL_TRACE_TOKEN_H */
