// SPDX-License-Identifier: GPL-2.0-only
/*
 * GLib's mutexes and condition variables, which make no system call while nobody waits. What
 * they are declared like is written here, so that the library is all that is needed.
 *
 * Usage: glib counter|order|wait; with -DRIGHT none of them is wrong.
 *	counter		reads and writes a counter under two locks one after another
 *	order		two mutexes in different order
 *	wait		looks whether it has to wait before it takes the mutex
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef RIGHT
#define IS_RIGHT	true
#else
#define IS_RIGHT	false
#endif

union mutex {
	void *p;
	unsigned int i[2];
};

struct cond {
	void *p;
	unsigned int i[2];
};

void g_mutex_lock(union mutex *m);
int g_mutex_trylock(union mutex *m);
void g_mutex_unlock(union mutex *m);
void g_mutex_clear(union mutex *m);
void g_cond_wait(struct cond *c, union mutex *m);
void g_cond_signal(struct cond *c);

static union mutex a, b;
static struct cond changed;
static volatile int counter, is_set;

static void *count(void *arg)
{
	int seen;

	g_mutex_lock(&a);
	seen = counter;
	g_mutex_unlock(&a);
	g_mutex_lock(&a);
	if (IS_RIGHT)
		seen = counter;
	counter = seen + 1;
	g_mutex_unlock(&a);
	return arg;
}

static void *take_both(void *arg)
{
	union mutex *first = &a, *second = &b;

	if (arg && !IS_RIGHT) {
		first = &b;
		second = &a;
	}
	g_mutex_lock(first);
	g_mutex_lock(second);
	counter++;
	g_mutex_unlock(second);
	g_mutex_unlock(first);
	return arg;
}

static void wait_for_it(void)
{
	if (!IS_RIGHT && is_set)
		return;
	g_mutex_lock(&a);
	while (IS_RIGHT && !is_set)
		g_cond_wait(&changed, &a);
	if (!IS_RIGHT)
		g_cond_wait(&changed, &a);
	g_mutex_unlock(&a);
}

static void *wait_or_set(void *arg)
{
	if (!arg) {
		wait_for_it();
	} else {
		g_mutex_lock(&a);
		is_set = 1;
		g_cond_signal(&changed);
		g_mutex_unlock(&a);
	}
	__atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED);
	return arg;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "counter";
	void *(*fn)(void *) = !strcmp(what, "order") ? take_both :
			      !strcmp(what, "wait") ? wait_or_set : count;
	pthread_t threads[2];
	uintptr_t i;

	for (i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, fn, (void *)i);
	for (i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert(counter == 2);
	assert(g_mutex_trylock(&b));
	g_mutex_unlock(&b);
	g_mutex_clear(&b);
	return 0;
}
