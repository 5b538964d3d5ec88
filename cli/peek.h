/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's way to read a program's memory: no part of its interface, and inline as now.h is.
 */
#ifndef CLI_PEEK_H
#define CLI_PEEK_H

#include "../libchessctl/peek.h"

#endif /* CLI_PEEK_H */
