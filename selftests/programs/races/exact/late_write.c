// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory from malloc is handed over through a pipe, and who gave it away writes to it once
 * more. What was written before is in order.
 *
 * race: - B.w D.r
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

struct item {
	int value, done;
};

static int ends[2];

static void *receive(void *arg)
{
	struct item *item;
	int value, done;

	if (read(ends[0], &item, sizeof(item)) != sizeof(item))
		abort();
	value = item->value;		/* C */
	done = item->done;		/* D */
	return done > value ? NULL : arg;
}

int main(void)
{
	struct item *item = calloc(1, sizeof(*item));
	pthread_t t;

	if (!item || pipe(ends))
		return 2;
	item->value = 7;		/* A */
	pthread_create(&t, NULL, receive, NULL);
	if (write(ends[1], &item, sizeof(item)) != sizeof(item))
		return 2;
	item->done = 1;			/* B */
	pthread_join(t, NULL);
	free(item);
	return 0;
}
