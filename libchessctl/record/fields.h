/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What struct chess_record consists of, for the files of this room that read it event by event.
 */
#ifndef CHESSCTL_FIELDS_H
#define CHESSCTL_FIELDS_H

#include "chessctl/chessctl.h"
#include "record/settings.h"

/* Tasks that fit into chess_event.enabled. */
#define WORD_TASKS 64

/* Event numbers at which a task's state flipped: enabled, not, enabled, ... */
struct flips {
	uint32_t *at;
	size_t n, room;
};

struct chess_record {
	struct chess_event *event;
	size_t length, room;
	struct chess_stack **stack;
	size_t n_stacks;
	size_t decisions, points, tasks;
	uint64_t types;			/* bit N: there is an event of type N */
	bool signals;			/* a task or a timer sends one */
	struct chess_settings settings;
	char *maps;
	char *mapped;
	struct chess_object_name *objects;
	size_t n_objects;
	struct flips *flips;		/* of tasks 0 .. n_flips - 1 */
	size_t n_flips;
	uint64_t *state;		/* of the program, by decision */
	size_t n_states, states_room;
};

#endif /* CHESSCTL_FIELDS_H */
