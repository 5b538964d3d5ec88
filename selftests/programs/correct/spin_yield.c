// SPDX-License-Identifier: GPL-2.0-only
/*
 * A spin lock of the program's own: whoever finds it taken yields and tries again. The
 * holder reaches a point in the middle, so the others do find it taken. Only fairness
 * ends their rounds, and the search with them.
 *
 * expect: verdict=ok runs=3,20,93
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static atomic_int taken;
static int fd, sum;

static void *add(void *arg)
{
	uint64_t one = 1;
	int seen;

	while (atomic_exchange(&taken, 1))
		sched_yield();
	seen = sum;
	assert(write(fd, &one, sizeof(one)) == sizeof(one));
	sum = seen + 1;
	atomic_store(&taken, 0);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	fd = eventfd(0, 0);
	assert(fd >= 0);
	pthread_create(&t[0], NULL, add, NULL);
	pthread_create(&t[1], NULL, add, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	assert(sum == 2);
	return 0;
}
