/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What look.bpf.c and files.bpf.c use: whose tasks are wanted, numbers of tasks, lists.
 */
#ifndef CHESS_COMMON_BPF_H
#define CHESS_COMMON_BPF_H

#include "kernel.bpf.h"
#include "look.bpf.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CHESS_LOOK_WANTED);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, __u32);
	__type(value, __u8);
} wanted SEC(".maps");

static const __u32 zero;

/* A number the verifier does not know: else it follows every turn of a loop that counts. */
static __always_inline __u32 unknown(__u32 n)
{
	volatile __u32 from = n;
	__u32 to = 0;

	bpf_probe_read_kernel(&to, sizeof(to), (void *)&from);
	return to;
}

/* The number of @pid in the namespace of who reads, 0: none there. */
static __noinline __u32 number(struct pid *pid)
{
	struct task_struct *reader = (void *)bpf_get_current_task();
	__u32 base = bpf_core_field_offset(struct pid, numbers);
	__u32 size = bpf_core_type_size(struct upid);
	struct pid *mine = BPF_CORE_READ(reader, thread_pid);
	__u32 level = BPF_CORE_READ(mine, level);
	struct upid *up, *my;

	if (!pid || BPF_CORE_READ(pid, level) < level)
		return 0;
	my = (void *)mine + base + level * size;
	up = (void *)pid + base + level * size;
	if (BPF_CORE_READ(my, ns) != BPF_CORE_READ(up, ns))
		return 0;
	return BPF_CORE_READ(up, nr);
}

static __always_inline __u32 task_number(struct task_struct *task)
{
	return number(BPF_CORE_READ(task, thread_pid));
}

static __always_inline struct task_struct *leader(struct task_struct *task)
{
	return BPF_CORE_READ(task, group_leader);
}

static __always_inline bool is_wanted(__u32 tid)
{
	return tid && bpf_map_lookup_elem(&wanted, &tid);
}

static __always_inline __u64 list_at(__u64 at)
{
	struct list_head *l = (void *)at;

	return (__u64)BPF_CORE_READ(l, next);
}

#endif /* CHESS_COMMON_BPF_H */
