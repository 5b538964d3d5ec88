// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes who comes to a place in a program, and when. The task itself goes on. One program
 * for functions and one for USDT probes, whose places libbpf finds differently.
 * libchessctl/live/hits.c loads this.
 */
#include "kernel.bpf.h"
#include "hit.bpf.h"
#include <bpf/bpf_helpers.h>
/* libbpf's headers then take the registers' names from kernel.bpf.h, which are the kernel's. */
#define __VMLINUX_H__
#include <bpf/usdt.bpf.h>

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, CHESS_HIT_BYTES);
} hits SEC(".maps");

static __always_inline int note(void)
{
	__u64 task = bpf_get_current_pid_tgid();
	struct chess_hit_note n = {
		.time = bpf_ktime_get_ns(), .gtgid = task >> 32, .gtid = task,
	};

	/* Without room: nobody has read the first ones yet. */
	bpf_ringbuf_output(&hits, &n, sizeof(n), 0);
	return 0;
}

SEC("uprobe")
int hit_function(void *ctx)
{
	return note();
}

SEC("usdt")
int hit_usdt(void *ctx)
{
	return note();
}
