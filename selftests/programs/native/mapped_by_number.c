// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread asks how long a table is and maps it, by the number of its descriptor. Another one
 * puts a new table in the place of that number in between, which is empty as yet.
 *
 * expect: verdict=crash
 */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "window.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table;

static void *renew(void *unused)
{
	int fd = memfd_create("new", 0);

	assert(fd >= 0);
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(dup2(fd, table) == table);
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;
	struct stat st;
	char *at;

	table = memfd_create("table", 0);
	assert(table >= 0 && write(table, "x", 1) == 1);
	assert(!pthread_create(&thread, NULL, renew, NULL));
	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	assert(!fstat(table, &st));
	WINDOW();
	if (st.st_size) {
		at = mmap(NULL, st.st_size, PROT_READ, MAP_SHARED, table, 0);
		assert(at != MAP_FAILED);
		assert(*(volatile char *)at == 'x');
	}
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}
