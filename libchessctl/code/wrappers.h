/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of sync functions; see wrappers.c. */
#ifndef CHESSCTL_WRAPPERS_H
#define CHESSCTL_WRAPPERS_H

#include "internal.h"

/* Row of the function called @symbol (without version), or NULL. */
const struct chess_wrapper *chess_wrapper_by_symbol(const char *symbol);
uint32_t chess_wrapper_id(const struct chess_wrapper *w);

#endif /* CHESSCTL_WRAPPERS_H */
