/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Trace events: what the record of a run says, while it happens, for perf, trace-cmd,
 * bpftrace and BPF programs. point.c and settle.c emit them where it records; nothing reads them
 * in here. docs/trace-events.md describes them, and they are kept as it says: fields
 * are only added, at the end, and so are arguments.
 *
 * All are emitted under group->plock, some under the run-queue lock as well: as with
 * sched_switch, whoever attaches may not wake or sleep.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM chess

#if !defined(_CHESS_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define _CHESS_EVENTS_H

#include <linux/sched.h>
#include <linux/tracepoint.h>
#include <uapi/linux/chess_record.h>

#ifndef CHESS_EVENTS_NAMES
#define CHESS_EVENTS_NAMES

/* The names libchessctl gives them (names.c). */
#define CHESS_OP_NAMES \
	EM(CHESS_OP_OTHER, "other") EM(CHESS_OP_LOCK, "lock") \
	EM(CHESS_OP_TRYLOCK, "trylock") EM(CHESS_OP_UNLOCK, "unlock") \
	EM(CHESS_OP_COND_WAIT, "cond_wait") EM(CHESS_OP_COND_SIGNAL, "cond_signal") \
	EM(CHESS_OP_COND_BROADCAST, "cond_broadcast") EM(CHESS_OP_RDLOCK, "rdlock") \
	EM(CHESS_OP_WRLOCK, "wrlock") EM(CHESS_OP_BARRIER, "barrier") \
	EM(CHESS_OP_ONCE, "once") EM(CHESS_OP_CREATE, "create") EM(CHESS_OP_JOIN, "join") \
	EM(CHESS_OP_EXIT, "exit") EM(CHESS_OP_SEM_WAIT, "sem_wait") \
	EM(CHESS_OP_SEM_POST, "sem_post") EM(CHESS_OP_INIT, "init") \
	EM(CHESS_OP_DESTROY, "destroy") EM(CHESS_OP_YIELD, "yield") \
	EM(CHESS_OP_SLEEP, "sleep") EM(CHESS_OP_FUTEX_WAIT, "futex_wait") \
	EM(CHESS_OP_FUTEX_WAKE, "futex_wake") EM(CHESS_OP_READ, "read") \
	EM(CHESS_OP_WRITE, "write") EM(CHESS_OP_OPEN, "open") EM(CHESS_OP_CLOSE, "close") \
	EM(CHESS_OP_POLL, "poll") EM(CHESS_OP_FLOCK, "flock") \
	EM(CHESS_OP_WAIT_CHILD, "wait_child") EM(CHESS_OP_FORK, "fork") \
	EM(CHESS_OP_EXEC, "exec") EM(CHESS_OP_SIGNAL, "signal") \
	EM(CHESS_OP_SIGNAL_WAIT, "signal_wait") EM(CHESS_OP_SOCKET, "socket") \
	EM(CHESS_OP_IPC, "ipc") EM(CHESS_OP_MEMORY, "memory") EM(CHESS_OP_FILE, "file") \
	EM(CHESS_OP_CUSTOM, "custom") \
	EM(CHESS_OP_LOAD, "load") \
	EM(CHESS_OP_STORE, "store") \
	EMe(CHESS_OP_UPDATE, "update")

#define CHESS_KIND_NAMES \
	EM(CHESS_OBJECT_NONE, "none") EM(CHESS_OBJECT_ADDRESS, "address") \
	EM(CHESS_OBJECT_INODE, "inode") EM(CHESS_OBJECT_FD, "fd") \
	EM(CHESS_OBJECT_PID, "pid") EM(CHESS_OBJECT_TASK, "task") \
	EM(CHESS_OBJECT_CODE, "code") EM(CHESS_OBJECT_KEY, "key") \
	EM(CHESS_OBJECT_TIME, "time") EMe(CHESS_OBJECT_SYSTEM, "system")

#define CHESS_FLAG_NAMES						\
	{ CHESS_OPF_WRITE, "write" }, { CHESS_OPF_RELEASE, "release" },	\
	{ CHESS_OPF_YIELD, "yield" }, { CHESS_OPF_MAY_BLOCK, "may_block" },	\
	{ CHESS_OPF_PROBE, "probe" }, { CHESS_OPF_ALONE, "alone" },	\
	{ CHESS_OPF_EARLY, "early" }, { CHESS_OPF_TIMER, "timer" }

#define CHESS_TYPE_NAMES \
	EM(CHESS_EVENT_POINT, "point") EM(CHESS_EVENT_BLOCK, "block") \
	EM(CHESS_EVENT_EXIT, "exit") EM(CHESS_EVENT_RESUME, "resume") \
	EM(CHESS_EVENT_QUANTUM, "quantum") EM(CHESS_EVENT_STALL, "stall") \
	EM(CHESS_EVENT_SIGNAL, "signal") EM(CHESS_EVENT_EXPIRE, "expire") \
	EM(CHESS_EVENT_QUEUE, "queue") EMe(CHESS_EVENT_SPURIOUS, "spurious")

/* Letters of ps(1); the numbers are these events' own. */
#define CHESS_STATE_SLEEP	1
#define CHESS_STATE_DISK	2
#define CHESS_STATE_STOPPED	4
#define CHESS_STATE_TRACED	8

#define CHESS_STATE_NAMES						\
	{ CHESS_STATE_SLEEP, "S" }, { CHESS_STATE_DISK, "D" },		\
	{ CHESS_STATE_STOPPED, "T" }, { CHESS_STATE_TRACED, "t" }

static inline u32 chess_events_state(unsigned int state)
{
	return (state & TASK_INTERRUPTIBLE ? CHESS_STATE_SLEEP : 0) |
	       (state & TASK_UNINTERRUPTIBLE ? CHESS_STATE_DISK : 0) |
	       (state & __TASK_STOPPED ? CHESS_STATE_STOPPED : 0) |
	       (state & __TASK_TRACED ? CHESS_STATE_TRACED : 0);
}

static inline int chess_events_task(u32 id)
{
	return id == CHESS_TASK_NONE ? -1 : id;
}

#endif /* CHESS_EVENTS_NAMES */

/* Else print formats would have their names, which perf and trace-cmd do not know. */
#undef EM
#undef EMe
#define EM(value, name)		TRACE_DEFINE_ENUM(value);
#define EMe(value, name)	TRACE_DEFINE_ENUM(value);

CHESS_OP_NAMES
CHESS_KIND_NAMES
CHESS_TYPE_NAMES

#undef EM
#undef EMe
#define EM(value, name)		{ value, name },
#define EMe(value, name)	{ value, name }

TRACE_EVENT(point,
	TP_PROTO(u32 group, pid_t pid, const struct chess_event *e),
	TP_ARGS(group, pid, e),
	TP_STRUCT__entry(
		__field(u32, group)
		__field(u32, seq)
		__field(u32, task)
		__field(pid_t, pid)
		__field(u32, op)
		__field(u32, nr)
		__field(u64, object)
		__field(u32, object_kind)
		__field(u32, flags)
		__field(u64, ip)
	),
	TP_fast_assign(
		__entry->group = group;
		__entry->seq = e->seq;
		__entry->task = e->task;
		__entry->pid = pid;
		__entry->op = e->op;
		__entry->nr = e->nr;
		__entry->object = e->object;
		__entry->object_kind = e->object_kind;
		__entry->flags = e->flags;
		__entry->ip = e->ip;
	),
	TP_printk("group=%u seq=%u task=%u pid=%d op=%s nr=%u object=%s:0x%llx flags=%s ip=0x%llx",
		  __entry->group, __entry->seq, __entry->task, __entry->pid,
		  __print_symbolic(__entry->op, CHESS_OP_NAMES), __entry->nr,
		  __print_symbolic(__entry->object_kind, CHESS_KIND_NAMES), __entry->object,
		  __print_flags(__entry->flags, "|", CHESS_FLAG_NAMES), __entry->ip)
);

TRACE_EVENT(decision,
	TP_PROTO(u32 group, const struct chess_event *e, bool forced),
	TP_ARGS(group, e, forced),
	TP_STRUCT__entry(
		__field(u32, group)
		__field(u32, seq)
		__field(u32, task)
		__field(int, chosen)
		__field(u64, enabled)
		__field(u32, at)
		__field(u32, forced)
	),
	TP_fast_assign(
		__entry->group = group;
		__entry->seq = e->seq;
		__entry->task = e->task;
		__entry->chosen = chess_events_task(e->chosen);
		__entry->enabled = e->enabled;
		__entry->at = e->type;
		__entry->forced = forced;
	),
	TP_printk("group=%u seq=%u task=%u chosen=%d enabled=0x%llx at=%s by=%s",
		  __entry->group, __entry->seq, __entry->task, __entry->chosen, __entry->enabled,
		  __print_symbolic(__entry->at, CHESS_TYPE_NAMES),
		  __entry->forced ? "prefix" : "default")
);

TRACE_EVENT(block,
	TP_PROTO(u32 group, u32 task, pid_t pid, unsigned int state, bool deadline),
	TP_ARGS(group, task, pid, state, deadline),
	TP_STRUCT__entry(
		__field(u32, group)
		__field(u32, task)
		__field(pid_t, pid)
		__field(u32, state)
		__field(u32, deadline)
	),
	TP_fast_assign(
		__entry->group = group;
		__entry->task = task;
		__entry->pid = pid;
		__entry->state = chess_events_state(state);
		__entry->deadline = deadline;
	),
	TP_printk("group=%u task=%u pid=%d state=%s deadline=%s",
		  __entry->group, __entry->task, __entry->pid,
		  __print_flags(__entry->state, "|", CHESS_STATE_NAMES),
		  __entry->deadline ? "yes" : "no")
);

TRACE_EVENT(wake,
	TP_PROTO(u32 group, u32 task, pid_t pid, u32 waker),
	TP_ARGS(group, task, pid, waker),
	TP_STRUCT__entry(
		__field(u32, group)
		__field(u32, task)
		__field(pid_t, pid)
		__field(int, waker)
		__field(u32, outside)
	),
	TP_fast_assign(
		__entry->group = group;
		__entry->task = task;
		__entry->pid = pid;
		__entry->waker = chess_events_task(waker);
		__entry->outside = waker == CHESS_TASK_NONE;
	),
	TP_printk("group=%u task=%u pid=%d waker=%d outside=%s",
		  __entry->group, __entry->task, __entry->pid, __entry->waker,
		  __entry->outside ? "yes" : "no")
);

#endif /* _CHESS_EVENTS_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE events
#include <trace/define_trace.h>
