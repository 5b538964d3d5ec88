// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names people read for the numbers in an event. Trace files use the op and
 * event names too, so these are part of the trace format: add, never change.
 */
#include "internal.h"

static const char *const op_names[] = {
	[CHESS_OP_OTHER] = "other",
	[CHESS_OP_LOCK] = "lock",
	[CHESS_OP_TRYLOCK] = "trylock",
	[CHESS_OP_UNLOCK] = "unlock",
	[CHESS_OP_COND_WAIT] = "cond_wait",
	[CHESS_OP_COND_SIGNAL] = "cond_signal",
	[CHESS_OP_COND_BROADCAST] = "cond_broadcast",
	[CHESS_OP_RDLOCK] = "rdlock",
	[CHESS_OP_WRLOCK] = "wrlock",
	[CHESS_OP_BARRIER] = "barrier",
	[CHESS_OP_ONCE] = "once",
	[CHESS_OP_CREATE] = "create",
	[CHESS_OP_JOIN] = "join",
	[CHESS_OP_EXIT] = "exit",
	[CHESS_OP_SEM_WAIT] = "sem_wait",
	[CHESS_OP_SEM_POST] = "sem_post",
	[CHESS_OP_INIT] = "init",
	[CHESS_OP_DESTROY] = "destroy",
	[CHESS_OP_YIELD] = "yield",
	[CHESS_OP_SLEEP] = "sleep",
	[CHESS_OP_FUTEX_WAIT] = "futex_wait",
	[CHESS_OP_FUTEX_WAKE] = "futex_wake",
	[CHESS_OP_READ] = "read",
	[CHESS_OP_WRITE] = "write",
	[CHESS_OP_OPEN] = "open",
	[CHESS_OP_CLOSE] = "close",
	[CHESS_OP_POLL] = "poll",
	[CHESS_OP_FLOCK] = "flock",
	[CHESS_OP_WAIT_CHILD] = "wait_child",
	[CHESS_OP_FORK] = "fork",
	[CHESS_OP_EXEC] = "exec",
	[CHESS_OP_SIGNAL] = "signal",
	[CHESS_OP_SIGNAL_WAIT] = "signal_wait",
	[CHESS_OP_SOCKET] = "socket",
	[CHESS_OP_IPC] = "ipc",
	[CHESS_OP_MEMORY] = "memory",
	[CHESS_OP_FILE] = "file",
	[CHESS_OP_CUSTOM] = "custom",
	[CHESS_OP_LOAD] = "load",
	[CHESS_OP_STORE] = "store",
	[CHESS_OP_UPDATE] = "update",
};
_Static_assert(ARRAY_SIZE(op_names) == __CHESS_OP_MAX, "an op class has no name");

static const char *const event_names[] = {
	[CHESS_EVENT_POINT] = "point",
	[CHESS_EVENT_BLOCK] = "block",
	[CHESS_EVENT_EXIT] = "exit",
	[CHESS_EVENT_RESUME] = "resume",
	[CHESS_EVENT_QUANTUM] = "quantum",
	[CHESS_EVENT_STALL] = "stall",
	[CHESS_EVENT_WAKE] = "wake",
	[CHESS_EVENT_SPAWN] = "spawn",
	[CHESS_EVENT_EXEC] = "exec",
	[CHESS_EVENT_KILLED] = "killed",
	[CHESS_EVENT_DIVERGENCE] = "divergence",
	[CHESS_EVENT_LEAVE] = "leave",
	[CHESS_EVENT_TIMEOUT] = "timeout",
	[CHESS_EVENT_TIMER] = "timer",
	[CHESS_EVENT_SIGNAL] = "signal",
	[CHESS_EVENT_FAIR] = "fair",
	[CHESS_EVENT_EXPIRE] = "expire",
	[CHESS_EVENT_WATCHDOG] = "watchdog",
	[CHESS_EVENT_QUEUE] = "queue",
	[CHESS_EVENT_SPURIOUS] = "spurious",
};
_Static_assert(ARRAY_SIZE(event_names) == CHESS_EVENT_SPURIOUS + 1, "an event type has no name");

static const char *const syscall_names[] = {
#include "syscall-names.h"
};

/* Newer than the headers of Debian 12, which are for Linux 6.1. */
static const struct {
	unsigned int nr;
	const char *name;
} recent_names[] = {
	{ 451, "cachestat" },
	{ 452, "fchmodat2" },
	{ 453, "map_shadow_stack" },
	{ 454, "futex_wake" },
	{ 455, "futex_wait" },
	{ 456, "futex_requeue" },
	{ 457, "statmount" },
	{ 458, "listmount" },
	{ 459, "lsm_get_self_attr" },
	{ 460, "lsm_set_self_attr" },
	{ 461, "lsm_list_modules" },
	{ 462, "mseal" },
};

const char *chess_op_name(unsigned int op)
{
	if (op < ARRAY_SIZE(op_names) && op_names[op])
		return op_names[op];
	return "unknown";
}

const char *chess_event_type_name(unsigned int type)
{
	if (type < ARRAY_SIZE(event_names) && event_names[type])
		return event_names[type];
	return "unknown";
}

const char *chess_syscall_name(unsigned int nr)
{
	static __thread char unknown[24];
	size_t i;

	if (nr < ARRAY_SIZE(syscall_names) && syscall_names[nr])
		return syscall_names[nr];
	for (i = 0; i < ARRAY_SIZE(recent_names); i++)
		if (recent_names[i].nr == nr)
			return recent_names[i].name;
	snprintf(unknown, sizeof(unknown), "syscall_%u", nr);
	return unknown;
}
