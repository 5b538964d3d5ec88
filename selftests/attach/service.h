/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A service that attach_test.c takes control of: threads that wait in every way a
 * service waits, and look themselves for what control must not do to them.
 */
#ifndef CHESS_SELFTESTS_SERVICE_H
#define CHESS_SELFTESTS_SERVICE_H

#include <stdbool.h>
#include <sys/types.h>

/* What each thread does over and over; service.c has a function for each. */
enum service_worker {
	SERVICE_PRODUCER,	/* mutex and condition variable, with ... */
	SERVICE_CONSUMER,
	SERVICE_PING,		/* one pipe there, one back, with ... */
	SERVICE_PONG,
	SERVICE_SIGNALLER,	/* eventfd, to ... */
	SERVICE_POLLER,		/* epoll_wait without a time-out */
	SERVICE_SLEEPER,	/* nanosleep, poll and epoll_wait with one */
	SERVICE_TIMER,		/* futex and condition variable with one */
	SERVICE_LISTENER,	/* requests over a socket, from outside */
	SERVICE_SPAWNER,	/* threads, processes by fork and by vfork */
	SERVICE_CRUNCHER,	/* runs, hardly a call */
	SERVICE_BLOCKED,	/* reads a pipe nobody writes to: not woken, ever */
	SERVICE_WORKERS,
};

/**
 * struct service_page - shared by the test, the service and its children
 * @rounds: of each worker
 * @eintr: calls that came back with EINTR
 * @lost: answers that were wrong, or woken without a reason
 * @moved: tasks that found themselves on other processors than they should
 * @check: affinity is looked at while this is odd: not while control goes on
 * @follow: children are under control too
 * @crunch_ms: how long SERVICE_CRUNCHER runs without a call; 0: briefly
 * @stop: end
 * @tids: of the workers
 */
struct service_page {
	volatile unsigned long rounds[SERVICE_WORKERS];
	volatile unsigned long eintr, lost, moved;
	volatile int check, follow, crunch_ms, stop;
	volatile pid_t tids[SERVICE_WORKERS];
};

/**
 * struct service - one that runs
 * @page: see there
 * @pid: its process
 * @listen: socket for requests, listening
 * @path: its name
 */
struct service {
	struct service_page *page;
	pid_t pid;
	int listen;
	char path[64];
};

/* As a child; returns when all workers have done a round. */
void service_start(struct service *s);
void service_end(struct service *s);
/* Until each worker has done @n more rounds; false after 50 s. */
bool service_goes_on(const struct service *s, unsigned long n);
/* One request; false when it fails. */
bool service_request(const struct service *s, unsigned int number);
const char *service_worker_name(enum service_worker w);

#endif /* CHESS_SELFTESTS_SERVICE_H */
