// SPDX-License-Identifier: GPL-2.0-only
/*
 * The models of programs/wrong/, all of wrong_*.c.
 */
#include <string.h>

#include "model.h"

static void reset_wrong(void)
{
	memset(&w, 0, sizeof(w));
}

#define WRONG(name) { #name, reset_wrong, name }

const struct model_program model_wrong[] = {
	WRONG(abba),
	{ "abba_static", reset_wrong, abba },
	WRONG(deep_stack),
	WRONG(lost_wakeup),
	WRONG(cond_if),
	WRONG(check_then_act),
	WRONG(one_condvar),
	WRONG(rwlock_upgrade),
	WRONG(semaphores),
	WRONG(barrier_reuse),
	WRONG(philosophers),
	WRONG(pipe_locks),
	WRONG(flock_order),
	WRONG(fork_mutex),
	WRONG(outlives_main),
	WRONG(use_after_destroy),
	WRONG(lost_update),
	WRONG(double_checked),
	WRONG(trylock_skip),
	WRONG(short_read),
	WRONG(c11_no_predicate),
	WRONG(sem_trywait),
	WRONG(lost_signal),
	WRONG(signal_taker),
	WRONG(file_counter),
	WRONG(pause_loop),
	WRONG(epoll_edge),
	WRONG(sleeper_flag),
	WRONG(sigchld_reaper),
	WRONG(sigterm_helper),
	/* as with threads: fork for create, waitpid for join */
	{ "fork_semaphores", reset_wrong, semaphores },
	{ "sysv_order", reset_wrong, semaphores },
	WRONG(queue_order),
	WRONG(io_uring_twice),
	WRONG(half_close),
	WRONG(epoll_oneshot),
	WRONG(timeout_handoff),
	WRONG(hidden_deadlock),
	WRONG(partial_deadlock),
	WRONG(polite_philosophers),
	WRONG(stale_copy),
	WRONG(selfish_worker),
	WRONG(stubborn_philosophers),
	WRONG(starved_stop),
	WRONG(blind_spin),
	{ "sigchld_block", reset_calls, sigchld_block_wrong },
	{ "signal_window", reset_calls, signal_window_wrong },
	{ "commit_late", reset_calls, commit_late },
	{ "reset_late", reset_calls, reset_late },
	{ "orphan", reset_calls, orphan },
	{ "sync_yield", reset_calls, sync_yield_wrong },
	{ 0 },
};
