// SPDX-License-Identifier: GPL-2.0-only
/*
 * a child of a thread can print and allocate while the other thread prints
 * link: -lpthread
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *out;

static void *print(void *arg)
{
	fputs("a\n", out);
	fflush(out);
	free(malloc(10));
	return NULL;
}

int main(void)
{
	pthread_t t;
	int status;
	pid_t pid;

	out = fopen("/dev/null", "w");
	pthread_create(&t, NULL, print, NULL);
	pid = fork();
	if (!pid) {
		print(NULL);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	pthread_join(t, NULL);
	return status;
}
