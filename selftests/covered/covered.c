// SPDX-License-Identifier: GPL-2.0-only
/*
 * A correct program for covered.sh: two threads count under a lock. By its argument it does
 * something besides that a search leaves out, or does in one way of several.
 *
 *	count	nothing
 *	many	one thread makes thousands of accesses
 *	limit	the process limits its own time
 *	child	it waits for a child, for at most five seconds
 *	late	it opens a library
 *	compute	one thread computes for longer than a short quantum
 *	stacks	two threads have one stack for their signal handlers
 */
#include <assert.h>
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MANY	3000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long count, table[MANY];
static char stack[1 << 16];

static void fill_table(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		table[i] = i;
}

static void compute(void)
{
	volatile long i;

	for (i = 0; i < 30000000; i++)
		;
}

static void limit_time(void)
{
	alarm(5);
}

static void wait_for_child(void)
{
	struct pollfd end = { .events = POLLIN };
	pid_t child = fork();

	assert(child >= 0);
	if (!child)
		_exit(0);
	end.fd = syscall(SYS_pidfd_open, child, 0);
	assert(poll(&end, 1, 5000) == 1);
	assert(waitpid(child, NULL, 0) == child);
	close(end.fd);
}

static void open_library(void)
{
	void *library = dlopen("libm.so.6", RTLD_NOW);

	assert(library);
	dlclose(library);
}

static void ignore(int sig)
{
	(void)sig;
}

static void take_stack(void)
{
	const stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	const struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_ONSTACK };

	assert(!sigaltstack(&alternative, NULL));
	assert(!sigaction(SIGUSR1, &action, NULL));
	assert(!pthread_kill(pthread_self(), SIGUSR1));
}

static const struct way {
	const char *name;
	void (*before)(void);	/* by main alone */
	void (*both)(void);	/* by each of two threads */
	void (*one)(void);	/* by one of them */
} ways[] = {
	{ "count", NULL, NULL, NULL },
	{ "many", NULL, NULL, fill_table },
	{ "compute", NULL, NULL, compute },
	{ "limit", limit_time, NULL, NULL },
	{ "child", wait_for_child, NULL, NULL },
	{ "late", NULL, NULL, open_library },
	{ "stacks", NULL, take_stack, NULL },
};

static const struct way *way;

static void add(void)
{
	if (way->both)
		way->both();
	pthread_mutex_lock(&lock);
	count++;
	pthread_mutex_unlock(&lock);
}

static void *add_as_thread(void *unused)
{
	add();
	if (way->one)
		way->one();
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t thread;

	for (way = ways; argc == 2 && way < ways + sizeof(ways) / sizeof(*ways); way++)
		if (!strcmp(way->name, argv[1]))
			break;
	if (argc != 2 || way == ways + sizeof(ways) / sizeof(*ways))
		return 2;
	if (way->before)
		way->before();
	assert(!pthread_create(&thread, NULL, add_as_thread, NULL));
	add();
	assert(!pthread_join(thread, NULL));
	assert(count == 2);
	return 0;
}
