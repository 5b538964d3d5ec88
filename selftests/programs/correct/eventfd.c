// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two notifications through an eventfd; the reader takes the sum, in one go or
 * in two.
 *
 * expect: verdict=ok runs=1,4,12
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int fd;

static void *reader(void *arg)
{
	uint64_t sum = 0, n;

	while (sum < 2) {
		assert(read(fd, &n, sizeof(n)) == sizeof(n));
		sum += n;
	}
	assert(sum == 2);
	return arg;
}

int main(void)
{
	uint64_t one = 1;
	pthread_t t;

	fd = eventfd(0, 0);
	assert(fd >= 0);
	pthread_create(&t, NULL, reader, NULL);
	assert(write(fd, &one, sizeof(one)) == sizeof(one));
	assert(write(fd, &one, sizeof(one)) == sizeof(one));
	pthread_join(t, NULL);
	return 0;
}
