// SPDX-License-Identifier: GPL-2.0-only
/*
 * chess_point() has other arguments.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

struct pt_regs;

extern int chess_point(struct pt_regs *object, __u32 op, __u32 flags) __ksym;

SEC("uprobe/PROGRAM:spin_lock")
int point(struct pt_regs *ctx)
{
	return chess_point(ctx, 1, 0);
}

char _license[] SEC("license") = "GPL";
