// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: one task after the other, each created after the end of the one before.
 */
#include <pthread.h>

static int data;

static void *increment(void *arg)
{
	data++;
	return arg;
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++) {
		data++;
		pthread_create(&t, NULL, increment, NULL);
		pthread_join(t, NULL);
	}
	return data != 6;
}
