/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The library of stock.c.
 */
#ifndef SELFTESTS_NOTES_H
#define SELFTESTS_NOTES_H

#include <pthread.h>

struct notes {
	pthread_mutex_t lock;
	int lines;
};

void notes_write(struct notes *n);

#endif /* SELFTESTS_NOTES_H */
