// SPDX-License-Identifier: GPL-2.0-only
/*
 * A login that takes too long is ended by SIGALRM, whose handler allocates. When main is in the
 * middle of the allocator itself, the handler gets the piece that main is about to take.
 *
 * source: CVE-2006-5051, CVE-2024-6387 (OpenSSH)
 * expect: verdict=assert
 */
#include <signal.h>
#include <sys/time.h>

#include "outside.h"

struct piece {
	struct piece *next;
};

static struct piece pieces[2] = { { .next = &pieces[1] } };
static struct piece *volatile list = &pieces[0];
static struct piece *volatile of_handler;

static struct piece *allocate(void)
{
	struct piece *piece = list;

	list = piece->next;
	return piece;
}

static void on_alarm(int sig)
{
	(void)sig;
	if (!IS_MENDED)
		of_handler = allocate();
}

int main(void)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval in = { .it_value.tv_usec = 10000 };
	struct piece *mine;

	sigaction(SIGALRM, &action, NULL);
	assert(!setitimer(ITIMER_REAL, &in, NULL));
	mine = allocate();
	assert(of_handler != mine);
	return 0;
}
