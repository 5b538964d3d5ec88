// SPDX-License-Identifier: GPL-2.0-only
/*
 * The program release_test.c puts under control: an ordinary one that knows
 * nothing of chess. "subject MODE FD": FD is the page of subject.h, stdin a pipe.
 * It ends with SUBJECT_GOOD if all it did came out right.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#include "subject.h"

static struct page *page;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t started;
static unsigned long shared_count, own_count[2];

/* At the end of a task. */
static void note_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) || CPU_COUNT(&set) != page->cpus)
		page->bound = 1;
}

static void count(unsigned long *own)
{
	pthread_mutex_lock(&lock);
	shared_count++;
	pthread_mutex_unlock(&lock);
	++*own;
}

/* Parks at a trap. */
static void *yields_by_function(void *arg)
{
	(void)arg;
	sem_post(&started);
	do {
		count(&own_count[0]);
		thrd_yield();
	} while (!page->go);
	note_cpus();
	return NULL;
}

/* Parks at a system call. */
static void *yields_by_call(void *arg)
{
	(void)arg;
	sem_post(&started);
	do {
		count(&own_count[1]);
		sched_yield();
	} while (!page->go);
	note_cpus();
	return NULL;
}

/* Blocks. */
static void *reads(void *arg)
{
	char c;
	ssize_t n;

	sem_post(&started);
	n = read(0, &c, 1);
	note_cpus();
	return n == 1 ? arg : NULL;
}

static int end_of_child(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return 5;
	if (WIFSIGNALED(status))
		return SUBJECT_CHILD_DIED;
	return WEXITSTATUS(status) == SUBJECT_GOOD ? SUBJECT_GOOD : 6;
}

/* Tasks in every kind of gate, while this one spins. */
static int gates(void)
{
	pthread_t a, b, c;
	void *result;
	pid_t pid;
	int i;

	if (sem_init(&started, 0, 0) ||
	    pthread_create(&a, NULL, yields_by_function, NULL) ||
	    pthread_create(&b, NULL, yields_by_call, NULL) ||
	    pthread_create(&c, NULL, reads, page))
		return 2;
	for (i = 0; i < 3; i++)
		sem_wait(&started);
	pid = fork();
	if (!pid) {
		/* No lock: another thread may hold it. */
		for (i = 0; i < 20; i++)
			thrd_yield();
		note_cpus();
		_exit(SUBJECT_GOOD);
	}
	page->child = pid;
	page->ready = 1;
	while (!page->go)
		;
	if (pthread_join(a, NULL) || pthread_join(b, NULL) || pthread_join(c, &result))
		return 3;
	if (result != page || shared_count != own_count[0] + own_count[1])
		return 4;
	return end_of_child(pid);
}

static void *counts(void *arg)
{
	count(&own_count[0]);
	return arg;
}

/* More tasks, one after the other, than a group has numbers for. */
static int crowd(void)
{
	pthread_t t;
	int i, ret = 0;

	for (i = 0; i < 5000 && !ret; i++) {
		ret = pthread_create(&t, NULL, counts, NULL);
		if (!ret)
			pthread_join(t, NULL);
	}
	count(&own_count[1]);
	page->ready = i;
	return ret ? 2 : SUBJECT_GOOD;
}

static void *posts(void *arg)
{
	sem_post(&started);
	return arg;
}

/* All tasks block. */
static int blocked(void)
{
	pthread_t t[2];
	char c;

	if (sem_init(&started, 0, 0) || pthread_create(&t[0], NULL, reads, page))
		return 2;
	sem_wait(&started);
	page->ready = 1;
	pthread_join(t[0], NULL);
	if (pthread_create(&t[1], NULL, posts, NULL))
		return 2;
	sem_wait(&started);
	pthread_join(t[1], NULL);
	return read(0, &c, 1) == 0 ? SUBJECT_GOOD : 3;
}

/* Sleeps where only a fatal signal wakes it: no work runs there. */
static int vforks(void)
{
	pid_t pid = vfork();
	char c;

	if (!pid) {
		page->ready = 1;
		_exit(read(0, &c, 1) == 1 ? SUBJECT_GOOD : 1);
	}
	return end_of_child(pid);
}

/* Waits for a child that waits for somebody outside. */
static int waits(void)
{
	pid_t pid = fork();
	char c;

	if (!pid)
		_exit(read(0, &c, 1) == 1 ? SUBJECT_GOOD : 1);
	page->child = pid;
	page->ready = 1;
	return end_of_child(pid);
}

/* A record of several messages. */
static int many(void)
{
	int fd[2], i;
	char c = 0;

	if (pipe(fd))
		return 2;
	for (i = 0; i < 4000; i++)
		if (write(fd[1], &c, 1) != 1 || read(fd[0], &c, 1) != 1)
			return 3;
	page->ready = 1;
	while (!page->go)
		;
	return SUBJECT_GOOD;
}

static int storm(void)
{
	int n = 0, ret = SUBJECT_GOOD;

	while (!page->go && ret == SUBJECT_GOOD) {
		pid_t pid = fork();

		if (!pid) {
			if (!fork())
				_exit(SUBJECT_GOOD);
			_exit(wait(NULL) > 0 ? SUBJECT_GOOD : 1);
		}
		ret = pid < 0 ? 4 : end_of_child(pid);
		if (++n == 5)
			page->ready = 1;
	}
	return ret;
}

/* Asks for one processor, and for none there is. */
static int asks(void)
{
	cpu_set_t one, none;

	CPU_ZERO(&none);
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one) ||
	    !sched_setaffinity(0, sizeof(none), &none) || errno != EINVAL)
		return 2;
	page->ready = 1;
	while (!page->go)
		;
	if (sched_getaffinity(0, sizeof(none), &none) || !CPU_EQUAL(&one, &none))
		return 3;
	/* As at the start, for note_cpus(). */
	memset(&one, 0xff, sizeof(one));
	return sched_setaffinity(0, sizeof(one), &one) ? 4 : SUBJECT_GOOD;
}

static void *comes_and_goes(void *arg)
{
	sem_post(&started);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

/* Many tasks that block. */
static int throng(void)
{
	static pthread_t t[SUBJECT_THRONG];
	int i;

	pthread_mutex_lock(&lock);
	if (sem_init(&started, 0, 0))
		return 2;
	for (i = 0; i < SUBJECT_THRONG; i++) {
		if (pthread_create(&t[i], NULL, comes_and_goes, NULL))
			return 3;
		sem_wait(&started);
	}
	page->ready = 1;
	while (!page->go)
		;
	pthread_mutex_unlock(&lock);
	for (i = 0; i < SUBJECT_THRONG; i++)
		pthread_join(t[i], NULL);
	return SUBJECT_GOOD;
}

/* Runs text that it writes to, and a copy of it. */
static int maps(void)
{
	int fd = open(page->path, O_RDWR | O_CLOEXEC);
	unsigned char *text;

	text = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, fd, 0);
	if (text == MAP_FAILED)
		return 2;
	page->shared = text[SUBJECT_TRAP];
	text = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (text == MAP_FAILED)
		return 3;
	page->private = text[SUBJECT_TRAP];
	page->ready = 1;
	return SUBJECT_GOOD;
}

static char *program;

static void *executes(void *arg)
{
	sem_post(&started);
	while (!page->go)
		sched_yield();
	execl(program, program, "nothing", arg, NULL);
	return NULL;
}

static int exec_from_thread(char *fd)
{
	pthread_t a, b, c;

	if (sem_init(&started, 0, 0) ||
	    pthread_create(&a, NULL, yields_by_function, NULL) ||
	    pthread_create(&b, NULL, reads, NULL) ||
	    pthread_create(&c, NULL, executes, fd))
		return 2;
	sem_wait(&started);
	sem_wait(&started);
	sem_wait(&started);
	page->ready = 1;
	for (;;)
		sched_yield();
}

static int crashes(void)
{
	pthread_t a, b, c;

	if (sem_init(&started, 0, 0) ||
	    pthread_create(&a, NULL, yields_by_function, NULL) ||
	    pthread_create(&b, NULL, yields_by_call, NULL) ||
	    pthread_create(&c, NULL, reads, NULL))
		return 2;
	sem_wait(&started);
	sem_wait(&started);
	sem_wait(&started);
	page->ready = 1;
	while (!page->go)
		;
	*(volatile int *)16 = 1;
	return 3;
}

static int do_mode(char **argv)
{
	if (!strcmp(argv[1], "gates"))
		return gates();
	if (!strcmp(argv[1], "crowd"))
		return crowd();
	if (!strcmp(argv[1], "blocked"))
		return blocked();
	if (!strcmp(argv[1], "vforks"))
		return vforks();
	if (!strcmp(argv[1], "waits"))
		return waits();
	if (!strcmp(argv[1], "many"))
		return many();
	if (!strcmp(argv[1], "storm"))
		return storm();
	if (!strcmp(argv[1], "throng"))
		return throng();
	if (!strcmp(argv[1], "asks"))
		return asks();
	if (!strcmp(argv[1], "maps"))
		return maps();
	if (!strcmp(argv[1], "exec"))
		return exec_from_thread(argv[2]);
	if (!strcmp(argv[1], "crashes"))
		return crashes();
	return !strcmp(argv[1], "nothing") ? SUBJECT_GOOD : 102;
}

int main(int argc, char **argv)
{
	int ret;

	if (argc != 3)
		return 100;
	program = argv[0];
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[2]), 0);
	if (page == MAP_FAILED)
		return 101;
	alarm(SUBJECT_SECONDS);
	ret = do_mode(argv);
	note_cpus();
	return ret;
}
