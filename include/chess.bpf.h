/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * For BPF programs that create points (docs/probes.md): "chessctl explore --probe FILE.bpf.o".
 * Include it after vmlinux.h or <linux/bpf.h>, and after <bpf/bpf_helpers.h>.
 *
 * It repeats names of <linux/chess_record.h>, which cannot be included beside a
 * vmlinux.h; selftests/unit/bpf_header_test.sh compares them.
 */
#ifndef CHESS_BPF_H
#define CHESS_BPF_H

#ifndef _UAPI_LINUX_CHESS_RECORD_H

/* What a task is about to do at a point. */
enum chess_op_class {
	CHESS_OP_OTHER = 1,
	CHESS_OP_LOCK,
	CHESS_OP_TRYLOCK,
	CHESS_OP_UNLOCK,
	CHESS_OP_COND_WAIT,
	CHESS_OP_COND_SIGNAL,
	CHESS_OP_COND_BROADCAST,
	CHESS_OP_RDLOCK,
	CHESS_OP_WRLOCK,
	CHESS_OP_BARRIER,
	CHESS_OP_ONCE,
	CHESS_OP_CREATE,
	CHESS_OP_JOIN,
	CHESS_OP_EXIT,
	CHESS_OP_SEM_WAIT,
	CHESS_OP_SEM_POST,
	CHESS_OP_INIT,
	CHESS_OP_DESTROY,
	CHESS_OP_YIELD,
	CHESS_OP_SLEEP,
	CHESS_OP_FUTEX_WAIT,
	CHESS_OP_FUTEX_WAKE,
	CHESS_OP_READ,
	CHESS_OP_WRITE,
	CHESS_OP_OPEN,
	CHESS_OP_CLOSE,
	CHESS_OP_POLL,
	CHESS_OP_FLOCK,
	CHESS_OP_WAIT_CHILD,
	CHESS_OP_FORK,
	CHESS_OP_EXEC,
	CHESS_OP_SIGNAL,
	CHESS_OP_SIGNAL_WAIT,
	CHESS_OP_SOCKET,
	CHESS_OP_IPC,
	CHESS_OP_MEMORY,
	CHESS_OP_FILE,
	CHESS_OP_CUSTOM,
	CHESS_OP_LOAD,
	CHESS_OP_STORE,
	CHESS_OP_UPDATE,
};

/* The operation writes to its object; it releases something, so that others can continue. */
#define CHESS_OPF_WRITE		0x01
#define CHESS_OPF_RELEASE	0x02
/* The task cannot make progress by itself: others should run. */
#define CHESS_OPF_YIELD		0x04

#endif /* _UAPI_LINUX_CHESS_RECORD_H */

/**
 * chess_point() - the task that executes this BPF program is at a point
 * @object: what its op works on, as an address
 * @op: enum chess_op_class; CHESS_OP_CUSTOM where no other fits
 * @flags: CHESS_OPF_WRITE, CHESS_OPF_RELEASE, CHESS_OPF_YIELD
 *
 * The decision who goes on is taken when the task is about to go on in its program, not
 * here. In a uprobe that is before the probed instruction.
 *
 * Return: 0; -ESRCH when the task is under nobody's control; -EINVAL for an op or flag
 * that does not exist; -EBUSY when a point of this task has not been decided yet; -EPERM
 * in an interrupt.
 */
extern int chess_point(__u64 object, __u32 op, __u32 flags) __ksym;

#endif /* CHESS_BPF_H */
