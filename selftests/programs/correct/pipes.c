// SPDX-License-Identifier: GPL-2.0-only
/*
 * A byte goes to a thread through one pipe and comes back through another, twice.
 *
 * expect: verdict=ok runs=1,6,22
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];

static void *echo(void *arg)
{
	for (int i = 0; i < 2; i++) {
		char c;

		assert(read(there[0], &c, 1) == 1);
		c++;
		assert(write(back[1], &c, 1) == 1);
	}
	return arg;
}

int main(void)
{
	pthread_t t;

	assert(!pipe(there) && !pipe(back));
	pthread_create(&t, NULL, echo, NULL);
	for (int i = 0; i < 2; i++) {
		char c = 'a' + i;

		assert(write(there[1], &c, 1) == 1);
		assert(read(back[0], &c, 1) == 1);
		assert(c == 'b' + i);
	}
	pthread_join(t, NULL);
	return 0;
}
