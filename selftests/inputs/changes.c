// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program that waits in many ways, for changes.sh to change its surroundings meanwhile:
 * mutex and condition, in line, pipe, epoll, poll, sleeps, a child. It says what came of it.
 *
 *   changes [ROUNDS]	(default 6)
 *   changes where	says what processor it is on, of which, and asks for the second
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASKS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn, bytes[2], many[2], odd, rounds = 6;

static void spin(void)
{
	volatile int i;

	/* Long enough to be found in user mode now and then. */
	for (i = 0; i < 20000; i++)
		;
}

static void *work(void *arg)
{
	int id = (int)(long)arg, i;
	char c = (char)('a' + id);

	for (i = 0; i < rounds; i++) {
		pthread_mutex_lock(&mutex);
		while (turn % TASKS != id)
			pthread_cond_wait(&turned, &mutex);
		turn++;
		pthread_cond_broadcast(&turned);
		pthread_mutex_unlock(&mutex);
		spin();
		odd += write(bytes[1], &c, 1) != 1;
		if (i == 2)
			usleep(100 * (unsigned int)id);
	}
	return NULL;
}

static void *watch(void *arg)
{
	struct epoll_event event = { .events = EPOLLIN };
	int set = epoll_create1(0), i;
	char c;

	(void)arg;
	odd += epoll_ctl(set, EPOLL_CTL_ADD, many[0], &event);
	for (i = 0; i < rounds; i++) {
		odd += epoll_wait(set, &event, 1, -1) != 1;
		odd += read(many[0], &c, 1) != 1;
	}
	close(set);
	return NULL;
}

/*
 * The last thread to be made waits first, and all are woken at once: the order in which they
 * wait has to survive that they are frozen meanwhile.
 */
static pthread_cond_t queued = PTHREAD_COND_INITIALIZER;
static int waiting, opened;

static void *queue(void *arg)
{
	int id = (int)(long)arg;

	pthread_mutex_lock(&mutex);
	while (waiting != id)
		pthread_cond_wait(&turned, &mutex);
	waiting--;
	pthread_cond_broadcast(&turned);
	while (!opened)
		pthread_cond_wait(&queued, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void wake_all(void)
{
	pthread_t threads[TASKS];
	int i;

	waiting = TASKS - 1;
	opened = 0;
	for (i = 0; i < TASKS; i++)
		pthread_create(&threads[i], NULL, queue, (void *)(long)i);
	pthread_mutex_lock(&mutex);
	while (waiting >= 0)
		pthread_cond_wait(&turned, &mutex);
	pthread_mutex_unlock(&mutex);
	for (i = 0; i < 100; i++)
		spin();
	pthread_mutex_lock(&mutex);
	opened = 1;
	pthread_cond_broadcast(&queued);
	pthread_mutex_unlock(&mutex);
	for (i = 0; i < TASKS; i++)
		pthread_join(threads[i], NULL);
}

static int child(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		usleep(100);
		_exit(3);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static unsigned int once(void)
{
	struct pollfd pollfd = { .fd = bytes[0], .events = POLLIN };
	pthread_t threads[TASKS + 1];
	unsigned int sum = 0;
	char c;
	int i;

	turn = 0;
	for (i = 0; i < TASKS; i++)
		pthread_create(&threads[i], NULL, work, (void *)(long)i);
	pthread_create(&threads[i], NULL, watch, NULL);
	for (i = 0; i < TASKS * rounds; i++) {
		odd += poll(&pollfd, 1, -1) != 1;
		odd += read(bytes[0], &c, 1) != 1;
		sum = sum * 31 + (unsigned char)c;
		if (i % TASKS == 0)
			odd += write(many[1], &c, 1) != 1;
	}
	for (i = 0; i <= TASKS; i++)
		pthread_join(threads[i], NULL);
	wake_all();
	return sum + (unsigned int)child();
}

static int ask(int first, int last)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (; first <= last; first++)
		CPU_SET(first, &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

static int say_where(void)
{
	char line[256], allowed[64] = "?";
	FILE *status = fopen("/proc/self/status", "r");

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "Cpus_allowed_list: %63s", allowed);
	printf("on %d of %s, asks for 1: ", sched_getcpu(), allowed);
	printf("%s\n", ask(1, 1) ? strerror(errno) : "may");
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "where"))
		return say_where();
	if (argc > 1)
		rounds = atoi(argv[1]);
	if (pipe(bytes) || pipe(many))
		return 1;
	printf("sum %u, odd %d\n", once(), odd);
	return odd != 0;
}
