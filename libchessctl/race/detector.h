/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a detector of races answers: was an earlier access of another task ordered before what
 * a task does now? The library has one, clocks.c; its tests compare it with another,
 * selftests/unit/goldilocks.c.
 */
#ifndef CHESSCTL_DETECTOR_H
#define CHESSCTL_DETECTOR_H

#include "race/shadow.h"
#include "race/sync.h"

/**
 * struct chess_detector - an algorithm
 * @init: for @steps; NULL and errno
 * @sync: step @i is a release or an acquire; 0 or -ENOMEM
 * @stamp: what to keep of an access of @task at step @i
 * @ordered: is what was stamped for @e before all that @task does from step @i on?
 *	Negative errno where there is no memory to tell
 * @free: ends it
 */
struct chess_detector {
	void *(*init)(const struct chess_steps *steps);
	int (*sync)(void *d, size_t i);
	uint32_t (*stamp)(void *d, size_t i, uint16_t task);
	int (*ordered)(void *d, size_t i, uint16_t task, const struct chess_shadow_entry *e);
	void (*free)(void *d);
};

extern const struct chess_detector chess_by_clocks;

#endif /* CHESSCTL_DETECTOR_H */
