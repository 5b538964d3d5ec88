// SPDX-License-Identifier: GPL-2.0-only
/*
 * A condition variable is a word: waiters set it to one and sleep as long as it is one, signals
 * set it to zero. Between a waiter's store and its sleep there may be a signal, and then another
 * waiter: the word is one again. Mended: each waiter stores a number of its own.
 *
 * source: musl, commit "fix ABA race in cond vars, improve them overall" (2011)
 * expect: verdict=deadlock
 */
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int block;
static bool is_asked, is_answered;

static void cond_wait(int self)
{
	int mine = IS_MENDED ? self : 1;

	atomic_store(&block, mine);
	pthread_mutex_unlock(&lock);
	syscall(SYS_futex, &block, FUTEX_WAIT, mine, NULL, NULL, 0);
	pthread_mutex_lock(&lock);
}

static void cond_signal(void)
{
	atomic_store(&block, 0);
	syscall(SYS_futex, &block, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void *answer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	while (!is_asked)
		cond_wait(1);
	is_answered = true;
	cond_signal();
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void ask(void)
{
	pthread_mutex_lock(&lock);
	is_asked = true;
	cond_signal();
	while (!is_answered)
		cond_wait(2);
	pthread_mutex_unlock(&lock);
}

int main(void)
{
	together(ask, answer);
	return 0;
}
