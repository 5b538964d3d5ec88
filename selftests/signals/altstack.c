// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads have alternative stacks for their handlers: the same one with "shared", and each its
 * own with "own". On the same one they may overwrite what the other one keeps there.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

#define SIZE	65536

static char stacks[2][SIZE];
static struct {
	char *stack;
	int sig;
} of[2] = { { stacks[0], SIGUSR1 }, { stacks[1], SIGUSR2 } };

static void handle(int sig)
{
	volatile char mine[64];
	unsigned int i;

	for (i = 0; i < sizeof(mine); i++)
		mine[i] = sig;
	for (i = 0; i < sizeof(mine); i++)
		assert(mine[i] == sig);
}

static void *work(void *number)
{
	long i = (long)number;
	const stack_t s = { .ss_sp = of[i].stack, .ss_size = SIZE };

	assert(!sigaltstack(&s, NULL));
	assert(!pthread_kill(pthread_self(), of[i].sig));
	return NULL;
}

int main(int argc, char **argv)
{
	const struct sigaction a = { .sa_handler = handle, .sa_flags = SA_ONSTACK };
	pthread_t t[2];

	if (argc > 1 && !strcmp(argv[1], "shared"))
		of[1].stack = stacks[0];
	assert(!sigaction(SIGUSR1, &a, NULL) && !sigaction(SIGUSR2, &a, NULL));
	pthread_create(&t[0], NULL, work, (void *)0);
	pthread_create(&t[1], NULL, work, (void *)1);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
