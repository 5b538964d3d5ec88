/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Traps of sync functions that may become jumps, with which a task notes its points by itself.
 */
#ifndef CHESSCTL_JUMP_H
#define CHESSCTL_JUMP_H

#include <stdint.h>

#include "internal.h"

/**
 * chess_jump_may_replace() - have traps displace as much as a jump takes, where that is possible
 * @path: the file
 * @probes: traps at its sync functions, and no others, in order of offsets; those that may become
 *	a jump get CHESS_PROBE_JUMP
 * @n: how many
 *
 * Return: 0, or a negative errno with chess_error().
 */
int chess_jump_may_replace(const char *path, struct chess_probe *probes, int n);

#endif /* CHESSCTL_JUMP_H */
