/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a trace says of its run, worked out once: text, JSON and every other form of a report
 * are written from it. account.c.
 */
#ifndef CHESSCTL_API_ACCOUNT_H
#define CHESSCTL_API_ACCOUNT_H

#include <chessctl/api.h>
#include <chessctl/record.h>
#include <chessctl/run.h>
#include <chessctl/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A decision that preempts, lets a deadline pass early, ends a wait without a wake-up, or has
 * a timer go off early.
 */
struct chess_account_preemption {
	size_t at;	/* index of the event */
	size_t before;	/* of a timer: index of the decision that it came before; else as @at */
	/* what the task goes on with that could have gone on; NULL: with nothing more */
	const struct chess_event *kept;
	/* what the chosen task goes on with; NULL: it runs to its end */
	const struct chess_event *instead;
	/*
	 * of an early deadline: that task, or CHESS_TASK_NONE: there is none; @chosen where its
	 * own deadline came next
	 */
	uint16_t other;
	uint16_t chosen;	/* the task that goes on; of a timer CHESS_TASK_TIMER */
	bool early;
	bool for_nothing;	/* early, and not by its deadline: the wait of @chosen just ended */
};

/**
 * struct chess_account - one account of a run
 * @bad_task: whose death by a signal decided the verdict; -1: none did
 * @bad_status: how it died, or how the root ended, as in wait(2)
 * @died: index of the event in which it died; SIZE_MAX: it is not in the record
 * @complained: a monitor inside the program said what is wrong: @complaint, whose text lies in
 *	the trace
 * @root_ended: the first task has ended; where it goes on, the run is one of a service
 * @partial: a deadlock of some tasks, while other tasks could run
 * @early: a time that passed early is part of the run; a wait that ended without a wake-up does
 *	not count
 * @repeats: a livelock: @livelock is what it repeats
 * @starved: the last point of the task that starves in it; NULL: none does
 * @preemptions: those of the record, in order; @n_preemptions
 * @cycle: indexes of the trace's waits, each for the next and the last for the first;
 *	@n_cycle, 0: there is no cycle
 *
 * Events belong to the trace, which has to live as long.
 */
struct chess_account {
	int bad_task, bad_status;
	size_t died;
	bool complained;
	struct chess_complaint complaint;
	bool root_ended, partial, early, repeats;
	struct chess_cycle livelock;
	const struct chess_event *starved;
	struct chess_account_preemption *preemptions;
	size_t n_preemptions;
	size_t *cycle;
	size_t n_cycle;
};

/* 0 or -ENOMEM; @out is zeroed then. chess_account_clear() frees what is in it. */
CHESS_API int chess_account_of(const struct chess_trace *t, struct chess_account *out);
CHESS_API void chess_account_clear(struct chess_account *a);

/*
 * What @task goes on with after decision @i: the op it is held at or blocked in, or its first
 * one; NULL: it does nothing more.
 */
CHESS_API const struct chess_event *chess_record_goes_on(const struct chess_record *r, size_t i,
			uint16_t task);
/* Did the wait that ends by decision, SPURIOUS or TIMEOUT @i end without a wake-up? */
CHESS_API bool chess_record_is_spurious(const struct chess_record *r, size_t i);
/* Where the starved task of @cycle is; NULL: no task starves. */
CHESS_API const struct chess_event *chess_record_starved_at(const struct chess_record *r,
			const struct chess_cycle *cycle);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_ACCOUNT_H */
