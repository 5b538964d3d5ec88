/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's clock. It is not part of its interface, but there is nothing to link either;
 * mix.h, quote.h and peek.h are the only other private headers of the library that are used here.
 */
#ifndef CLI_NOW_H
#define CLI_NOW_H

#include "../libchessctl/now.h"

#endif /* CLI_NOW_H */
