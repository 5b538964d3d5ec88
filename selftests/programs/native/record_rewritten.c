// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread writes a record to a file while another one brings it up to date, one field after the
 * other. The first field, which names the record, stays.
 *
 * expect: verdict=assert
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

#include "window.h"

static struct {
	char name[8];
	long income, expenses, balance;
} record = { "account", 5, 3, 2 };
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *earn(void *unused)
{
	(void)unused;
	if (IS_MENDED)
		pthread_rwlock_wrlock(&lock);
	record.income += 4;
	WINDOW();
	record.balance += 4;
	if (IS_MENDED)
		pthread_rwlock_unlock(&lock);
	return NULL;
}

int main(void)
{
	typeof(record) saved;
	pthread_t thread;
	int file[2];

	assert(!pipe(file));
	assert(!pthread_create(&thread, NULL, earn, NULL));
	INTO_WINDOW();
	if (IS_MENDED)
		pthread_rwlock_rdlock(&lock);
	assert(write(file[1], &record, sizeof(record)) == sizeof(record));
	if (IS_MENDED)
		pthread_rwlock_unlock(&lock);
	assert(read(file[0], &saved, sizeof(saved)) == sizeof(saved));
	assert(saved.income - saved.expenses == saved.balance);
	assert(!pthread_join(thread, NULL));
	return 0;
}
