/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's clock. It is not part of its interface, but there is nothing to link either;
 * quote.h is the only other private header of the library that is used here.
 */
#ifndef CLI_NOW_H
#define CLI_NOW_H

#include "../libchessctl/now.h"

#endif /* CLI_NOW_H */
