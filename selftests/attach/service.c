// SPDX-License-Identifier: GPL-2.0-only
/*
 * See service.h. No worker may see EINTR, as the service has no signal handler and
 * nobody sends signals: one that does is counted. Each thread has processors of its own
 * choice, and its children have theirs.
 */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "service.h"

#define COUNT(field) __atomic_add_fetch(&page->field, 1, __ATOMIC_RELAXED)
/* For one round; on the debug kernel, one takes many seconds where each step is a point. */
#define PATIENCE_S 50

static struct service_page *page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER, empty = PTHREAD_COND_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int queue[8], queued;
static int there[2], back[2], silent[2], event, listener;

static const char *const names[] = {
	"producer", "consumer", "ping", "pong", "signaller", "poller", "sleeper", "timer",
	"listener", "spawner", "cruncher", "blocked",
};

const char *service_worker_name(enum service_worker w)
{
	return names[w];
}

/* What a call said; every EINTR is one too many. */
static long said(long ret)
{
	if (ret < 0 && errno == EINTR)
		COUNT(eintr);
	return ret;
}

static void expect(bool true_or_lost)
{
	if (!true_or_lost)
		COUNT(lost);
}

static void producer(unsigned long n)
{
	pthread_mutex_lock(&lock);
	while (queued == 8)
		pthread_cond_wait(&empty, &lock);
	queue[queued++] = n;
	pthread_cond_signal(&full);
	pthread_mutex_unlock(&lock);
	if (!(n % 16))
		usleep(500);
}

static void consumer(unsigned long n)
{
	(void)n;
	pthread_mutex_lock(&lock);
	while (!queued)
		pthread_cond_wait(&full, &lock);
	queued--;
	pthread_cond_signal(&empty);
	pthread_mutex_unlock(&lock);
}

static void ping(unsigned long n)
{
	unsigned long answer = 0;

	expect(said(write(there[1], &n, sizeof(n))) == sizeof(n));
	expect(said(read(back[0], &answer, sizeof(answer))) == sizeof(answer));
	expect(answer == n + 1);
	if (!(n % 16))
		usleep(300);
}

static void pong(unsigned long n)
{
	unsigned long question = 0;

	(void)n;
	expect(said(read(there[0], &question, sizeof(question))) == sizeof(question));
	question++;
	expect(said(write(back[1], &question, sizeof(question))) == sizeof(question));
}

static void signaller(unsigned long n)
{
	unsigned long one = 1;

	(void)n;
	expect(said(write(event, &one, sizeof(one))) == sizeof(one));
	usleep(700);
}

static void poller(unsigned long n)
{
	static int set = -1;
	struct epoll_event e = { .events = EPOLLIN };
	unsigned long value;

	(void)n;
	if (set < 0) {
		set = epoll_create1(EPOLL_CLOEXEC);
		epoll_ctl(set, EPOLL_CTL_ADD, event, &e);
	}
	expect(said(epoll_wait(set, &e, 1, -1)) == 1);
	expect(said(read(event, &value, sizeof(value))) == sizeof(value));
}

static void sleeper(unsigned long n)
{
	struct timespec nap = { .tv_nsec = 400000 };
	struct pollfd p = { .fd = silent[0], .events = POLLIN };
	static int set = -1;
	struct epoll_event e;

	if (set < 0)
		set = epoll_create1(EPOLL_CLOEXEC);
	if (n % 3 == 0)
		expect(!said(nanosleep(&nap, NULL)));
	else if (n % 3 == 1)
		expect(!said(poll(&p, 1, 1)));
	else
		expect(!said(epoll_wait(set, &e, 1, 1)));
}

static void timer(unsigned long n)
{
	static int word;
	struct timespec until, left = { .tv_nsec = 500000 };

	if (n % 2) {
		expect(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &left, NULL, 0) == -1);
		expect(errno == ETIMEDOUT);
		said(-1);
		return;
	}
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 500000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_mutex_lock(&lock);
	expect(pthread_cond_timedwait(&never, &lock, &until) == ETIMEDOUT);
	pthread_mutex_unlock(&lock);
}

static void answer_requests(unsigned long n)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };
	unsigned int number;
	int fd;

	(void)n;
	/* So that it has rounds without requests. */
	if (said(poll(&p, 1, 2)) != 1)
		return;
	fd = said(accept(listener, NULL, NULL));
	expect(fd >= 0);
	if (said(read(fd, &number, sizeof(number))) == sizeof(number)) {
		number = ~number;
		expect(said(write(fd, &number, sizeof(number))) == sizeof(number));
	}
	close(fd);
}

/* Those of the tasks whose creator is @creator: nobody moves them. */
static void look_at_processors(const cpu_set_t *want)
{
	int check = page->check;
	cpu_set_t have;

	if (!(check & 1))
		return;
	CPU_ZERO(&have);
	/* Looked at again: control may have begun, and ended, meanwhile. */
	if (!sched_getaffinity(0, sizeof(have), &have) && !CPU_EQUAL(want, &have) &&
	    page->check == check) {
		COUNT(moved);
		printf("# thread %ld is on processors %lx\n", syscall(SYS_gettid),
		       *(unsigned long *)&have);
	}
}

static void *short_life(void *arg)
{
	look_at_processors(arg);
	return arg;
}

static cpu_set_t processors_of(enum service_worker w)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	/* Some have one processor, some all. */
	if (w % 3 != 1)
		CPU_SET(0, &set);
	if (w % 3 != 0 && sysconf(_SC_NPROCESSORS_ONLN) > 1)
		CPU_SET(1, &set);
	if (!CPU_COUNT(&set))
		CPU_SET(0, &set);
	return set;
}

static void spawner(unsigned long n)
{
	cpu_set_t set = processors_of(SERVICE_SPAWNER);
	pthread_t thread;
	pid_t pid;
	void *got;

	if (n % 4 == 1) {
		/* A process that was created is free: it is where it belongs. */
		pid = fork();
		if (!pid) {
			cpu_set_t have;

			CPU_ZERO(&have);
			sched_getaffinity(0, sizeof(have), &have);
			_exit(!CPU_EQUAL(&set, &have));
		}
	} else if (n % 8 == 3) {
		pid = vfork();
		if (!pid) {
			execl("/bin/true", "true", NULL);
			_exit(2);
		}
	} else {
		expect(!pthread_create(&thread, NULL, short_life, &set));
		expect(!pthread_join(thread, &got) && got == &set);
		usleep(1000);
		return;
	}
	if (pid < 0) {
		COUNT(lost);
	} else {
		int status = -1;

		expect(said(waitpid(pid, &status, 0)) == pid);
		if (status && !page->follow) {
			COUNT(moved);
			printf("# child %d had status %x\n", pid, status);
		}
		expect(WIFEXITED(status));
	}
	usleep(1000);
}

static void cruncher(unsigned long n)
{
	struct timespec start, now;
	long ms;

	(void)n;
	clock_gettime(CLOCK_MONOTONIC, &start);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		ms = (now.tv_sec - start.tv_sec) * 1000 + (now.tv_nsec - start.tv_nsec) / 1000000;
	} while (ms < page->crunch_ms && !page->stop);
	usleep(page->crunch_ms ? 0 : 1000);
}

static void blocked(unsigned long n)
{
	char byte;

	/* The first round is over before; the second never is. */
	if (n && (said(read(silent[0], &byte, 1)) != 1 || !page->stop))
		COUNT(lost);
}

static void (*const work[])(unsigned long) = {
	producer, consumer, ping, pong, signaller, poller, sleeper, timer, answer_requests,
	spawner, cruncher, blocked,
};

static void *worker(void *arg)
{
	enum service_worker w = (long)arg;
	cpu_set_t set = processors_of(w);
	unsigned long n;

	sched_setaffinity(0, sizeof(set), &set);
	page->tids[w] = syscall(SYS_gettid);
	for (n = 0; !page->stop; n++) {
		look_at_processors(&set);
		work[w](n);
		page->rounds[w]++;
	}
	return NULL;
}

static void __attribute__((noreturn)) serve(void)
{
	pthread_t threads[SERVICE_WORKERS];
	long i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (pipe(there) || pipe(back) || pipe(silent))
		_exit(2);
	event = eventfd(0, 0);
	for (i = 0; i < SERVICE_WORKERS; i++)
		if (pthread_create(&threads[i], NULL, worker, (void *)i))
			_exit(2);
	/* The first thread waits too, in a join. */
	for (i = 0; i < SERVICE_WORKERS; i++)
		pthread_join(threads[i], NULL);
	_exit(0);
}

void service_start(struct service *s)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };

	page = s->page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	snprintf(s->path, sizeof(s->path), "/tmp/chess-service.%d", getpid());
	strcpy(name.sun_path, s->path);
	unlink(s->path);
	listener = s->listen = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (s->page == MAP_FAILED || bind(listener, (struct sockaddr *)&name, sizeof(name)) ||
	    listen(listener, 64)) {
		perror("service");
		exit(1);
	}
	page->check = 1;
	s->pid = fork();
	if (!s->pid)
		serve();
	/* One is over already when the last thread is there. */
	while (!page->rounds[SERVICE_BLOCKED] || !page->rounds[SERVICE_SPAWNER])
		usleep(1000);
}

void service_end(struct service *s)
{
	kill(s->pid, SIGKILL);
	waitpid(s->pid, NULL, 0);
	close(s->listen);
	unlink(s->path);
	munmap(s->page, sizeof(*s->page));
}

bool service_goes_on(const struct service *s, unsigned long n)
{
	unsigned long before[SERVICE_WORKERS];
	int i;

	for (i = 0; i < SERVICE_WORKERS; i++)
		before[i] = s->page->rounds[i];
	for (i = 0; i < SERVICE_WORKERS; i++) {
		time_t end = time(NULL) + PATIENCE_S;
		unsigned long last = before[i];

		while (i != SERVICE_BLOCKED && s->page->rounds[i] < before[i] + n) {
			if (s->page->rounds[i] != last) {
				last = s->page->rounds[i];
				end = time(NULL) + PATIENCE_S;
			}
			if (time(NULL) > end) {
				printf("# %s does not go on\n", names[i]);
				return false;
			}
			usleep(500);
		}
	}
	return true;
}

bool service_request(const struct service *s, unsigned int number)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	unsigned int answer = 0;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool good;

	strcpy(name.sun_path, s->path);
	good = fd >= 0 && !connect(fd, (struct sockaddr *)&name, sizeof(name)) &&
	       write(fd, &number, sizeof(number)) == sizeof(number) &&
	       read(fd, &answer, sizeof(answer)) == sizeof(answer) && answer == ~number;
	close(fd);
	return good;
}
