/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls of outcome_calls.c that may wait, perhaps for ever, and what tasks do about each other's.
 */
#ifndef OUTCOME_WAITS_H
#define OUTCOME_WAITS_H

struct outcome_objects;

/* @me is the number of the task, and @arg what the program gives it. */
typedef long outcome_call_fn(int me, unsigned int arg);

outcome_call_fn outcome_hold;
outcome_call_fn outcome_let_go;
outcome_call_fn outcome_hold_robust;
outcome_call_fn outcome_let_robust_go;
outcome_call_fn outcome_hold_rwlock;
outcome_call_fn outcome_let_rwlock_go;
outcome_call_fn outcome_sem_wait_for;
outcome_call_fn outcome_until_ready;
outcome_call_fn outcome_make_ready;
outcome_call_fn outcome_together;
outcome_call_fn outcome_slow_write;
outcome_call_fn outcome_slow_read;
outcome_call_fn outcome_flock_wait;
outcome_call_fn outcome_range_wait;
outcome_call_fn outcome_queue_wait;
outcome_call_fn outcome_ipc_wait;

/* The objects that these calls are on. */
void outcome_waits_use(struct outcome_objects *objects);

/* Waits until another task has made so many calls; @arg says which, and how many. */
long outcome_after(int me, unsigned int arg);
/* Task @me has made a call: those that wait for it, as bits, go on. */
void outcome_made(int me, unsigned int waiters);
/* Task @me has made its last one. */
void outcome_end(int me);
/* Waits for a call of task @of. */
void outcome_wait_for(int of, int me);

#endif /* OUTCOME_WAITS_H */
