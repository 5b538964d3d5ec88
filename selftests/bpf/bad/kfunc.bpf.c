// SPDX-License-Identifier: GPL-2.0-only
/*
 * Nothing has a function of this name.
 */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

extern int chess_pawn(__u64 object, __u32 op, __u32 flags) __ksym;

SEC("uprobe/PROGRAM:spin_lock")
int point(void *ctx)
{
	return chess_pawn(!ctx, 1, 0);
}

char _license[] SEC("license") = "GPL";
