// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes who woke a task last. The one program that runs along with others, and only
 * if asked for (chess_look_note_wakers()), hence an object of its own.
 */
#include "interrupt.bpf.h"
#include "look.bpf.h"
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

/* Processes whose wake-ups are noted, by gtgid, and the notes, by gtid. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CHESS_LOOK_WANTED);
	__type(key, __u32);
	__type(value, __u8);
} watched SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CHESS_LOOK_WANTED);
	__type(key, __u32);
	__type(value, struct chess_look_waker);
} wakers SEC(".maps");

/*
 * Runs in the waker. A note is written in place, so who reads it meanwhile may see
 * parts of two.
 */
SEC("tp_btf/sched_waking")
int BPF_PROG(look_waking, struct task_struct *task)
{
	__u32 tgid = task->tgid, tid = task->pid;
	struct chess_look_waker *w, new = { 0 };

	if (!bpf_map_lookup_elem(&watched, &tgid))
		return 0;
	w = bpf_map_lookup_elem(&wakers, &tid);
	if (!w) {
		bpf_map_update_elem(&wakers, &tid, &new, BPF_NOEXIST);
		w = bpf_map_lookup_elem(&wakers, &tid);
		if (!w)
			return 0;
	}
	w->time = bpf_ktime_get_ns();
	w->gtid = bpf_get_current_pid_tgid();
	w->interrupt = interrupt();
	bpf_get_current_comm(w->comm, sizeof(w->comm));
	return 0;
}
