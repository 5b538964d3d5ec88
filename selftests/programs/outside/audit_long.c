// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sum of all accounts is taken without a lock, while money is moved from one of the last
 * ones to one of the first ones: it is in neither.
 *
 * source: Eytani and Ur, PADTAD 2004 (documented multi-threaded bugs, account)
 * expect: verdict=assert
 */
#include "outside.h"

#define ACCOUNTS 3000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int accounts[ACCOUNTS];

static void audit(void)
{
	int sum = 0, i;

	if (IS_MENDED)
		pthread_mutex_lock(&lock);
	for (i = 0; i < ACCOUNTS; i++)
		sum += accounts[i];
	if (IS_MENDED)
		pthread_mutex_unlock(&lock);
	assert(sum == 10);
}

static void *transfer(void *arg)
{
	(void)arg;
	pthread_mutex_lock(&lock);
	accounts[ACCOUNTS - 2] -= 10;
	accounts[1] += 10;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	accounts[ACCOUNTS - 2] = 10;
	together(audit, transfer);
	return 0;
}
