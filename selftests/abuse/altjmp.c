// SPDX-License-Identifier: GPL-2.0-only
/*
 * Jumps out of handlers with siglongjmp: of SIGSEGV on an alternate stack, and of a signal
 * that another thread sends. Hard: frames of trapped functions and calls that are never left.
 */
#include <setjmp.h>

#include "abuse.h"

static sigjmp_buf jump;
static char stack[65536];

static void on_segv(int sig)
{
	(void)sig;
	siglongjmp(jump, 2);
}

static void on_user(int sig)
{
	(void)sig;
	siglongjmp(jump, 1);
}

static void *send(void *unused)
{
	int i;

	(void)unused;
	for (i = 0; i < 5; i++) {
		sched_yield();
		kill(getpid(), SIGUSR1);
	}
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_segv, .sa_flags = SA_ONSTACK };
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	volatile int faults = 0, i;
	static pthread_t thread;
	sigset_t set;

	sigaltstack(&alternate, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (i = 0; i < 5; i++) {
		int from = sigsetjmp(jump, 1);

		if (!from)
			*(volatile int *)8 = 1;
		faults += from == 2;
	}
	action.sa_handler = on_user;
	sigaction(SIGUSR1, &action, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (!sigsetjmp(jump, 0))
		pthread_create(&thread, NULL, send, NULL);
	/* It is blocked here as well: those signals stay pending to the end. */
	sigprocmask(SIG_SETMASK, &set, NULL);
	pthread_join(thread, NULL);
	say("faults %d\n", faults);
	return 0;
}
