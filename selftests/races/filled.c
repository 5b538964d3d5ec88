// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread has the kernel write into a variable by a system call that the program makes itself,
 * another one reads the variable. Later both take turns. It aborts if the variable was read
 * before it was written (argv[1] "0") or after that ("1"), and the turns came in the order that
 * argv[2] names. In which order the call and the read came is all that tells the one from the
 * other, so a search has to have both orders of them with each order of the turns.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TURNS 3

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t begin;
static volatile int filled;
static char order[2 * TURNS + 1];
static int fd, turns, seen;

static void take_turns(char name)
{
	int i;

	sem_wait(&begin);
	for (i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&lock);
		order[turns++] = name;
		pthread_mutex_unlock(&lock);
	}
}

static void *fill(void *unused)
{
	syscall(SYS_pread64, fd, &filled, sizeof(filled), 0L);
	take_turns('a');
	return unused;
}

static void *see(void *unused)
{
	seen = filled;
	take_turns('b');
	return unused;
}

int main(int argc, char **argv)
{
	const int one = 1;
	pthread_t a, b;

	fd = memfd_create("filled", 0);
	if (argc < 3 || write(fd, &one, sizeof(one)) != sizeof(one))
		return 2;
	sem_init(&begin, 0, 0);
	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, see, NULL);
	sem_post(&begin);
	sem_post(&begin);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (seen == atoi(argv[1]) && !strcmp(order, argv[2]))
		abort();
	return 0;
}
