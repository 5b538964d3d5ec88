// SPDX-License-Identifier: GPL-2.0-only
/*
 * What fast_abuse_test.c runs: locks and unlocks, while signals come from outside; or writes to
 * the ring in which its points are noted.
 *
 *   fast_subject pairs COUNT | scribble SEED
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define RING_BYTES	32768
#define ENTRY_BYTES	32

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long signals;

static void handle(int sig)
{
	(void)sig;
	signals++;
}

static void pairs(unsigned long n)
{
	while (n--) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

/* A page of code that no file has, and memory of the ring's size right after it. */
static char *find_ring(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start, end, code = 0;
	char line[512], prot[8], *found = NULL;
	unsigned long inode;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, prot, &inode) != 4)
			continue;
		if (code == start && !strcmp(prot, "rw-p") && end - start == RING_BYTES)
			found = (char *)start;
		code = !inode && !strcmp(prot, "r-xp") && end - start == 4096 ? end : 0;
	}
	if (f)
		fclose(f);
	return found;
}

static uint64_t state;

static uint64_t number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Anything, and what nearly passes for what should be there. */
static uint64_t value(const char *ring)
{
	switch (number() % 6) {
	case 0:
		return number();
	case 1:
		return (uintptr_t)ring + number() % RING_BYTES;
	case 2:
		return (uintptr_t)ring + ENTRY_BYTES * (number() % (RING_BYTES / ENTRY_BYTES - 16));
	case 3:
		return number() % 16;
	case 4:
		return (uintptr_t)&lock;
	default:
		return (uint64_t)-1 >> number() % 64;
	}
}

/* What is fatal to the program itself is rare, so that it gets somewhere. */
static void scribble(char *ring)
{
	uint64_t v = value(ring), where = (uintptr_t)ring + number() % (RING_BYTES - 1024);

	if (number() % 8)
		memcpy(ring + ENTRY_BYTES + 8 * (number() % 64), &v, sizeof(v));
	else if (number() % 2)
		memcpy(ring, &v, 4);
	else if (number() % 16)
		memcpy(ring + 8, &where, sizeof(where));
	else
		memcpy(ring + 8, &v, sizeof(v));
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = handle, .sa_flags = SA_RESTART };
	unsigned long i;
	char *ring;

	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "pairs")) {
		sigaction(SIGUSR1, &sa, NULL);
		pairs(strtoul(argv[2], NULL, 10));
		printf("%lu\n", signals);
		return 0;
	}
	state = strtoul(argv[2], NULL, 10) + 1;
	for (i = 0; i < 16; i++)
		number();
	pairs(200);
	ring = find_ring();
	if (!ring) {
		fprintf(stderr, "fast_subject: there is no ring\n");
		return 3;
	}
	switch (number() % 32) {
	case 0:
		munmap(ring, RING_BYTES);
		break;
	case 1:
		mprotect(ring, RING_BYTES, PROT_READ);
		break;
	case 2:
		madvise(ring, RING_BYTES, MADV_DONTNEED);
		break;
	}
	if (!fork())
		pairs(50);
	for (i = 0; i < 300; i++) {
		scribble(ring);
		pairs(number() % 20);
		if (number() % 4 == 0)
			getppid();
	}
	return 0;
}
