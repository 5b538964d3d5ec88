/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of the host that the guest keeps in memory, since nearly every program opens them when
 * it starts. Used by init.c only.
 */
#ifndef CHESS_VM_NEAR_H
#define CHESS_VM_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Above /lower, the host's root, and below what a command writes. */
#define NEAR_DIR "/near"
#define CHESS_VM_MAX_NEAR 256

/* Before the first near_fill(), in the process that forks all others. False, with errno */
bool near_open(void);

/*
 * Copies those of the host's files in /lower, and @names, which are not there yet. What has
 * changed on the host since is replaced, by beginning from nothing.
 */
void near_fill(const char *const *names, size_t n);

#endif /* CHESS_VM_NEAR_H */
