// SPDX-License-Identifier: GPL-2.0-only
/*
 * SIGINT and SIGTERM have one handler, which tidies up and frees a buffer. The second signal
 * may arrive while the first one is being handled. Mended: each is blocked meanwhile.
 *
 * source: CVE-2001-1349 (sendmail); Zalewski, Delivering Signals for Fun and Profit, 2001
 * expect: verdict=crash
 */
#include <signal.h>

#include "outside.h"

static char *volatile buffer;

static void tidy_up(int sig)
{
	(void)sig;
	if (buffer) {
		free(buffer);
		buffer = NULL;
	}
}

static void *terminate(void *arg)
{
	pthread_t *to = arg;

	pthread_kill(*to, SIGINT);
	pthread_kill(*to, SIGTERM);
	return NULL;
}

int main(void)
{
	struct sigaction action = { .sa_handler = tidy_up };
	pthread_t self = pthread_self(), thread;

	if (IS_MENDED) {
		sigaddset(&action.sa_mask, SIGINT);
		sigaddset(&action.sa_mask, SIGTERM);
	}
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	buffer = malloc(64);
	assert(buffer);
	assert(!pthread_create(&thread, NULL, terminate, &self));
	assert(!pthread_join(thread, NULL));
	return 0;
}
