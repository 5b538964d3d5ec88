/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of sync functions; see wrappers.c. */
#ifndef CHESSCTL_WRAPPERS_H
#define CHESSCTL_WRAPPERS_H

#include "internal.h"

/* Row of the function called @symbol (without version), or NULL. */
const struct chess_wrapper *chess_wrapper_by_symbol(const char *symbol);
uint32_t chess_wrapper_id(const struct chess_wrapper *w);
/* As chess_symbols_probes(), without the functions that chess_ctl_set_functions() excludes. */
int chess_symbols_known(const struct chess_ctl *c, const char *path, struct chess_probe **out);

/*
 * What is known of a function's object beyond the class of its op. COUNTS: a semaphore; what
 * is taken of it is a count that no task owns. OWNED: glibc's mutex, whose memory says which
 * task has it. RETURNED: it returns a pointer to a variable of the library, which the
 * next call of any task overwrites.
 */
enum chess_wrapper_trait {
	CHESS_WRAPPER_COUNTS = 1, CHESS_WRAPPER_OWNED = 2, CHESS_WRAPPER_RETURNED = 4,
};
/* Is @e the call of such a function? */
bool chess_wrapper_has(const struct chess_event *e, enum chess_wrapper_trait trait);

#endif /* CHESSCTL_WRAPPERS_H */
