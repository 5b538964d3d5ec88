// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves the marks of its own address space with PR_SET_MM, and asks for rseq a second time.
 * Hard: what others find an argument, or the stack, by.
 */
#include "abuse.h"

int main(void)
{
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* PR_SET_MM_ARG_START and _END; without CAP_SYS_RESOURCE it is refused. */
	prctl(PR_SET_MM, PR_SET_MM_ARG_START, page, 0, 0);
	prctl(PR_SET_MM, PR_SET_MM_ARG_END, page + 16, 0, 0);
	say("rseq %d\n", syscall(334 /* rseq */, page, 32, 0, 0x53053053) ? errno == EBUSY ||
	    errno == EINVAL : 1);
	both(count, NULL, NULL);
	say("counted %d\n", counted);
	return 0;
}
