/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's way to quote text: no part of its interface, and inline as now.h is.
 */
#ifndef CLI_QUOTE_H
#define CLI_QUOTE_H

#include "../libchessctl/quote.h"

#endif /* CLI_QUOTE_H */
