// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three tasks come to one line in the order 1, 2, 3 and are woken one by one: wake WHAT ORDER
 * fails where they go on in that order, "312" for example. They come in that order wherever
 * nobody is preempted: each says that it is about to wait, and the next is made then. wake.sh
 * says what is expected.
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TASKS	3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, order_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t sem;
static int data[2], ready[2], word;
static char order[TASKS + 1];

static void by_mutex(void)
{
	pthread_mutex_lock(&lock);
}

static void by_cond(void)
{
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&cond, &lock);
	pthread_mutex_unlock(&lock);
}

static void by_sem(void)
{
	sem_wait(&sem);
}

static void by_pipe(void)
{
	char c;

	assert(read(data[0], &c, 1) == 1);
}

static void by_futex(void)
{
	syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void wake_by_cond(void)
{
	pthread_cond_signal(&cond);
}

static void wake_by_sem(void)
{
	sem_post(&sem);
}

static void wake_by_pipe(void)
{
	assert(write(data[1], "", 1) == 1);
}

static void wake_by_futex(void)
{
	syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static const struct way {
	const char *name;
	void (*wait)(void);
	void (*wake)(void);
} ways[] = {
	{ "mutex", by_mutex, NULL },
	{ "cond", by_cond, wake_by_cond },
	{ "sem", by_sem, wake_by_sem },
	{ "pipe", by_pipe, wake_by_pipe },
	{ "futex", by_futex, wake_by_futex },
};

static const struct way *way;

static void *work(void *arg)
{
	size_t n;

	assert(write(ready[1], "", 1) == 1);
	way->wait();
	pthread_mutex_lock(&order_lock);
	n = strlen(order);
	order[n] = '1' + (long)arg;
	pthread_mutex_unlock(&order_lock);
	/* Whoever has the mutex wakes the next one. */
	if (!way->wake)
		pthread_mutex_unlock(&lock);
	else
		assert(write(ready[1], "", 1) == 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t task[TASKS];
	size_t i;
	char c;

	for (i = 0; argc == 3 && i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			way = &ways[i];
	if (!way || pipe(data) || pipe(ready))
		return 2;
	sem_init(&sem, 0, 0);
	if (!way->wake)
		pthread_mutex_lock(&lock);
	for (i = 0; i < TASKS; i++) {
		pthread_create(&task[i], NULL, work, (void *)i);
		assert(read(ready[0], &c, 1) == 1);
	}
	if (!way->wake)
		pthread_mutex_unlock(&lock);
	/* Each is waited for, so that the order is that of being woken. */
	for (i = 0; way->wake && i < TASKS; i++) {
		way->wake();
		assert(read(ready[0], &c, 1) == 1);
	}
	for (i = 0; i < TASKS; i++)
		pthread_join(task[i], NULL);
	if (!strcmp(order, argv[2]))
		abort();
	return 0;
}
