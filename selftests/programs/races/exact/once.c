// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: whoever is first sets the data up; the others look at it only.
 */
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int data;

static void set_up(void)
{
	data = 42;
}

static void *look(void *arg)
{
	pthread_once(&once, set_up);
	return data == 42 ? NULL : arg;
}

int main(void)
{
	pthread_t t;
	void *bad;

	pthread_create(&t, NULL, look, &data);
	bad = look(&data);
	if (bad)
		return 1;
	pthread_join(t, &bad);
	return bad != NULL;
}
