// SPDX-License-Identifier: GPL-2.0-only
/*
 * See compat.h.
 */
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/static_call.h>
#include <linux/string.h>

#include "compat.h"

struct tracepoint_lookup {
	const char *name;
	struct tracepoint *found;
};

static void match_tracepoint(struct tracepoint *tp, void *priv)
{
	struct tracepoint_lookup *lookup = priv;

	if (!strcmp(tp->name, lookup->name))
		lookup->found = tp;
}

/**
 * chess_compat_tracepoint() - find a tracepoint of the core kernel
 * @name: its name, as in its TRACE_EVENT()
 *
 * The scheduler's tracepoint objects are not exported (6.12); the iterator and
 * tracepoint_probe_register() are.
 *
 * Context: process.
 * Return: the tracepoint or NULL.
 */
struct tracepoint *chess_compat_tracepoint(const char *name)
{
	struct tracepoint_lookup lookup = { .name = name };

	for_each_kernel_tracepoint(match_tracepoint, &lookup);
	return lookup.found;
}

typedef bool may_ptrace_fn(struct task_struct *task, unsigned int mode);

static bool may_not_ptrace(struct task_struct *task, unsigned int mode)
{
	return false;
}

/*
 * ptrace_may_access() is not exported (6.12). A static call, not a pointer:
 * the kernel seals functions nobody calls indirectly against such calls (IBT).
 */
DEFINE_STATIC_CALL(chess_may_ptrace, may_not_ptrace);

/**
 * chess_compat_may_ptrace() - may current control this task (invariant I7)
 * @task: the task
 *
 * Context: process.
 * Return: whether ptrace(2) would let it attach.
 */
bool chess_compat_may_ptrace(struct task_struct *task)
{
	return static_call(chess_may_ptrace)(task, PTRACE_MODE_ATTACH_REALCREDS);
}

/**
 * chess_compat_init() - look up what is not exported
 *
 * Where ptrace_may_access() cannot be found only CAP_SYS_ADMIN may control.
 *
 * Context: process, module init.
 * Return: 0.
 */
int chess_compat_init(void)
{
	struct kprobe probe = { .symbol_name = "ptrace_may_access" };

	if (register_kprobe(&probe)) {
		pr_warn("ptrace_may_access not found: CAP_SYS_ADMIN is needed for everything\n");
		return 0;
	}
	unregister_kprobe(&probe);
	static_call_update(chess_may_ptrace, (may_ptrace_fn *)probe.addr);
	return 0;
}
