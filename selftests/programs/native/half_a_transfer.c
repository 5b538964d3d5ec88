// SPDX-License-Identifier: GPL-2.0-only
/*
 * A worker process moves an amount from one account to another, both in shared memory, under a
 * robust mutex. Its parent kills it when there is nothing more to do, which may be in the
 * middle of a transfer. The lock says so, and the parent declares what it protects consistent
 * without a look at it.
 *
 * expect: verdict=exit
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define AMOUNT	100

static struct bank {
	pthread_mutex_t lock;
	sem_t ready;
	int from, to;
} *bank;

static void lock_bank(void)
{
	if (pthread_mutex_lock(&bank->lock) != EOWNERDEAD)
		return;
	if (IS_MENDED)
		bank->to = AMOUNT - bank->from;
	assert(!pthread_mutex_consistent(&bank->lock));
}

static void work(void)
{
	sem_post(&bank->ready);
	lock_bank();
	bank->from -= 10;
	WINDOW();
	bank->to += 10;
	pthread_mutex_unlock(&bank->lock);
	for (;;)
		pause();
}

int main(void)
{
	pthread_mutexattr_t attr;
	pid_t worker;
	int sum;

	bank = mmap(NULL, sizeof(*bank), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(bank != MAP_FAILED);
	bank->from = AMOUNT;
	assert(!sem_init(&bank->ready, 1, 0));
	assert(!pthread_mutexattr_init(&attr));
	assert(!pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED));
	assert(!pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
	assert(!pthread_mutex_init(&bank->lock, &attr));
	worker = fork();
	assert(worker >= 0);
	if (!worker)
		work();
	sem_wait(&bank->ready);
	INTO_WINDOW();
	assert(!kill(worker, SIGKILL) && waitpid(worker, NULL, 0) == worker);
	lock_bank();
	sum = bank->from + bank->to;
	pthread_mutex_unlock(&bank->lock);
	return sum != AMOUNT;
}
