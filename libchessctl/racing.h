/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the library's own files ask of struct chess_racing beside <chessctl/races.h>.
 */
#ifndef CHESSCTL_RACING_H
#define CHESSCTL_RACING_H

#include "chessctl/races.h"

/*
 * A plan of strategy hold with these @changes is about to be run. Return: 1; 0: it has
 * been, for this program; -ENOMEM with chess_error()
 */
int chess_racing_hold(struct chess_racing *g, const uint32_t *changes, size_t n);

#endif /* CHESSCTL_RACING_H */
