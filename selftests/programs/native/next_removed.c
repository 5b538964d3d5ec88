// SPDX-License-Identifier: GPL-2.0-only
/*
 * A list is gone through by a loop that remembers the next node, so that the visit may remove
 * the one it is at. The visit is without the lock, and somebody else removes the next.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "window.h"

struct node {
	struct node *next;
	int key, visits;
	char payload[2000];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *list;

static struct node *push(int key)
{
	struct node *n = calloc(1, sizeof(*n));

	assert(n);
	n->key = key;
	n->next = list;
	list = n;
	return n;
}

static void *drop(void *arg)
{
	struct node **at, *n;

	(void)arg;
	INTO_WINDOW();
	pthread_mutex_lock(&lock);
	for (at = &list; (n = *at); at = &n->next)
		if (n->key == 1)
			break;
	assert(n);
	*at = n->next;
	pthread_mutex_unlock(&lock);
	free(n);
	return NULL;
}

static void visit(struct node *n)
{
	if (!IS_MENDED)
		pthread_mutex_unlock(&lock);
	WINDOW();
	n->visits++;
	if (!IS_MENDED)
		pthread_mutex_lock(&lock);
}

int main(void)
{
	struct node *n, *next;
	pthread_t thread;

	push(1);
	push(2);
	assert(!pthread_create(&thread, NULL, drop, NULL));
	pthread_mutex_lock(&lock);
	for (n = list; n; n = next) {
		next = n->next;
		/* The second is the one that is removed. */
		if (n->key == 2)
			visit(n);
		else
			assert(n->key == 1 && !n->visits);
	}
	pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	free(list);
	return 0;
}
