// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data goes there and back with a number in an eventfd.
 */
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>

static int there, back;
static int data;

static void take(int fd)
{
	eventfd_t n;

	if (eventfd_read(fd, &n))
		abort();
}

static void *answer(void *arg)
{
	take(there);
	data *= 2;
	eventfd_write(back, 1);
	return arg;
}

int main(void)
{
	pthread_t t;

	there = eventfd(0, 0);
	back = eventfd(0, 0);
	pthread_create(&t, NULL, answer, NULL);
	data = 21;
	eventfd_write(there, 1);
	take(back);
	data++;
	pthread_join(t, NULL);
	return data != 43;
}
