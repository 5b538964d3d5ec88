// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has a directory in /tmp while it works, and leaves it there where it fails: two threads add to a
 * number, and one may lose what the other one added.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int number;

static void *add(void *arg)
{
	int was = number;

	number = was + 1;
	return arg;
}

int main(void)
{
	char path[] = "/tmp/left-XXXXXX";
	pthread_t a, b;

	assert(mkdtemp(path));
	assert(!pthread_create(&a, NULL, add, NULL) && !pthread_create(&b, NULL, add, NULL));
	assert(!pthread_join(a, NULL) && !pthread_join(b, NULL));
	assert(number == 2);
	return rmdir(path);
}
