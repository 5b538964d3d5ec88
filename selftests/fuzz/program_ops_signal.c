// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of fuzzed programs about signals: handlers, masks, order, stacks, faults. Those
 * that change what the process does with a signal are done by children. See program.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "program.h"

static volatile int taken[8], n_taken, values;
static struct ctx *ctx;

static void take(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (n_taken < 8)
		taken[n_taken++] = sig;
	values += info->si_value.sival_int;
}

static void handle(int sig, int flags)
{
	struct sigaction sa = { .sa_sigaction = take, .sa_flags = SA_SIGINFO | flags };

	sigaction(sig, &sa, NULL);
}

static void note_taken(struct ctx *c)
{
	int i;

	for (i = 0; i < n_taken; i++)
		note(c, taken[i]);
}

static int raised(struct ctx *c)
{
	handle(SIGUSR1, 0);
	note(c, raise(SIGUSR1));
	note(c, kill(getpid(), SIGUSR1));
	note(c, syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1));
	note_taken(c);
	return n_taken;
}

/* What waits is taken in the order of numbers. */
static int ordered(struct ctx *c)
{
	union sigval v = { .sival_int = 1 };
	sigset_t all, old;
	unsigned int i;

	for (i = 8; i < 12; i++)
		handle(SIGRTMIN + i, 0);
	handle(SIGUSR2, 0);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < 5; i++)
		note(c, sigqueue(getpid(), SIGRTMIN + 8 + below(c, 4), v));
	raise(SIGUSR2);
	raise(SIGUSR2);
	note(c, sigpending(&all));
	note(c, sigismember(&all, SIGUSR2));
	sigprocmask(SIG_SETMASK, &old, NULL);
	note_taken(c);
	return values;
}

static int suspended(struct ctx *c)
{
	sigset_t block, none;
	int status;
	pid_t pid;

	handle(SIGUSR1, 0);
	sigemptyset(&none);
	sigemptyset(&block);
	sigaddset(&block, SIGUSR1);
	sigprocmask(SIG_BLOCK, &block, NULL);
	pid = fork();
	if (!pid)
		_exit(kill(getppid(), SIGUSR1) ? 1 : 2);
	while (!n_taken)
		sigsuspend(&none);
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, status_number(status));
	return n_taken;
}

static char other_stack[65536];
static volatile bool on_stack;

static void look_at_stack(int sig)
{
	char here;

	(void)sig;
	on_stack = &here >= other_stack && &here < other_stack + sizeof(other_stack);
}

static int alternate(struct ctx *c)
{
	stack_t s = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) }, old;
	struct sigaction sa = { .sa_handler = look_at_stack, .sa_flags = SA_ONSTACK };

	note(c, sigaltstack(&s, NULL));
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	note(c, sigaltstack(NULL, &old));
	note(c, old.ss_flags);
	return on_stack;
}

static void nest(int sig)
{
	note(ctx, sig == SIGUSR1 ? 1 : 2);
	if (sig == SIGUSR1)
		raise(SIGUSR2);
	note(ctx, sig == SIGUSR1 ? 3 : 4);
}

static int nested(struct ctx *c)
{
	struct sigaction sa = { .sa_handler = nest };

	ctx = c;
	if (below(c, 2))
		sigaddset(&sa.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &sa, NULL);
	signal(SIGUSR2, nest);
	return raise(SIGUSR1);
}

static int handler_once(struct ctx *c)
{
	handle(SIGUSR1, SA_RESETHAND);
	note(c, raise(SIGUSR1));
	note(c, n_taken);
	raise(SIGUSR1);
	return 1;
}

static int queued(struct ctx *c)
{
	union sigval v = { .sival_int = 7 };
	siginfo_t info = { 0 };
	sigset_t set;
	int i, sum = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 12);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (i = 0; i < 3; i++) {
		v.sival_int = i + 1;
		note(c, sigqueue(getpid(), SIGRTMIN + 12, v));
	}
	for (i = 0; i < 3; i++) {
		note(c, TEMP_FAILURE_RETRY(sigwaitinfo(&set, &info)) == SIGRTMIN + 12);
		sum = sum * 10 + info.si_value.sival_int;
	}
	return sum == 123 ? 0 : 1;
}

static sigjmp_buf out;

static void jump(int sig)
{
	siglongjmp(out, sig);
}

static int jumps(struct ctx *c)
{
	unsigned int i;
	int sig;

	signal(SIGUSR1, jump);
	for (i = 0; i < 3; i++) {
		sig = sigsetjmp(out, 1);
		if (!sig)
			raise(SIGUSR1);
		note(c, sig);
	}
	return 0;
}

static void skip_ud2(int sig, siginfo_t *info, void *context)
{
	greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;

	note(ctx, sig);
	note(ctx, (greg_t)info->si_addr == reg[REG_RIP]);
	reg[REG_RIP] += 2;
}

static void after_int3(int sig, siginfo_t *info, void *context)
{
	(void)context;
	note(ctx, sig);
	note(ctx, info->si_code == SI_KERNEL);
}

static int own_traps(struct ctx *c)
{
	struct sigaction ill = { .sa_sigaction = skip_ud2, .sa_flags = SA_SIGINFO };
	struct sigaction trap = { .sa_sigaction = after_int3, .sa_flags = SA_SIGINFO };

	ctx = c;
	sigaction(SIGILL, &ill, NULL);
	sigaction(SIGTRAP, &trap, NULL);
	__asm__ volatile("ud2");
	__asm__ volatile("int3");
	if (below(c, 2))
		__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq\n\tnop\n\tpushfq\n\t"
				 "andq $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
	return 0;
}

static int divides(struct ctx *c)
{
	volatile int zero = 0, one = 1;
	int sig;

	signal(SIGFPE, jump);
	sig = sigsetjmp(out, 1);
	if (!sig)
		note(c, one / zero);
	return sig;
}

static int children_tell(struct ctx *c)
{
	int i, status, n = 1 + below(c, 3), sum = 0;

	handle(SIGCHLD, SA_RESTART);
	for (i = 0; i < n; i++)
		if (!fork())
			_exit(i + 1);
	for (i = 0; i < n; i++) {
		TEMP_FAILURE_RETRY(wait(&status));
		sum += status_number(status);
	}
	note(c, sum);
	return n_taken > 0;
}

static int children_ignored(struct ctx *c)
{
	int status;

	signal(SIGCHLD, SIG_IGN);
	if (!fork())
		_exit(1);
	note(c, TEMP_FAILURE_RETRY(wait(&status)));
	return errno == ECHILD ? 0 : 1;
}

static void *read_one(void *arg)
{
	char byte = 0;

	return TEMP_FAILURE_RETRY(read(*(int *)arg, &byte, 1)) == 1 ? (void *)(intptr_t)byte : NULL;
}

static int told[2];

static void tell(int sig)
{
	(void)sig;
	if (write(told[1], "t", 1) != 1)
		_exit(111);
}

/* Either thread takes each of them. */
static int to_process(struct ctx *c)
{
	struct sigaction sa = { .sa_handler = tell, .sa_flags = SA_RESTART };
	union sigval v = { .sival_int = 0 };
	pthread_t t;
	int fd[2], i;
	void *ret;
	char byte;

	note(c, pipe(fd) || pipe(told));
	sigaction(SIGRTMIN + 13, &sa, NULL);
	note(c, pthread_create(&t, NULL, read_one, fd));
	for (i = 0; i < 3; i++)
		note(c, sigqueue(getpid(), SIGRTMIN + 13, v));
	for (i = 0; i < 3; i++)
		note(c, TEMP_FAILURE_RETRY(read(told[0], &byte, 1)));
	note(c, TEMP_FAILURE_RETRY(write(fd[1], "z", 1)));
	pthread_join(t, &ret);
	return (intptr_t)ret;
}

static int permissions(struct ctx *c)
{
	note(c, result_of(kill(getpid(), 65)));
	note(c, result_of(kill(0x7fffffff, 0)));
	note(c, result_of(syscall(SYS_tgkill, getpid(), 0x7fffffff, 0)));
	note(c, result_of(syscall(SYS_rt_sigprocmask, 7, NULL, NULL, 8)));
	return kill(getpid(), 0);
}

static const struct op table[] = {
	{ "raised",		CHILD,	NOTHING, 3, raised },
	{ "ordered",		CHILD,	NOTHING, 3, ordered },
	{ "suspended",		CHILD,	NOTHING, 3, suspended },
	{ "alternate",		CHILD,	NOTHING, 2, alternate },
	{ "nested",		CHILD,	NOTHING, 2, nested },
	{ "handler_once",	CHILD,	NOTHING, 2, handler_once },
	{ "queued",		CHILD,	NOTHING, 2, queued },
	{ "jumps",		CHILD,	NOTHING, 2, jumps },
	{ "own_traps",		CHILD,	NOTHING, 2, own_traps },
	{ "divides",		CHILD,	NOTHING, 2, divides },
	{ "children_tell",	CHILD,	NOTHING, 3, children_tell },
	{ "children_ignored",	CHILD,	NOTHING, 2, children_ignored },
	{ "to_process",		CHILD,	NOTHING, 3, to_process },
	{ "permissions",	SOLO,	NOTHING, 1, permissions },
};

const struct ops signal_ops = { table, sizeof(table) / sizeof(*table) };
