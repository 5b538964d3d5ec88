// SPDX-License-Identifier: GPL-2.0-only
/*
 * A report has the memory that children used, in one unit where it is little, and in another
 * one where it is much. It asks twice, and another thread waits for a large child in between.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "window.h"

#define LARGE	(8 << 20)
#define PAGE	4096
#define MUCH	6000	/* KB */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pid_t child;

static void use_memory(void)
{
	char *memory = malloc(LARGE);
	size_t i;

	for (i = 0; memory && i < LARGE; i += PAGE)
		((volatile char *)memory)[i] = 1;
}

static void *wait_for_child(void *unused)
{
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(waitpid(child, NULL, 0) == child);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

static int is_much(void)
{
	struct rusage usage;

	assert(!getrusage(RUSAGE_CHILDREN, &usage));
	return usage.ru_maxrss > MUCH;
}

int main(void)
{
	pthread_t thread;
	int first, second;

	child = fork();
	if (!child) {
		use_memory();
		_exit(0);
	}
	assert(!pthread_create(&thread, NULL, wait_for_child, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	first = is_much();
	WINDOW();
	second = is_much();
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(first == second);
	assert(!pthread_join(thread, NULL));
	return 0;
}
