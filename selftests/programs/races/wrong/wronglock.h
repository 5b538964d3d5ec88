/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SCTBench's wronglock_bad: one task adds to a number under the right lock, and checks
 * that nobody else did meanwhile; the others add under another lock.
 *
 * The schedule: the first is preempted after its first load, before its last one, and
 * one of the others adds its own meanwhile. One preemption: without one each task adds
 * by itself, since none blocks inside but for its own lock, which has one user or users
 * that do not check.
 */
#include <assert.h>

#include "tasks.h"

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t wrong_lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *add_and_check(void *arg)
{
	int before;

	pthread_mutex_lock(&data_lock);
	before = data;
	data++;
	assert(data == before + 1);
	pthread_mutex_unlock(&data_lock);
	return arg;
}

static void *add(void *arg)
{
	pthread_mutex_lock(&wrong_lock);
	data++;
	pthread_mutex_unlock(&wrong_lock);
	return arg;
}

int main(void)
{
	run_tasks(add_and_check, 1, add, OTHERS);
	return 0;
}
