// SPDX-License-Identifier: GPL-2.0-only
/*
 * Many accesses by the first task before it has company, and then a counter that two tasks, or a
 * task and a signal handler, add one to. Each way of company must have traps armed again.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Each is a load and a store: more than are recorded of a task that is alone. */
#define TURNS	60000

static volatile int many[64];
static volatile int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locks;

/* The instructions that race are among those that rest, also where they are points. */
static __attribute__((noinline)) void bump(volatile int *word)
{
	++*word;
}

static void work(void)
{
	int i;

	for (i = 0; i < TURNS; i++)
		bump(&many[i % 64]);
}

static void *add(void *unused)
{
	if (locks)
		pthread_mutex_lock(&lock);
	bump(&counter);
	if (locks)
		pthread_mutex_unlock(&lock);
	return unused;
}

static void two_threads(void)
{
	pthread_t t;

	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	assert(counter == 2);
}

static void two_processes(void)
{
	volatile int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = fork();

	bump(shared);
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	assert(*shared == 2);
}

static int count(void *shared)
{
	bump(shared);
	return 0;
}

/* The new task executes the same text: none of the two comes to a trap before it is armed. */
static void one_memory(void)
{
	static char stack[65536];
	static volatile int shared;
	pid_t child = clone(count, stack + sizeof(stack), CLONE_VM | SIGCHLD, (void *)&shared);

	bump(&shared);
	waitpid(child, NULL, 0);
	assert(shared == 2);
}

static volatile sig_atomic_t handled;

static void handle(int sig)
{
	(void)sig;
	bump(&counter);
	handled = 1;
}

static void block(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigprocmask(how, &set, NULL);
}

static void by_timer(void)
{
	const struct itimerval soon = { .it_value.tv_usec = 1000 };
	sigset_t none;

	sigemptyset(&none);
	setitimer(ITIMER_REAL, &soon, NULL);
	bump(&counter);
	block(SIG_BLOCK);
	while (!handled)
		sigsuspend(&none);
	assert(counter == 2);
}

/* Sent while it is blocked, and taken when it is not: the handler has come before the end. */
static void by_itself(void)
{
	block(SIG_BLOCK);
	raise(SIGALRM);
	bump(&counter);
	block(SIG_UNBLOCK);
	assert(counter == 2);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	signal(SIGALRM, handle);
	work();
	if (!strcmp(what, "execve")) {
		execl("/proc/self/exe", argv[0], "threads", NULL);
		return 1;
	}
	if (!strcmp(what, "threads"))
		two_threads();
	else if (!strcmp(what, "locked"))
		locks = 1, two_threads();
	else if (!strcmp(what, "processes"))
		two_processes();
	else if (!strcmp(what, "memory"))
		one_memory();
	else if (!strcmp(what, "timer"))
		by_timer();
	else if (!strcmp(what, "itself"))
		by_itself();
	else
		return 2;
	return 0;
}
