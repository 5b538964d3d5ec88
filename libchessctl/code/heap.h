/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traps where glibc's heap hands memory out, and takes it back. */
#ifndef CHESSCTL_HEAP_H
#define CHESSCTL_HEAP_H

#include "internal.h"

/**
 * chess_heap_probes() - where the heap in a file is to have traps
 * @fd: the file, the C library or a static program; another one has none
 * @list: malloc'ed; they are added to it, and all are sorted
 * @n: length of @list
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_heap_probes(int fd, struct chess_probe **list, int *n);

/* The same of those only where memory is taken back: they have sites, as calls that race. */
int chess_heap_takers(int fd, struct chess_probe **list, int *n);

/* Where in the file its malloc() is, which uses memory that is free; -ENOENT: it has none */
int chess_heap_own(int fd, uint64_t *start, uint64_t *end);

#endif /* CHESSCTL_HEAP_H */
