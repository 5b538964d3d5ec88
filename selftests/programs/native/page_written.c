// SPDX-License-Identifier: GPL-2.0-only
/*
 * One thread changes two numbers of a file by way of a mapping, another one reads the file with
 * pread(): it may get one new and one old.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "window.h"

struct page {
	int first;
	char text[56];
	int last;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct page *page;
static int fd;

static void *change(void *unused)
{
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	page->first = 1;
	WINDOW();
	page->last = 1;
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	struct page is;
	pthread_t thread;

	fd = memfd_create("page", 0);
	assert(fd >= 0 && !ftruncate(fd, sizeof(*page)));
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert(page != MAP_FAILED);
	assert(!pthread_create(&thread, NULL, change, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(pread(fd, &is, sizeof(is), 0) == sizeof(is));
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(is.first == is.last);
	assert(!pthread_join(thread, NULL));
	return 0;
}
