/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the library's own files ask of struct chess_racing beside <chessctl/races.h>.
 */
#ifndef CHESSCTL_RACING_H
#define CHESSCTL_RACING_H

#include "code/atomic.h"
#include "chessctl/races.h"

/**
 * struct chess_run_races - the races of one run
 * @accesses: how many were recorded
 * @trapped: so many of them by instructions of the program, each of which costs a trap
 * @lost: that were not
 * @forgotten: see struct chess_racing_counts; and @dropped
 * @dropped: the same
 * @pair: in the order in which they were found, @n_pairs of them; without numbers of runs
 * @retired: sites of which not all accesses were recorded, @n_retired of them
 * @rested: not all accesses of the first task were recorded, see struct chess_racing_counts
 * @site: two each of atomic instructions which others could come before, @n_sites in all
 */
struct chess_run_races {
	uint64_t accesses, trapped, lost, forgotten, dropped;
	struct chess_racing_pair *pair;
	uint32_t *site, *retired;
	size_t n_pairs, n_sites, n_retired;
	bool rested;
};

/* run_races.c */

#define CHESS_CONSOLES	4

/**
 * struct chess_racing_types - what is known of variables by the files of a process
 * @maps: text that this is of
 * @atomics: which ones are atomic, by debug information
 * @library: first byte of the C library's own, whose code is not looked at
 * @library_end: after the last one
 * @standard_input: the stream stdin, one of these variables; 0: it is not known
 * @standard_output: likewise
 * @console: std::cout and the like, which tasks may share; zero where there is none
 * @variables: of all files, @n_variables of them; set where it is first asked for them
 */
struct chess_racing_types {
	char *maps;
	struct chess_atomics atomics;
	uint64_t library, library_end, standard_input, standard_output;
	uint64_t console[CHESS_CONSOLES];
	struct chess_variables {
		uint64_t start, end;
	} *variables;
	size_t n_variables;
};

/* Of all accesses of chess_racing_count(), those by instructions of the program. */
uint64_t chess_racing_trapped(const struct chess_racing *g);

/* Does a task use the stack of another one, where that may be in another function by then? */
bool chess_racing_stacks(const struct chess_racing *g);
/* What runs did that no search covers: bits of enum chess_unseen. */
uint32_t chess_racing_unseen(const struct chess_racing *g);
/* Are readings of clocks by different tasks left out, since there are very many? */
bool chess_racing_readings_left(const struct chess_racing *g);

/* @t is known after the first run that has maps. 0 or -errno; chess_run_races_free() it */
int chess_run_races_find(struct chess_racing_types *t, const struct chess_run_result *run,
			 struct chess_run_races **out);
void chess_run_races_free(struct chess_run_races *r);
void chess_racing_types_clear(struct chess_racing_types *t);

/*
 * A plan of strategy hold with these @changes is about to be run. Return: 1; 0: it has
 * been, for this program; -ENOMEM with chess_error()
 */
int chess_racing_hold(struct chess_racing *g, const uint32_t *changes, size_t n);

/* Are accesses points in this search? @g: or NULL, where races are not looked for. */
static inline bool chess_racing_has_points(const struct chess_racing *g)
{
	size_t n = 0;

	if (g)
		chess_racing_points(g, &n);
	return n;
}

struct chess_iroots;
/* Those of the program, for strategy maple; forgotten with everything else. */
struct chess_iroots *chess_racing_iroots(struct chess_racing *g);

/* A task at an access that is a point, or at a call that tasks compete with. */
struct chess_visit {
	uint32_t place;		/* site, or CHESS_HOLD_CALL() */
	uint16_t task;
	bool shared;		/* another task uses the object as well; of accesses always */
	bool nested;		/* the task had a lock already */
	bool tried;		/* it is a trylock */
	uint64_t object;
};

/* In the order in which they were first seen; good until the next chess_racing_learn(). */
const struct chess_visit *chess_racing_visits(const struct chess_racing *g, size_t *n);

#endif /* CHESSCTL_RACING_H */
