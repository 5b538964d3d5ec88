// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process ends while a thread of it is about to write to a stream, which exit() flushes: its
 * parent finds nothing in the file.
 *
 * expect: verdict=exit
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "late_report.h"

int main(void)
{
	int status;

	report = tmpfile();
	assert(report);
	if (!fork()) {
		wait_for_report();
		exit(0);
	}
	assert(wait(&status) > 0 && !status);
	return is_written() ? 0 : 1;
}
