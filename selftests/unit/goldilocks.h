/* SPDX-License-Identifier: GPL-2.0-only */
/* A detector of races that the one of the library is compared with. */
#ifndef SELFTESTS_UNIT_GOLDILOCKS_H
#define SELFTESTS_UNIT_GOLDILOCKS_H

#include "race/detector.h"

extern const struct chess_detector chess_by_locksets;

#endif /* SELFTESTS_UNIT_GOLDILOCKS_H */
