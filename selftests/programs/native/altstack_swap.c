// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread gets another stack for its signal handlers. The old one is unmapped before
 * the kernel knows the new one: a signal that comes in between has no stack.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "window.h"

#define SIZE	65536

static pthread_t runner;
static volatile sig_atomic_t kicks;

static void on_kick(int sig)
{
	(void)sig;
	kicks++;
}

static void *kick(void *arg)
{
	(void)arg;
	WINDOW();
	pthread_kill(runner, SIGUSR1);
	return NULL;
}

static void *new_stack(void)
{
	void *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert(stack != MAP_FAILED);
	return stack;
}

static void use(void *stack)
{
	stack_t alternative = { .ss_sp = stack, .ss_size = SIZE };

	assert(!sigaltstack(&alternative, NULL));
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_kick, .sa_flags = SA_ONSTACK };
	void *old = new_stack(), *next = new_stack();
	pthread_t thread;

	runner = pthread_self();
	use(old);
	sigaction(SIGUSR1, &action, NULL);
	assert(!pthread_create(&thread, NULL, kick, NULL));
	if (!IS_MENDED)
		munmap(old, SIZE);
	WINDOW();
	WINDOW();
	use(next);
	if (IS_MENDED)
		munmap(old, SIZE);
	assert(!pthread_join(thread, NULL));
	assert(kicks == 1);
	return 0;
}
