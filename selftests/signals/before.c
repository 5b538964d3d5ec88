// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal comes before an op that was decided on, and its handler kills who has what the op
 * asks for: a child holds a robust mutex, and whether the main thread finds it held or its owner
 * dead depends on how far the child's end is by then. Its next call says which it was. The
 * program aborts where the handler ran between the last call before the op and the op. before.sh
 * says what is expected.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile sig_atomic_t handled;
static pthread_mutex_t *shared;
static pthread_t main_thread;
static pid_t child;

static void handler(int sig)
{
	(void)sig;
	kill(child, SIGKILL);
	handled = 1;
}

static void *work(void *arg)
{
	(void)arg;
	assert(!pthread_kill(main_thread, SIGUSR1));
	return NULL;
}

static void hold(int told)
{
	assert(!pthread_mutex_lock(shared));
	assert(write(told, "", 1) == 1);
	for (;;)
		pause();
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	pthread_mutexattr_t attr;
	bool before;
	pthread_t task;
	int told[2], ret;
	char c;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	assert(shared != MAP_FAILED && !pipe(told));
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	assert(!pthread_mutex_init(shared, &attr));
	child = fork();
	assert(child >= 0);
	if (!child)
		hold(told[1]);
	assert(read(told[0], &c, 1) == 1);
	assert(!sigaction(SIGUSR1, &action, NULL));
	main_thread = pthread_self();
	assert(!pthread_create(&task, NULL, work, NULL));
	getppid();
	before = handled;
	ret = pthread_mutex_trylock(shared);
	if (ret == EOWNERDEAD)
		close(-1);
	else
		assert(ret == EBUSY);
	if (!before && handled)
		abort();
	pthread_join(task, NULL);
	return 0;
}
