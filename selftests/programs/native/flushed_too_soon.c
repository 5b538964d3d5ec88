// SPDX-License-Identifier: GPL-2.0-only
/*
 * All streams are flushed before a file is measured, but a thread that says it is done has not
 * written to its stream yet.
 *
 * expect: verdict=exit
 */
#include "late_report.h"

int main(void)
{
	pthread_t thread;
	int written;

	report = tmpfile();
	assert(report);
	thread = wait_for_report();
	assert(!fflush(NULL));
	written = is_written();
	assert(!pthread_join(thread, NULL));
	return written ? 0 : 1;
}
