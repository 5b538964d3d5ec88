// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads read from a child each
 * link: -lpthread
 */
#include <pthread.h>
#include <stdio.h>

static void *task(void *arg)
{
	FILE *f = popen("echo x", "r");

	return f && fgetc(f) == 'x' && !pclose(f) ? NULL : "failed";
}

int main(void)
{
	pthread_t t;
	void *failed;

	pthread_create(&t, NULL, task, NULL);
	if (task(NULL))
		return 1;
	pthread_join(t, &failed);
	return !!failed;
}
