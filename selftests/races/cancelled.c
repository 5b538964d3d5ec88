// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread is cancelled while it writes with a lock in its hands, and gives it back. The first
 * pthread_cancel() of a process loads a library, whose system calls are points: only after the last
 * one is the thread cancelled.
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fd[2];

static void unlock(void *m)
{
	pthread_mutex_unlock(m);
}

static void write_line(const char *text)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(unlock, &lock);
	assert(write(fd[1], text, 1) == 1);
	pthread_cleanup_pop(1);
}

static void *work(void *unused)
{
	write_line("a");
	return unused;
}

int main(void)
{
	pthread_t thread;

	assert(!pipe(fd));
	assert(!pthread_create(&thread, NULL, work, NULL));
	assert(!pthread_cancel(thread));
	assert(!pthread_join(thread, NULL));
	write_line("b");
	return 0;
}
