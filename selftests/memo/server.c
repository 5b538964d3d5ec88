// SPDX-License-Identifier: GPL-2.0-only
/*
 * A server in small: a worker starts, does what it was asked and ends, as the main thread does.
 * "server serve", "server reload" and "server drop" share how they start and stop, which has most
 * of the program's iRoots; each has something of its own, and only that of drop has a bug: the
 * entry may be gone between the look at it and its use. "server log" writes to a pipe besides.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t config = PTHREAD_MUTEX_INITIALIZER, list = PTHREAD_MUTEX_INITIALIZER;
static int settings, clients, served, reloads, value = 7;
static int *volatile entry = &value;
static const char *request;
static int pipes[2];

static void add(pthread_mutex_t *lock, int *to)
{
	pthread_mutex_lock(lock);
	++*to;
	pthread_mutex_unlock(lock);
}

static void start(void)
{
	add(&config, &settings);
	add(&list, &clients);
}

static void stop(void)
{
	add(&list, &clients);
	add(&config, &settings);
}

static void use(void)
{
	if (entry)
		assert(entry);
}

static void say(void)
{
	if (write(pipes[1], "x", 1) != 1)
		abort();
}

static void *work(void *arg)
{
	if (!strcmp(request, "log")) {
		say();
		return arg;
	}
	start();
	if (!strcmp(request, "serve"))
		add(&list, &served);
	else if (!strcmp(request, "reload"))
		add(&config, &reloads);
	else if (!strcmp(request, "drop"))
		use();
	stop();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t worker;

	request = argc > 1 ? argv[1] : "serve";
	if (pipe(pipes) || pthread_create(&worker, NULL, work, NULL))
		return 2;
	if (!strcmp(request, "log")) {
		say();
		return pthread_join(worker, NULL) ? 2 : 0;
	}
	start();
	if (!strcmp(request, "serve"))
		add(&list, &served);
	else if (!strcmp(request, "reload"))
		add(&config, &reloads);
	else if (!strcmp(request, "drop"))
		entry = NULL;
	stop();
	return pthread_join(worker, NULL) ? 2 : 0;
}
