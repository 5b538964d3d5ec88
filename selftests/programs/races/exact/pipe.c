// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data goes there and back with a byte in a pipe.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int there[2], back[2];
static int data;

static void give(int *ends)
{
	if (write(ends[1], "x", 1) != 1)
		abort();
}

static void take(int *ends)
{
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		abort();
}

static void *answer(void *arg)
{
	take(there);
	data *= 2;
	give(back);
	return arg;
}

int main(void)
{
	pthread_t t;

	if (pipe(there) || pipe(back))
		return 2;
	pthread_create(&t, NULL, answer, NULL);
	data = 21;
	give(there);
	take(back);
	data++;
	pthread_join(t, NULL);
	return data != 43;
}
