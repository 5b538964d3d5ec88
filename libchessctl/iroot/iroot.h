/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * iRoots: small patterns of dependences between two tasks, by the places in the program that
 * do them (Yu, Narayanasamy, Pereira, Pokam, Maple: A Coverage-Driven Testing Tool for
 * Multithreaded Programs, OOPSLA'12, section 2). A => B says that B depends on A, of another
 * task, and no write to the object comes between them. T1 does A and D, T2 does B and C:
 *
 *	1: A => B
 *	2: A => B => D		one object
 *	3: A => B, C => D	one object; B comes before C
 *	4: A => B, C => D	two objects; B comes before C
 *	5: A => B, C => D	two objects; C comes before B
 *
 * In 2 to 5 T1 does not access the object of A or of D between them; in 5 the same holds for T2.
 */
#ifndef CHESSCTL_IROOT_H
#define CHESSCTL_IROOT_H

#include "chessctl/search.h"
#include "hashset.h"
#include "record/hb.h"

/* Places of one iRoot. */
#define CHESS_IROOT_PLACES	4

/**
 * struct chess_iroot - one of them
 * @place: of A, B, C and D, as policy order names places; zero: the idiom has none
 * @idiom: from 1
 * @predicted: a run says that another schedule may expose it
 * @exposed: a run exposed it
 * @attempts: runs that were to expose it, with this input
 * @before: another search exposed it
 * @failed: so many attempts of all searches failed, as far as anybody remembers
 * @reported: what of it the one who remembers knows, enum chess_iroot_reported
 */
struct chess_iroot {
	uint32_t place[CHESS_IROOT_PLACES];
	uint8_t idiom;
	bool predicted, exposed, before;
	uint8_t reported;
	unsigned int attempts, failed;
};

enum chess_iroot_reported {
	CHESS_IROOT_REPORTED_PREDICTED = 1,
	CHESS_IROOT_REPORTED_EXPOSED = 2,
};

/**
 * struct chess_iroots - those of a program; all zero when empty
 * @root: in the order in which they were found
 * @n: how many
 * @room: of @root
 * @slot: hash table: index plus one
 * @slots: its size
 * @cut: more were predicted than there is room for
 * @asked: so many, from the first one, were asked about (memo.c)
 * @named: places that have a number, @n_named of them; @named_slot: hash table of them, with
 *	@named_slots: index plus one
 */
struct chess_iroots {
	struct chess_iroot *root;
	size_t n, room;
	uint32_t *slot;
	size_t slots;
	bool cut;
	size_t asked;
	uint32_t *named;
	size_t n_named, named_room;
	uint32_t *named_slot;
	size_t named_slots;
};

/* iroot.c */
int64_t chess_iroots_find(struct chess_iroots *all, const struct chess_iroot *root);
const struct chess_iroot *chess_iroots_get(const struct chess_iroots *all,
					   const struct chess_iroot *root);
void chess_iroots_count(const struct chess_iroots *all, struct chess_explore_result *out);
void chess_iroots_free(struct chess_iroots *all);
size_t chess_iroot_steps(const struct chess_iroot *root, uint32_t words[1 + 2 * CHESS_ORDER_STEPS]);

/**
 * struct chess_iroot_access - an operation on one object
 * @event: index in the record
 * @task: who
 * @object: number of the object in the run
 * @place: as policy order names it
 * @own: number of the operation in its task
 * @previous: index of the access before it of the same task to the same object, or
 *	CHESS_IROOT_NONE; and @next, of the one after it
 * @next_write: the next of @next that writes; and @previous_write
 * @locks: where its locks begin in the run's list, @n_locks of them
 * @clock: row of the run's table of clocks
 * @write: it does more than to read
 * @tried: it found out that it has to wait
 * @takes: it takes a lock; or, with @gives, it gives one back
 */
struct chess_iroot_access {
	uint32_t event, task, object, place, own;
	uint32_t previous, next, previous_write, next_write;
	uint32_t locks, clock;
	uint8_t n_locks;
	bool write, tried, takes, gives;
};

#define CHESS_IROOT_NONE	UINT32_MAX

/* A lock that a task has: which, since which of its operations, and whether others read too. */
struct chess_iroot_lock {
	uint32_t object, since;
	bool shared;
};

/**
 * struct chess_iroot_run - what tasks did in a run; all zero when empty
 * @access: in the order in which they took place, @n of them
 * @lock: the locks of accesses
 * @clock: rows of @tasks numbers: how many operations of each task come before in every
 *	schedule, by creating and joining tasks; NULL: there are too many tasks
 * @objects: number of objects
 */
struct chess_iroot_run {
	struct chess_iroot_access *access;
	size_t n;
	struct chess_iroot_lock *lock;
	size_t n_locks, lock_room;
	uint32_t *clock;
	size_t n_clocks, clock_room;
	size_t tasks, objects;
};

/* accesses.c */
int chess_iroot_read(struct chess_iroot_run *run, const struct chess_record *r);
void chess_iroot_run_clear(struct chess_iroot_run *run);
bool chess_iroot_depends(const struct chess_iroot_access *a, const struct chess_iroot_access *b);

bool chess_iroot_is_alone(const struct chess_iroot_run *run, const struct chess_iroot_access *a,
			  const struct chess_iroot_access *d);

/*
 * memo.c: 0 or -errno with chess_error(). Report to @memo what @run has shown, and ask about iRoots
 * that are new. @tried: the one that the run was to expose, or NULL
 */
int chess_iroots_report(struct chess_iroots *all, const struct chess_memo *memo,
		      const struct chess_iroot_run *run, const struct chess_record *r,
		      const struct chess_iroot *tried);
/* What is remembered of one by now? */
int chess_iroots_ask(struct chess_iroots *all, const struct chess_memo *memo,
		     struct chess_iroot *root);

/* Is it worth a run, as far as anybody remembers? */
static inline bool chess_iroot_is_open(const struct chess_iroot *root)
{
	return root->predicted && !root->exposed && !root->before &&
	       root->failed < CHESS_MEMO_GIVE_UP;
}

/* What the options say of the vulnerability window. */
static inline unsigned int chess_iroot_window(const struct chess_explore_opts *o)
{
	return o->iroot_window ? o->iroot_window : CHESS_IROOT_WINDOW;
}

/* observe.c, predict.c: 0 or -ENOMEM with chess_error() */
int chess_iroots_observe(struct chess_iroots *all, const struct chess_iroot_run *run,
			 unsigned int window);
int chess_iroots_predict(struct chess_iroots *all, const struct chess_iroot_run *run,
			 unsigned int window);

#endif /* CHESSCTL_IROOT_H */
