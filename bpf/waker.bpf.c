// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes who woke a task last. The one program that runs along with others, and only
 * if asked for (chess_look_watch()), hence an object of its own.
 *
 * Built twice: where the count of interrupts stands depends on the kernel, and
 * libbpf wants CAP_SYS_ADMIN to make sure that a variable is nowhere.
 */
#include "kernel.bpf.h"
#include "look.bpf.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

#define PREEMPT_SOFTIRQ		0x00000100	/* of preempt_count: one is served */
#define PREEMPT_HARDIRQ		0x00ff0000	/* with NMI */

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

#ifdef CHESS_PCPU_HOT			/* 6.2 to 6.14 */
extern struct pcpu_hot pcpu_hot __ksym;

static __always_inline int preempt_count(void)
{
	return ((struct pcpu_hot *)bpf_this_cpu_ptr(&pcpu_hot))->preempt_count;
}
#else
extern int __preempt_count __ksym;

static __always_inline int preempt_count(void)
{
	return *(int *)bpf_this_cpu_ptr(&__preempt_count);
}
#endif

/*
 * Runs in the waker. A note is written in place, so who reads it meanwhile may see
 * parts of two.
 */
SEC("tp_btf/sched_waking")
int BPF_PROG(look_waking, struct task_struct *task)
{
	__u32 tgid = task->tgid, tid = task->pid;
	struct chess_look_waker *w, new = { 0 };
	int count;

	if (!bpf_map_lookup_elem(&watched, &tgid))
		return 0;
	w = bpf_map_lookup_elem(&wakers, &tid);
	if (!w) {
		bpf_map_update_elem(&wakers, &tid, &new, BPF_NOEXIST);
		w = bpf_map_lookup_elem(&wakers, &tid);
		if (!w)
			return 0;
	}
	count = preempt_count();
	w->time = bpf_ktime_get_ns();
	w->gtid = bpf_get_current_pid_tgid();
	w->interrupt = (count & PREEMPT_HARDIRQ ? CHESS_LOOK_HARDIRQ : 0) |
		       (count & PREEMPT_SOFTIRQ ? CHESS_LOOK_SOFTIRQ : 0);
	bpf_get_current_comm(w->comm, sizeof(w->comm));
	return 0;
}
