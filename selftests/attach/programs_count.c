// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints how many BPF programs the kernel has loaded: "programs_count". With "wait N" it
 * waits, at most ten seconds, until there are so many, since they are freed a little after
 * whoever loaded them; exit 1 when that does not come.
 */
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int count(void)
{
	union bpf_attr attr;
	__u32 id = 0;
	int n;

	for (n = 0;; n++) {
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
		if (syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr)))
			return n;
		id = attr.next_id;
	}
}

int main(int argc, char **argv)
{
	int tries, wanted = argc == 3 && !strcmp(argv[1], "wait") ? atoi(argv[2]) : -1;

	for (tries = 0; wanted >= 0 && count() != wanted && tries < 1000; tries++)
		usleep(10000);
	printf("%d\n", count());
	return wanted >= 0 && count() != wanted;
}
