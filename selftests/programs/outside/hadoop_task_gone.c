// SPDX-License-Identifier: GPL-2.0-only
/*
 * A container asks for its task until it gets one. The task is cancelled and taken out of the
 * table after the container was started for it: it asks for ever. Mended: "gone" is an answer.
 *
 * source: Hadoop MAPREDUCE-3274; Liu et al., ASPLOS 2017 (DCatch), figure 1
 * expect: verdict=livelock
 */
#include <stdbool.h>

#include "outside.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool has_task, was_cancelled;

static void set_task(bool is_there)
{
	pthread_mutex_lock(&lock);
	if (!is_there)
		was_cancelled = true;
	has_task = is_there;
	pthread_mutex_unlock(&lock);
}

static bool get_task(void)
{
	bool came;

	pthread_mutex_lock(&lock);
	came = has_task || (IS_MENDED && was_cancelled);
	pthread_mutex_unlock(&lock);
	return came;
}

static void ask(void)
{
	while (!get_task())
		sched_yield();
}

static void *manage(void *arg)
{
	(void)arg;
	set_task(true);
	set_task(false);
	return NULL;
}

int main(void)
{
	together(ask, manage);
	return 0;
}
