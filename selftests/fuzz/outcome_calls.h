/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The calls that programs of outcome_subject.c make.
 */
#ifndef OUTCOME_CALLS_H
#define OUTCOME_CALLS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define OUTCOME_TASKS		3	/* at most */
#define OUTCOME_CALLS		6	/* of a family, at most */

#define OUTCOME_MEMORY		1U	/* accesses to memory that is not under a lock */
#define OUTCOME_SHARED		2U	/* processes share the objects, too */
#define OUTCOME_WAITS		4U	/* calls may wait, perhaps for ever */

/* A call, and its name. @me is the number of the task, and @arg what the program gives it. */
struct outcome_call {
	long (*make)(int me, unsigned int arg);
	const char *name;
};

/* Calls on the same objects; after the last one there are zeros. */
struct outcome_family {
	struct outcome_call call[OUTCOME_CALLS];
	unsigned int flags;
};

extern const struct outcome_family outcome_families[];
extern const size_t outcome_families_count;

/*
 * Makes the objects. @threads: where their numbers will be, of which the first is there when a
 * thread begins; NULL: tasks are processes. @folder: for files; it may be there, as another run
 * left it. Ends the program if that cannot be.
 */
void outcome_set_up(pthread_t *threads, const char *folder);
void outcome_clean_up(void);

#endif /* OUTCOME_CALLS_H */
