// SPDX-License-Identifier: GPL-2.0-only
/*
 * Races on memory of the heap, for heap.sh: where the memory was allocated, and what the
 * tasks were about at their accesses, with no point near. Argument: by what the memory is
 * allocated; "freed": it was given back; "early": by a process for its child; "forked": no
 * race, parent and child have one each; "drift FILE": each run makes more accesses than the
 * last one, and no other call.
 */
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES	104		/* malloc_usable_size() is the same */
#define MEMBER	24		/* the long at this byte is raced for */

static char *node;

static __attribute__((noinline)) char *piece(const char *how)
{
	void *p = NULL;

	if (!strcmp(how, "calloc"))
		return calloc(BYTES / 8, 8);					/* calloc */
	if (!strcmp(how, "large"))
		return calloc(BYTES, 8192);					/* large */
	if (!strcmp(how, "realloc"))
		return realloc(malloc(4000), BYTES);				/* realloc */
	if (!strcmp(how, "grown"))
		return realloc(malloc(8), BYTES);				/* grown */
	if (!strcmp(how, "none"))
		return realloc(NULL, BYTES);					/* none */
	if (!strcmp(how, "array"))
		return reallocarray(NULL, BYTES / 8, 8);			/* array */
	if (!strcmp(how, "memalign"))
		return memalign(64, BYTES);					/* memalign */
	if (!strcmp(how, "aligned_alloc"))
		return aligned_alloc(8, BYTES);					/* aligned_alloc */
	if (!strcmp(how, "valloc"))
		return valloc(BYTES);						/* valloc */
	if (!strcmp(how, "posix_memalign") && !posix_memalign(&p, 64, BYTES))	/* posix_memalign */
		return p;
	if (!strcmp(how, "strdup"))
		return strdup("a string of some length, so that it has the byte that is raced for");	/* strdup */
	return malloc(BYTES);							/* malloc */
}

static __attribute__((noinline)) char *new_node(const char *how)
{
	char *p = piece(how);							/* new_node */

	if (!p)
		abort();
	return p;
}

/* The same bytes, of another owner, allocated elsewhere. */
static __attribute__((noinline)) void use_and_free(void)
{
	char *p = malloc(BYTES);						/* before */

	memset(p, 1, BYTES);
	free(p);
}

/* Fails: what it returns is no piece. */
static __attribute__((noinline)) void ask_for_too_much(void)
{
	volatile size_t all = PTRDIFF_MAX;

	free(malloc(all));
	free(calloc(all, 16));
	free(memalign(64, all));
}

static __attribute__((noinline)) void store(volatile long *member, long value)
{
	*member = value;							/* store */
}

static __attribute__((noinline)) long load(volatile long *member)
{
	return *member;								/* load */
}

static __attribute__((noinline)) void set_member(void)
{
	store((volatile long *)(node + MEMBER), 1);				/* set_member */
	__asm__ volatile ("");
}

static __attribute__((noinline)) long get_member(void)
{
	return load((volatile long *)(node + MEMBER)) + 1;			/* get_member */
}

static __attribute__((noinline)) void *writer(void *arg)
{
	set_member();								/* writer */
	return arg;
}

static __attribute__((noinline)) int race(void)
{
	pthread_t t;
	long got;

	pthread_create(&t, NULL, writer, NULL);
	got = get_member();							/* race */
	pthread_join(t, NULL);
	return got < 0;
}

/* The file holds one byte, how often this was called. */
static int drift(const char *path)
{
	unsigned char times = 0;
	int fd = open(path, O_RDWR), i;

	if (fd < 0 || pread(fd, &times, 1, 0) != 1)
		return 1;
	for (i = 0; i < times; i++)
		load((volatile long *)node);
	times++;
	return pwrite(fd, &times, 1, 0) != 1 || close(fd);
}

static __attribute__((noinline)) int in_child(void)
{
	int status = 1;
	pid_t pid = fork();

	if (!pid)
		_exit(race());							/* in_child */
	return waitpid(pid, &status, 0) != pid || status;
}

/* Both write, each to its own. */
static int in_both(void)
{
	int status = 1;
	pid_t pid = fork();

	set_member();
	if (!pid)
		_exit(get_member() < 0);
	return waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "malloc";

	use_and_free();
	node = new_node(how);							/* main */
	ask_for_too_much();
	if (!strcmp(how, "freed"))
		free(node);							/* free */
	if (!strcmp(how, "early"))
		return in_child();						/* main early */
	if (!strcmp(how, "forked"))
		return in_both();
	if (argc > 2 && drift(argv[2]))
		return 2;
	return race();								/* main again */
}
