// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: items are written, put into a queue under its lock, taken out by the other
 * task and written there: the task that has an item owns it, and the lock is around the queue only.
 */
#include <pthread.h>

#define ITEMS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct item {
	struct item *next;
	int value;
} items[ITEMS], *queue;

static void put(struct item *item)
{
	pthread_mutex_lock(&lock);
	item->next = queue;
	queue = item;
	pthread_cond_signal(&filled);
	pthread_mutex_unlock(&lock);
}

static struct item *take(void)
{
	struct item *item;

	pthread_mutex_lock(&lock);
	while (!queue)
		pthread_cond_wait(&filled, &lock);
	item = queue;
	queue = item->next;
	pthread_mutex_unlock(&lock);
	return item;
}

static void *consume(void *arg)
{
	for (int i = 0; i < ITEMS; i++)
		take()->value++;
	return arg;
}

int main(void)
{
	pthread_t t;
	int sum = 0;

	pthread_create(&t, NULL, consume, NULL);
	for (int i = 0; i < ITEMS; i++) {
		items[i].value = i;
		put(&items[i]);
	}
	pthread_join(t, NULL);
	for (int i = 0; i < ITEMS; i++)
		sum += items[i].value;
	return sum != 6;
}
