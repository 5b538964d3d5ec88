/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Variables of the C library that its functions return pointers to, as gmtime() does. Its own
 * code is not looked at, so which call writes which of them is not known.
 */
#ifndef CHESSCTL_RETURNED_H
#define CHESSCTL_RETURNED_H

#include "chessctl/chessctl.h"

/* What is done with an access; see chess_returned_find(). */
enum chess_returned_use { CHESS_RETURNED_SKIP, CHESS_RETURNED_KEEP, CHESS_RETURNED_READ };

/**
 * chess_returned_find() - what the program reads of the library, and the calls that may write it
 * @run: with record and accesses
 * @use: asked for each access, with the kind it has: READ, it reads a variable of the library;
 *	KEEP, it is needed to know what comes first; otherwise it is left out
 * @arg: for @use
 * @out: these accesses, and for each call of such a function a write of all the variables
 *	that are read, with site 0. NULL where none is read or no such function is called.
 *	free() it
 * @n: how many
 * @dropped: reads and calls that were left out, since of very many variables and calls the
 *	first ones are taken; a race with them is missed
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_returned_find(const struct chess_run_result *run,
			enum chess_returned_use (*use)(void *arg, const struct chess_access *a,
						       uint8_t *kind),
			void *arg, struct chess_access **out, size_t *n, uint64_t *dropped);

#endif /* CHESSCTL_RETURNED_H */
