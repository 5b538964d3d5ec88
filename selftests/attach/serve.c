// SPDX-License-Identifier: GPL-2.0-only
/*
 * The service of service.c alone, for attach.sh: prints its pid, serves until its stdin
 * is closed, and then says whether it is unharmed: exit 0, or 1.
 */
#include <stdio.h>
#include <unistd.h>

#include "service.h"

int main(void)
{
	struct service s;
	char byte;
	bool good;

	service_start(&s);
	printf("%d\n", s.pid);
	fflush(stdout);
	/* Whoever controls it lets go before; then threads are where they belong. */
	s.page->check = 0;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	s.page->check = 1;
	good = service_goes_on(&s, 5) && service_request(&s, 42) && !s.page->eintr &&
	       !s.page->lost && !s.page->moved;
	printf("eintr %lu lost %lu moved %lu\n", s.page->eintr, s.page->lost, s.page->moved);
	service_end(&s);
	return !good;
}
