// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs that do something else in each run, by a count of the runs in a file:
 *
 *	grows	the count is the file's length, and each run locks as often more
 *	hidden	as grows, but the count is in a mapping: no call returns it
 *	once	as hidden, but from the third run on it locks once more, and that is all
 */
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
}

static void *run(void *arg)
{
	take(&lock);
	take(&lock);
	return arg;
}

static unsigned int count_by_length(int fd)
{
	if (lseek(fd, 0, SEEK_END) < 0 || write(fd, "x", 1) != 1)
		return 0;
	return lseek(fd, 0, SEEK_END);
}

static unsigned int count_in_mapping(int fd)
{
	unsigned int *count;

	if (ftruncate(fd, 4096))
		return 0;
	count = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return count == MAP_FAILED ? 0 : ++*count;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	unsigned int times, i;
	pthread_t t;
	int fd = open("left.count", O_RDWR | O_CREAT, 0600);

	if (fd < 0 || pthread_create(&t, NULL, run, NULL))
		return 2;
	times = strcmp(how, "grows") ? count_in_mapping(fd) : count_by_length(fd);
	if (!strcmp(how, "once"))
		times = times > 2;
	for (i = 0; i < times; i++)
		take(&other);
	take(&lock);
	return pthread_join(t, NULL);
}
