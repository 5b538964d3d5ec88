/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * T0 creates @n tasks that run @body, then @m that run @last, and joins them in this
 * order. So it blocks, and which of them begins is free: no preemption.
 */
#ifndef RACES_TASKS_H
#define RACES_TASKS_H

#include <pthread.h>

#define TASKS_MAX 32

static inline void run_tasks(void *(*body)(void *), int n, void *(*last)(void *), int m)
{
	pthread_t t[TASKS_MAX];

	for (int i = 0; i < n + m; i++)
		pthread_create(&t[i], NULL, i < n ? body : last, NULL);
	for (int i = 0; i < n + m; i++)
		pthread_join(t[i], NULL);
}

#endif /* RACES_TASKS_H */
