// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: handlers that run where the program has them run: raise(), kill() of oneself, a
 * fault; one of them jumps out. On a stack of their own and without.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int count;
static sigjmp_buf back;
static int *volatile nowhere;

static void on_signal(int sig)
{
	(void)sig;
	count++;
}

static void on_fault(int sig)
{
	(void)sig;
	count++;
	siglongjmp(back, 1);
}

static void fault(void)
{
	count++;
	if (!sigsetjmp(back, 1))
		*nowhere = 1;
	count++;
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };

	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &action, NULL);
	action.sa_handler = on_fault;
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 2; i++) {
		count++;
		raise(SIGUSR1);
		count++;
		kill(getpid(), SIGUSR2);
		count++;
		fault();
		action.sa_flags = 0;
		sigaction(SIGSEGV, &action, NULL);
	}
	return count != 2 * 8;
}
