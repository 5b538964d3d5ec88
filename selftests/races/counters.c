// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads and their counters, for cli.sh; the argument says what they do.
 *
 *	lost	add one to a plain variable, and want both: a bug
 *	quiet	the same, and nobody looks at the result: a race and no bug
 *	marked	the same, in the section of variables whose races are benign
 *	locked	add one under a mutex
 *	late	T1 reads y and sets a flag; T2 stores y unless it is set, which it is by
 *		default: the race on y shows in a run where T2 is first
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "../../include/chess_benign.h"

static volatile int counter, flag, y, locked;
static volatile int tally CHESS_BENIGN;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg)
{
	(void)arg;
	counter++;
	return NULL;
}

static void *add_marked(void *arg)
{
	(void)arg;
	tally++;
	return NULL;
}

static void *add_locked(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&mutex);
	locked++;
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *look_then_set(void *arg)
{
	(void)arg;
	if (y)
		return NULL;
	flag = 1;
	return NULL;
}

static void *store_unless_set(void *arg)
{
	(void)arg;
	if (!flag)
		y = 1;
	return NULL;
}

static void run(void *(*one)(void *), void *(*two)(void *))
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "marked"))
		run(add_marked, add_marked);
	else if (!strcmp(what, "locked"))
		run(add_locked, add_locked);
	else if (!strcmp(what, "late"))
		run(look_then_set, store_unless_set);
	else
		run(add, add);
	if (!strcmp(what, "lost"))
		assert(counter == 2);
	return 0;
}
