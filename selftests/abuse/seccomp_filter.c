// SPDX-License-Identifier: GPL-2.0-only
/*
 * A seccomp filter answers sched_yield and sleeps with errors and makes a signal of getppid.
 * Hard: those are calls we answer ourselves.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <time.h>

#include "abuse.h"

static volatile int signals;

static void on_sys(int sig)
{
	(void)sig;
	signals++;
}

#define WHERE(nr, what)						\
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),		\
	BPF_STMT(BPF_RET | BPF_K, what)

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		WHERE(SYS_getppid, SECCOMP_RET_TRAP),
		WHERE(SYS_sched_yield, SECCOMP_RET_ERRNO | 77),
		WHERE(SYS_nanosleep, SECCOMP_RET_ERRNO | 78),
		WHERE(SYS_clock_nanosleep, SECCOMP_RET_ERRNO | 78),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };
	struct timespec moment = { 0, 1000 };
	int i, yield, sleep;

	signal(SIGSYS, on_sys);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
	both(count, NULL, NULL);
	for (i = 0; i < 3; i++)
		syscall(SYS_getppid);
	yield = syscall(SYS_sched_yield) ? errno : 0;
	sleep = syscall(SYS_nanosleep, &moment, NULL) ? errno : 0;
	say("counted %d, signals %d, yield %d, sleep %d\n", counted, signals, yield, sleep);
	return 0;
}
