// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two bit fields of one byte, each under a lock of its own: to store one is to load and
 * to store the byte. The third has a byte of its own.
 *
 * race: flags A.r B.w
 * race: flags A.w B.r
 * race: flags A.w B.w
 */
#include <pthread.h>

static pthread_mutex_t low_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t high_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	unsigned char low : 4, high : 4, : 0, alone : 4;
} flags;

static void *set_low(void *arg)
{
	pthread_mutex_lock(&low_lock);
	flags.low = 5;			/* A */
	pthread_mutex_unlock(&low_lock);
	flags.alone = 3;
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, set_low, NULL);
	pthread_mutex_lock(&high_lock);
	flags.high = 6;			/* B */
	pthread_mutex_unlock(&high_lock);
	pthread_join(t, NULL);
	return 0;
}
