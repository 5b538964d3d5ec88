// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that one thread gives back while another still uses it, for frees.sh: each wrong
 * program is right in nearly all runs, and its twin, of the same name after "no_", in all.
 *
 *	use	an object is found in a table, and used when it may be gone (CVE-2017-15265)
 *	twice	two threads take the same object out of a variable, and free it
 *	move	a buffer is read while it grows, and moves
 *	shrink	the end of one is read while it is cut off, and the rest stays
 *	list	a node is freed that another thread stands on, going through a list
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES	104		/* malloc_usable_size() is the same */
#define LONG	2008		/* likewise */

struct node {
	struct node *next;
	long value;
	char rest[BYTES - 16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *volatile table;
static struct node head;
static long *volatile buffer;
static volatile long sum;
static int careful;

/* Has the lock always, or only where a right program would. */
static void enter(void)
{
	if (careful)
		pthread_mutex_lock(&lock);
}

static void leave(void)
{
	if (careful)
		pthread_mutex_unlock(&lock);
}

static __attribute__((noinline)) struct node *new_node(struct node *next, long value)
{
	struct node *n = calloc(1, sizeof(*n));				/* new_node */

	if (!n)
		abort();
	n->next = next;
	n->value = value;
	return n;
}

/* Takes it out, so that nobody finds it any more: a task that has found it already has it. */
static __attribute__((noinline)) void remove_object(void)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = table;
	table = NULL;
	if (!careful)
		pthread_mutex_unlock(&lock);
	free(n);							/* remove_object */
	if (careful)
		pthread_mutex_unlock(&lock);
}

static __attribute__((noinline)) void use_object(void)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = table;
	if (!careful)
		pthread_mutex_unlock(&lock);
	if (n)
		sum += n->value;					/* use_object */
	if (careful)
		pthread_mutex_unlock(&lock);
}

static void *remover(void *arg)
{
	remove_object();
	return arg;
}

static __attribute__((noinline)) void drop_object(void)
{
	struct node *n;

	enter();
	n = table;
	if (n) {
		table = NULL;
		free(n);						/* drop_object */
	}
	leave();
}

static void *dropper(void *arg)
{
	drop_object();
	return arg;
}

static __attribute__((noinline)) void resize(size_t bytes)
{
	long *moved;

	enter();
	moved = realloc(buffer, bytes);					/* resize */
	if (!moved)
		abort();
	buffer = moved;
	leave();
}

static void *grower(void *arg)
{
	resize(1 << 16);
	return arg;
}

static void *shrinker(void *arg)
{
	resize(BYTES);
	return arg;
}

static __attribute__((noinline)) void read_at(size_t i)
{
	enter();
	/* In the one that is right the size is known as well. */
	if (!careful || i < BYTES / sizeof(*buffer))
		sum += buffer[i];					/* read_at */
	leave();
}

static __attribute__((noinline)) void unlink_first(void)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	n = head.next;
	head.next = n->next;
	free(n);							/* unlink_first */
	pthread_mutex_unlock(&lock);
}

static void *unlinker(void *arg)
{
	unlink_first();
	return arg;
}

/* The lock is let go for each node: what comes next may be gone. */
static __attribute__((noinline)) void visit(void)
{
	struct node *n;

	pthread_mutex_lock(&lock);
	for (n = head.next; n; n = n->next) {				/* visit */
		sum += n->value;
		if (careful)
			continue;
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
}

static int beside(void *(*other)(void *), void (*own)(void))
{
	pthread_t t;

	if (pthread_create(&t, NULL, other, NULL))
		return 2;
	own();
	pthread_join(t, NULL);
	return 0;
}

static void read_first(void)
{
	read_at(0);
}

static void read_last(void)
{
	read_at(LONG / sizeof(*buffer) - 1);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "use";

	careful = !strncmp(what, "no_", 3);
	what += careful ? 3 : 0;
	table = new_node(NULL, 1);
	head.next = new_node(new_node(NULL, 3), 2);
	buffer = calloc(1, LONG);
	/* So that it cannot grow where it is. */
	if (!buffer || !calloc(1, BYTES))
		abort();
	if (!strcmp(what, "use"))
		return beside(remover, use_object);
	if (!strcmp(what, "twice"))
		return beside(dropper, drop_object);
	if (!strcmp(what, "move"))
		return beside(grower, read_first);
	if (!strcmp(what, "shrink"))
		return beside(shrinker, read_last);
	if (!strcmp(what, "list"))
		return beside(unlinker, visit);
	return 2;
}
