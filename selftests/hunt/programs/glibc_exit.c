// SPDX-License-Identifier: GPL-2.0-only
/*
 * exit() of the main thread while another one prints and registers a handler
 * link: -lpthread
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void handler(void) { }

static void *task(void *arg)
{
	atexit(handler);
	puts("x");
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, task, NULL);
	exit(0);
}
