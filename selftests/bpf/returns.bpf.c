// SPDX-License-Identifier: GPL-2.0-only
/*
 * What chess_point() returns in several places, for points_test.c: in a uprobe, a second
 * time there, in an interrupt, in the kernel of a task, in the scheduler.
 */
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <chess.bpf.h>

/* 1: nobody called. */
int first = 1, second = 1, interrupt = 1, called = 1, switched = 1;

SEC("uprobe")
int BPF_KPROBE(here, __u64 object, __u32 op, __u32 flags)
{
	first = chess_point(object, op, flags);
	second = chess_point(object, op, flags);
	return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int timer(void *ctx)
{
	interrupt = chess_point(0, CHESS_OP_CUSTOM, 0);
	return 0;
}

SEC("kprobe/__x64_sys_getppid")
int call(void *ctx)
{
	called = chess_point(0x5150, CHESS_OP_MEMORY, CHESS_OPF_WRITE);
	return 0;
}

SEC("tp_btf/sched_switch")
int scheduler(void *ctx)
{
	int ret = chess_point(0x5152, CHESS_OP_CUSTOM, 0);

	if (!ret)
		switched = 0;
	return 0;
}

char _license[] SEC("license") = "GPL";
