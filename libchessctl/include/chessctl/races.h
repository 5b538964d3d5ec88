/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: data races. What raced in the runs of a program, searches whose points are
 * the accesses that race, and what reports need: names of variables, races to
 * suppress. Conventions as in <chessctl/chessctl.h>; docs/races.md explains.
 */
#ifndef CHESSCTL_RACES_H
#define CHESSCTL_RACES_H

#include <chessctl/chessctl.h>

#ifdef __cplusplus
extern "C" {
#endif

/* racing.c: what raced in all runs of a program so far */
struct chess_racing;

/**
 * struct chess_racing_pair - two instructions that raced
 * @first: the earlier access, in the first run that showed the pair
 * @second: the other one
 * @run: number of that run, from 1
 * @runs: number of runs that showed it
 * @address: the first byte that both accessed then
 * @number: of both in that run's record of accesses, from 1
 * @piece: of a heap that it was on then
 * @size: number of bytes that both accessed
 * @beside_atomic: one of the two is an atomic instruction, the other may be an access to an
 *	atomic variable all the same: on x86 loads and stores of such are plain moves
 */
struct chess_racing_pair {
	struct chess_access first, second;
	uint64_t run, runs;
	uint64_t address;
	uint32_t number[2];
	struct chess_race_piece piece;
	uint32_t size;
	bool beside_atomic;
};

/**
 * struct chess_racing_counts - what was examined
 * @runs: that had accesses
 * @accesses: in all of them
 * @lost: that found no room in the record of a run; races with them are missed
 * @forgotten: that the detector forgot for want of memory; the same
 * @dropped: pairs of accesses beyond the number that is kept
 * @rested: runs in which not all accesses were recorded that the first task made before there
 *	was another one; nothing races with them, but what it does wrong by itself is missed
 */
struct chess_racing_counts {
	uint64_t runs, accesses, lost, forgotten, dropped, rested;
};

CHESS_API struct chess_racing *chess_racing_new(void);
CHESS_API void chess_racing_free(struct chess_racing *g);
/* Nothing is known any more: sites have other numbers. */
CHESS_API void chess_racing_clear(struct chess_racing *g);

/**
 * chess_racing_look() - find the races of a run
 * @g: only for the types of its variables; the caller may have one of its own
 * @run: with accesses; its @races are filled in, and all that chess_racing_learn() needs
 *
 * Return: 0 or a negative errno with chess_error().
 */
CHESS_API int chess_racing_look(struct chess_racing *g, struct chess_run_result *run);

/**
 * chess_racing_learn() - look for races in one more run
 * @g: so far
 * @run: with accesses, or with what was seen in them; one without record or accesses
 *	only counts
 *
 * Return: how many points are new, or a negative errno with chess_error().
 */
CHESS_API int chess_racing_learn(struct chess_racing *g, const struct chess_run_result *run);

/* These sites are points already, as another search has found; 0 or -ENOMEM */
CHESS_API int chess_racing_know(struct chess_racing *g, const uint32_t *sites, size_t n);

/* In the order in which they were found; good until the next chess_racing_learn(). */
CHESS_API const struct chess_racing_pair *chess_racing_pairs(const struct chess_racing *g,
			size_t *n);
/*
 * What a search should take for points: the sites of all pairs, and atomic instructions on
 * what others access without another order between. Ascending.
 */
CHESS_API const uint32_t *chess_racing_points(const struct chess_racing *g, size_t *n);
/* Sites executed so often that not all of their accesses were recorded. Ascending. */
CHESS_API const uint32_t *chess_racing_retired(const struct chess_racing *g, size_t *n);
CHESS_API struct chess_racing_counts chess_racing_count(const struct chess_racing *g);

/*
 * race_search.c: chess_explore() that begins again when there is more to have traps: with
 * points at the accesses that race, and in files that come later than the program starts
 */
enum chess_may_reduce {
	CHESS_REDUCE_NOT,
	/*
	 * Not everything is examined that may make ops depend on each other: a reduced search comes
	 * first, and when it is done, without a bug, one without reductions.
	 */
	CHESS_REDUCE_FIRST,
	CHESS_REDUCE_ONLY,
};

struct chess_race_search_opts {
	size_t sz;
	/* from the next run on these sites are points; 0 or -errno */
	int (*set_points)(void *arg, const uint32_t *sites, size_t n);
	/* after run number @runs the search begins again, with @n points; may be NULL */
	void (*grown)(void *arg, uint64_t runs, size_t n);
	void *arg;
	bool prelude;	/* strategy prelude goes first, each time there are new points */
	/*
	 * Record accesses in a share of the runs: in all where that costs little, else in fewer
	 * the longer the search takes, and in none once it takes a run longer than it may.
	 */
	bool sparing;
	/* of the program; NULL: none of it is looked for, and neither of the next is called */
	struct chess_later *later;
	/* from the next run on these files have traps, sites other numbers; 0 or -errno */
	int (*set_later)(void *arg, const char *const *files);
	/* as @grown, for @n files more that have traps; may be NULL */
	void (*came)(void *arg, uint64_t runs, size_t n);
	/*
	 * Asked before each search: may it be reduced as its options say? Once a run shows
	 * that ops taken for independent are not, the search begins again without
	 * reductions. NULL: they were asked for, so they are used, and a flaw is its result.
	 */
	enum chess_may_reduce (*may_reduce)(void *arg);
	/* run number @runs showed that, for the reason @flaw; may be NULL */
	void (*flawed)(void *arg, uint64_t runs, const char *flaw);
	/*
	 * From the next run on a task may take 100,000 points in a row; 0 or -errno. NULL: none
	 * may, also where these concern no other task.
	 */
	int (*set_long_rows)(void *arg);
	/* as @grown, for that; may be NULL */
	void (*rows_grew)(void *arg, uint64_t runs);
	/*
	 * From the next run on the quantum is so many times what it was at first; 0 or -errno.
	 * NULL: it stays, also where a task only computes for longer.
	 */
	int (*set_quantum)(void *arg, unsigned int times);
	/* since run number @runs it is; may be NULL */
	void (*quantum_grew)(void *arg, uint64_t runs);
};
struct chess_race_search_result {
	struct chess_explore_result all;	/* runs and bugs are those of all searches */
	unsigned int searches;			/* preludes are counted too */
	uint64_t prelude_runs;
	uint64_t recorded_runs;			/* of all, those with accesses recorded */
	bool gave_up;				/* a run took too long with them */
	bool reduced;				/* the last search was */
	bool is_first;	/* it was one that comes first: CHESS_REDUCE_FIRST */
	uint64_t first_runs;	/* of such a one, if it was done; else 0 */
	unsigned int first_bound;	/* that it was done with */
	/* a part of a search showed what makes the whole search begin again, see its @why */
	bool outgrown;
	bool readings_left;	/* loops of several tasks read clocks, which are not points there */
};
CHESS_API int chess_explore_races(const struct chess_executor *x,
			const struct chess_explore_opts *o,
			const struct chess_race_search_opts *ro,
			struct chess_race_search_result *out);

/* site_facts.c: what of a program's code has traps, for certificates and traces */
#define CHESS_SITE_LEFT_MAX	8

/**
 * struct chess_site_facts - of one file
 * @path: of it
 * @build_id: in hexadecimal digits; empty: it has none
 * @instructions: number examined
 * @sites: those that access memory others may see, and have traps
 * @left: number of others that were left out, and why: in words, and as a key
 * @n_left: of @left
 * @strange: ranges that contain something other than instructions, left out whole
 * @strange_bytes: how long those are
 * @unknown_bytes: of code that belongs to no function known
 * @debug_info: it has debug information, which identifies atomic variables
 * @only_entries: a library that may be unmapped: traps only where its functions begin, and
 *	@instructions are those where they do
 */
struct chess_site_facts {
	const char *path, *build_id;
	size_t instructions, sites;
	struct { const char *cause, *key; size_t n; } left[CHESS_SITE_LEFT_MAX];
	unsigned int n_left;
	size_t strange;
	uint64_t strange_bytes, unknown_bytes;
	bool debug_info, only_entries;
};

/* Number of sites that are examined for races; zero if @t is NULL. */
CHESS_API size_t chess_sites_total(const struct chess_site_table *t);
/* File number @i from 0; false: there are no more. */
CHESS_API bool chess_site_facts_get(const struct chess_site_table *t, size_t i,
			struct chess_site_facts *out);
/* Library number @i from 0 that is examined only for what orders tasks; NULL: no more. */
CHESS_API const char *chess_site_sync_file(const struct chess_site_table *t, size_t i);
/* Is site @id, from 1, in a loop that does nothing but wait for another task? */
CHESS_API bool chess_site_awaits(const struct chess_site_table *t, uint32_t id);
/* Where site @id is; false: there is no such site. */
CHESS_API bool chess_site_where(const struct chess_site_table *t, uint32_t id,
			const char **path, uint64_t *offset);
/* The site there, or 0. */
CHESS_API uint32_t chess_site_number(const struct chess_site_table *t, const char *path,
			uint64_t offset);

/* Is there such code in the program at @path? 0, or -errno with chess_error() */
CHESS_API int chess_code_check(const struct chess_program *p, const char *path,
			const char *const *code);

/*
 * As chess_probe_add_program(), for a replay of @t: its access points, and sync functions
 * if @sync_points. 0 or -errno
 */
CHESS_API int chess_probe_add_trace(struct chess_ctl *c, uint32_t group,
			const struct chess_program *p, const char *path,
			const struct chess_trace *t, bool sync_points);

/* variable.c: what lies at an address of a process */

/**
 * enum chess_variable_kind - how well it is known
 * @CHESS_VARIABLE_UNKNOWN: nothing is mapped there
 * @CHESS_VARIABLE_SYMBOL: an object with a symbol; @name
 * @CHESS_VARIABLE_SECTION: of a section of a program or library; @name
 * @CHESS_VARIABLE_HEAP: of brk
 * @CHESS_VARIABLE_STACK: the first thread's
 * @CHESS_VARIABLE_MEMORY: mapped: malloc's large pieces, other threads' stacks and heaps
 * @CHESS_VARIABLE_FILE: a mapping of a file that is no program
 */
enum chess_variable_kind {
	CHESS_VARIABLE_UNKNOWN,
	CHESS_VARIABLE_SYMBOL,
	CHESS_VARIABLE_SECTION,
	CHESS_VARIABLE_HEAP,
	CHESS_VARIABLE_STACK,
	CHESS_VARIABLE_MEMORY,
	CHESS_VARIABLE_FILE,
};

/**
 * struct chess_variable - what was found
 * @kind: enum chess_variable_kind
 * @offset: from the begin of it
 * @value: the address as the file @path has it, for SYMBOL and SECTION
 * @name: symbol or section; cut where it is longer
 * @section: of SYMBOL and SECTION
 * @path: file, where there is one
 */
struct chess_variable {
	int kind;
	uint64_t offset;
	uint64_t value;
	char name[160];
	char section[32];
	char path[256];
};

/**
 * chess_variable_find() - name an address
 * @maps: text like /proc/PID/maps of the process
 * @address: in it
 * @out: filled in, with UNKNOWN at least
 */
CHESS_API void chess_variable_find(const char *maps, uint64_t address, struct chess_variable *out);

/* suppress.c */
struct chess_suppressions;

/*
 * Races to suppress: a file with one rule on each line.
 *
 *	function GLOB		one of the two accesses is in such a function
 *	file GLOB		... in such a source file or program file
 *	pair GLOB GLOB		they are in two such functions, in either order
 *	variable GLOB		on such a variable: known to be benign
 *	address 0xN [SIZE]	on bytes from there on; 8 if SIZE is not given
 *
 * Patterns are the shell's; # begins a comment. Names without a * match whole names.
 */

/**
 * struct chess_race_names - a race as people know it; NULL: not known
 * @function: of both accesses
 * @source: source file of both
 * @image: program or library of both
 * @variable: what was accessed, without an offset
 * @address: first byte both access
 */
struct chess_race_names {
	const char *function[2], *source[2], *image[2];
	const char *variable;
	uint64_t address;
};

/**
 * chess_suppressions_read() - a file of rules
 * @path: the file
 *
 * Return: the rules, chess_suppressions_free() them; or NULL and errno with chess_error(),
 * which names file and line of what is no rule.
 */
CHESS_API struct chess_suppressions *chess_suppressions_read(const char *path);
CHESS_API void chess_suppressions_free(struct chess_suppressions *s);

/* Line of the first rule that is about @race; 0: none. Counts. */
CHESS_API unsigned int chess_suppressions_match(struct chess_suppressions *s,
				      const struct chess_race_names *race);
/* How many races the rule in @line hid: those that hide nothing may be out of date. */
CHESS_API size_t chess_suppressions_used(const struct chess_suppressions *s, unsigned int line);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_RACES_H */
