// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes write a message each to one pipe. A message longer than PIPE_BUF is written in
 * parts, and the other one's may come between them.
 *
 * source: pipe(7), PIPE_BUF; Stevens, APUE, section 15.2
 * expect: verdict=exit
 */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outside.h"

#define LONG	(IS_MENDED ? 4096 : 6000)

static int ends[2];

static pid_t start(char letter)
{
	char message[6000];
	pid_t child = fork();

	assert(child >= 0);
	if (child)
		return child;
	memset(message, letter, LONG);
	assert(write(ends[1], message, LONG) == LONG);
	_exit(0);
}

int main(void)
{
	int changes = 0, sum, n, i;
	char text[6000], last = 0;

	assert(!pipe(ends));
	assert(fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
	start('a');
	start('b');
	for (sum = 0; sum < 2 * LONG; sum += n) {
		n = read(ends[0], text, sizeof(text));
		assert(n > 0);
		for (i = 0; i < n; i++) {
			changes += text[i] != last;
			last = text[i];
		}
	}
	assert(wait(NULL) > 0 && wait(NULL) > 0);
	return changes > 2;
}
