/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * May a search leave out schedules that differ in the order of independent ops alone? What
 * is independent is known from points, so each access to memory that may race has to be
 * looked at.
 */
#ifndef CLI_REDUCIBLE_H
#define CLI_REDUCIBLE_H

#include "session.h"

/*
 * Why not: a sentence, free() it; NULL: it may. The C library, the loader and the runtimes of
 * C and C++ are trusted to have no races of their own.
 */
char *reducible_why_not(const struct session *s);

#endif /* CLI_REDUCIBLE_H */
