/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Formats of printf(3) and scanf(3): what a call accesses by the arguments after the format.
 */
#ifndef CHESSCTL_FORMAT_H
#define CHESSCTL_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "code/memcall_table.h"

/**
 * chess_format_read() - what a call with this format accesses
 * @format: ends with a 0 within @size bytes; else it says nothing
 * @size: bytes that may be read
 * @first: number of the first argument after the format; what is on the stack is not looked at
 * @scans: it is one of scanf(3), else of printf(3)
 * @out: gets the first @room of them, in the order of the format
 * @room: of @out
 *
 * Return: how many. 0 also where arguments are named by position (%1$s).
 */
unsigned int chess_format_read(const char *format, size_t size, unsigned int first, bool scans,
			       struct chess_memcall_use *out, unsigned int room);

#endif /* CHESSCTL_FORMAT_H */
