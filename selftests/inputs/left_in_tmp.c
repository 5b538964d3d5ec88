// SPDX-License-Identifier: GPL-2.0-only
/*
 * Has a directory in /tmp while it works, and leaves it there where it fails, or with an argument
 * always: two threads add to a number, and one may lose what the other one added. With "right" it
 * does not.
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number;

static void *add(void *right)
{
	int was;

	if (right)
		pthread_mutex_lock(&mutex);
	was = number;
	number = was + 1;
	if (right)
		pthread_mutex_unlock(&mutex);
	return NULL;
}

int main(int argc, char **argv)
{
	void *right = argc > 1 && !strcmp(argv[1], "right") ? &number : NULL;
	char path[] = "/tmp/left-XXXXXX";
	pthread_t a, b;

	assert(mkdtemp(path));
	assert(!pthread_create(&a, NULL, add, right) && !pthread_create(&b, NULL, add, right));
	assert(!pthread_join(a, NULL) && !pthread_join(b, NULL));
	assert(number == 2);
	return argc > 1 ? 0 : rmdir(path);
}
