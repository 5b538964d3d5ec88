// SPDX-License-Identifier: GPL-2.0-only
/*
 * Notes when the tasks of a process block, on what, for how long, and who wakes them:
 * sums only, so that it can be left on. The programs run at every switch and every
 * wake-up of the machine; a look-up by the number of the task ends them for all others.
 * System calls are not traced: the call is read from the registers the task entered the
 * kernel with, when it sleeps. libchessctl/live/watch.c loads this.
 */
#include "interrupt.bpf.h"
#include "watch.bpf.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "GPL";

#define TS_COMPAT		2
#define STOPPED			0x000c	/* task_struct.__state: by a signal or a debugger */
#define FUTEX_WAKE		1
#define FUTEX_UNLOCK_PI		7
#define FUTEX_WAKE_BITSET	10
#define FUTEX_CMD		0x7f

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CHESS_WATCH_TASKS);
	__type(key, __u32);
	__type(value, struct chess_watch_task);
} tasks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CHESS_WATCH_SUMS);
	__type(key, struct chess_watch_key);
	__type(value, struct chess_watch_sum);
} sums SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct chess_watch_lost);
} lost SEC(".maps");

static const __u32 zero;

static __always_inline void lose(bool task)
{
	struct chess_watch_lost *l = bpf_map_lookup_elem(&lost, &zero);

	if (l)
		__sync_fetch_and_add(task ? &l->tasks : &l->sums, 1);
}

static __always_inline __u64 inode_of(struct task_struct *task, __u32 fd)
{
	struct file **table, *file = NULL;
	struct fdtable *fdt;

	if (!task->files)
		return 0;
	fdt = task->files->fdt;
	if (fd >= fdt->max_fds)
		return 0;
	table = fdt->fd;
	bpf_probe_read_kernel(&file, sizeof(file), table + fd);
	return file ? BPF_CORE_READ(file, f_inode, i_ino) : 0;
}

static __always_inline void read_key(struct chess_watch_key *key, struct task_struct *task,
				     unsigned int state)
{
	struct pt_regs *regs = (void *)bpf_task_pt_regs(task);

	key->gtgid = task->tgid;
	key->word = 0;
	key->ino = 0;
	if (state & STOPPED) {
		key->nr = CHESS_WATCH_STOPPED;
		return;
	}
	key->nr = regs->orig_ax;
	if (task->thread_info.status & TS_COMPAT)
		key->nr = CHESS_WATCH_NO_CALL;
	if (key->nr == __NR_futex) {
		key->word = regs->di;
	} else if (chess_watch_takes_fd(key->nr)) {
		key->word = (__u32)regs->di;
		key->ino = inode_of(task, key->word);
	}
}

SEC("tp_btf/sched_switch")
int BPF_PROG(watch_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	struct chess_watch_task *t;
	__u32 tid;

	if (preempt || !prev_state)
		return 0;
	tid = prev->pid;
	t = bpf_map_lookup_elem(&tasks, &tid);
	if (!t)
		return 0;
	read_key(&t->key, prev, prev_state);
	t->since = bpf_ktime_get_ns();
	return 0;
}

static __always_inline struct chess_watch_sum *sum_of(const struct chess_watch_key *key)
{
	struct chess_watch_sum *s = bpf_map_lookup_elem(&sums, key), new = { 0 };

	if (s)
		return s;
	bpf_map_update_elem(&sums, key, &new, BPF_NOEXIST);
	s = bpf_map_lookup_elem(&sums, key);
	if (!s)
		lose(false);
	return s;
}

/* Does the current task wake those that wait for this word? */
static __always_inline bool wakes_word(__u64 word)
{
	struct task_struct *waker = bpf_get_current_task_btf();
	struct pt_regs *regs = (void *)bpf_task_pt_regs(waker);
	int op = regs->si & FUTEX_CMD;

	return regs->orig_ax == __NR_futex && regs->di == word &&
	       (op == FUTEX_WAKE || op == FUTEX_UNLOCK_PI || op == FUTEX_WAKE_BITSET);
}

static __always_inline void hand_over(struct chess_watch_sum *s, __u32 from, __u32 to, __u64 now)
{
	__u64 held = now - s->held_since;

	if (s->held_since && s->holder == from) {
		s->holds++;
		s->hold_ns += held;
		if (held > s->longest_hold_ns)
			s->longest_hold_ns = held;
	}
	s->holder = to;
	s->held_since = now;
}

/*
 * Runs in the waker. A wake-up that comes before the task has left its processor finds
 * no block begun; such a wait was short, and is not counted.
 */
SEC("tp_btf/sched_waking")
int BPF_PROG(watch_waking, struct task_struct *task)
{
	struct chess_watch_task *t;
	struct chess_watch_sum *s;
	__u32 tid = task->pid;
	__u64 now, waited;

	t = bpf_map_lookup_elem(&tasks, &tid);
	if (!t)
		return 0;
	now = bpf_ktime_get_ns();
	t->waker = bpf_get_current_pid_tgid();
	t->interrupt = interrupt();
	bpf_get_current_comm(t->waker_comm, sizeof(t->waker_comm));
	t->woken = now;
	if (!t->since)
		return 0;
	waited = now - t->since;
	t->since = 0;
	t->waits++;
	t->wait_ns += waited;
	if (waited > t->longest_ns)
		t->longest_ns = waited;
	s = sum_of(&t->key);
	if (!s)
		return 0;
	__sync_fetch_and_add(&s->waits, 1);
	__sync_fetch_and_add(&s->wait_ns, waited);
	if (waited > s->longest_ns)
		s->longest_ns = waited;
	if (t->key.nr == __NR_futex && !t->interrupt && wakes_word(t->key.word))
		hand_over(s, t->waker, tid, now);
	return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(watch_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 from = parent->pid, to = child->pid;
	struct chess_watch_task *t = bpf_map_lookup_elem(&tasks, &from), new = { 0 };

	if (!t || (parent->tgid != child->tgid && !(t->flags & CHESS_WATCH_FOLLOW)))
		return 0;
	new.gtgid = child->tgid;
	new.flags = t->flags;
	if (bpf_map_update_elem(&tasks, &to, &new, BPF_ANY))
		lose(true);
	return 0;
}

/* A thread that executes a program gets the number of the process. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(watch_exec, struct task_struct *task, __u32 from)
{
	struct chess_watch_task *t = bpf_map_lookup_elem(&tasks, &from), new = { 0 };
	__u32 to = task->pid;

	if (!t || to == from)
		return 0;
	new.gtgid = task->tgid;
	new.flags = t->flags;
	bpf_map_update_elem(&tasks, &to, &new, BPF_ANY);
	bpf_map_delete_elem(&tasks, &from);
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(watch_exit, struct task_struct *task)
{
	__u32 tid = task->pid;

	bpf_map_delete_elem(&tasks, &tid);
	return 0;
}
