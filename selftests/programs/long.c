// SPDX-License-Identifier: GPL-2.0-only
/*
 * One long program over most ways to wait: mutex, condition variable, pipe,
 * eventfd, epoll, fork and waitpid. The determinism tests run it along one prefix
 * again and again and compare the records. Its output depends on its argument only:
 * how many rounds to do (default 80: 1,095 points).
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static long rounds = 80;
static long queued, taken, sum;
static int request[2], answer[2], event, epoll;

static void check(int ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(1);
}

/* takes what main queues */
static void *consumer(void *arg)
{
	for (long i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		while (queued == taken)
			pthread_cond_wait(&changed, &lock);
		taken++;
		sum += taken;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

/* answers each byte of the request pipe, and notifies the eventfd */
static void *server(void *arg)
{
	uint64_t one = 1;
	char c;

	for (long i = 0; i < rounds; i++) {
		check(read(request[0], &c, 1) == 1, "read request");
		c++;
		check(write(event, &one, sizeof(one)) == sizeof(one), "write eventfd");
		check(write(answer[1], &c, 1) == 1, "write answer");
	}
	return arg;
}

/* collects the eventfd and the answers, as they come */
static void *collector(void *arg)
{
	long *total = arg;
	struct epoll_event ready[2];
	long events = 0, answers = 0;

	while (events < rounds || answers < rounds) {
		int n = epoll_wait(epoll, ready, 2, -1);

		check(n > 0, "epoll_wait");
		for (int i = 0; i < n; i++) {
			if (ready[i].data.fd == event) {
				uint64_t count;

				check(read(event, &count, sizeof(count)) == sizeof(count),
				      "read eventfd");
				events += count;
			} else {
				char c;

				check(read(answer[0], &c, 1) == 1, "read answer");
				*total += c;
				answers++;
			}
		}
	}
	return arg;
}

static int child(long round)
{
	int status;
	pid_t pid = fork();

	check(pid >= 0, "fork");
	if (!pid)
		_exit(round % 100);
	check(waitpid(pid, &status, 0) == pid, "waitpid");
	check(WIFEXITED(status), "child");
	return WEXITSTATUS(status);
}

static void watch(int fd)
{
	struct epoll_event e = { .events = EPOLLIN, .data.fd = fd };

	check(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e), "epoll_ctl");
}

int main(int argc, char **argv)
{
	long children = 0, total = 0;
	pthread_t t[3];

	if (argc > 1)
		rounds = strtol(argv[1], NULL, 10);
	if (rounds < 1 || argc > 2) {
		fprintf(stderr, "usage: long [ROUNDS]\n");
		return 2;
	}
	check(!pipe(request) && !pipe(answer), "pipe");
	event = eventfd(0, 0);
	epoll = epoll_create1(0);
	check(event >= 0 && epoll >= 0, "eventfd or epoll_create1");
	watch(event);
	watch(answer[0]);

	pthread_create(&t[0], NULL, consumer, NULL);
	pthread_create(&t[1], NULL, server, NULL);
	pthread_create(&t[2], NULL, collector, &total);
	for (long i = 0; i < rounds; i++) {
		char c = 'a' + i % 20;

		check(write(request[1], &c, 1) == 1, "write request");
		pthread_mutex_lock(&lock);
		while (queued - taken >= 2)
			pthread_cond_wait(&changed, &lock);
		queued++;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		if (i % 10 == 0)
			children += child(i);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	printf("sum %ld answers %ld children %ld\n", sum, total, children);
	return 0;
}
