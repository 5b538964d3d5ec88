/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library's hashes: no part of its interface, and inline as now.h is.
 */
#ifndef CLI_MIX_H
#define CLI_MIX_H

#include "../libchessctl/mix.h"

#endif /* CLI_MIX_H */
