/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Traps, as netlink messages carry them. Included by <linux/chess_record.h>.
 */
#ifndef _UAPI_LINUX_CHESS_PROBE_H
#define _UAPI_LINUX_CHESS_PROBE_H

#include <linux/types.h>

enum chess_fixup_kind {
	CHESS_FIXUP_ABS64 = 1,	/* *(u64 *)pos = address of the trap + addend */
	CHESS_FIXUP_REL32,	/* *(s32 *)pos = address of the trap + addend
				 *		 - (address of slot + pos + 4)
				 */
};

#define CHESS_PROBE_ORIG_MAX	16
#define CHESS_PROBE_SLOT_MAX	48
#define CHESS_PROBE_FIXUPS	3
#define CHESS_PROBE_OPERANDS	2

/* The instruction accesses memory: its operands come with the trap. */
#define CHESS_PROBE_ACCESS	0x01
/* glibc's free() or realloc() begins here: its first argument is freed. Armed in runs
 * that record accesses. With CHESS_PROBE_ACCESS it also has a site, whose operands are
 * zero: as a point it is a store to the whole block, and chess_event.caller is the caller.
 */
#define CHESS_PROBE_FREE	0x02
/* A function of glibc's heap returns here: its result, or its argument object_arg if
 * that is given, is a block that is allocated. Armed in runs that record accesses.
 */
#define CHESS_PROBE_ALLOCATED	0x04
/* With CHESS_PROBE_FREE: it is realloc(), which may leave the block where it is. */
#define CHESS_PROBE_RESIZE	0x08
/* With CHESS_PROBE_FREE, in a library: the heap itself calls it directly, for example when a
 * thread ends and its cache of free blocks is freed. Nothing is freed by such a call.
 */
#define CHESS_PROBE_OWN		0x10
/* The instruction is rdtsc or rdtscp, and no other flag is set. Armed in runs with
 * CHESS_RUN_FLAGS_VIRTUAL_TIME, where its result is the group's clock in nanoseconds, and
 * that of rdtscp in ecx is 0.
 */
#define CHESS_PROBE_TSC		0x20
/* A loop in which tasks wait ends here: a task that comes here is not in it. Armed in runs
 * that record accesses, or have points at some.
 */
#define CHESS_PROBE_AWAIT_END	0x40
/* The trap may become a jump, with which the task notes the point by itself: a sync function
 * begins here, @orig is five bytes or more of whole instructions, none but the first of which
 * anything jumps to, and which can be executed twice in a row; @slot does them. No other flag is
 * set, the object is the first argument, and there is no second one.
 */
#define CHESS_PROBE_JUMP	0x80

struct chess_fixup {
	__u8 kind;
	__u8 pos;
	__u16 pad;
	__s32 addend;
};

/**
 * struct chess_probe - one trap
 * @offset: of the instruction in the file
 * @id: given back in chess_event.nr; zero: no sync function begins here
 * @op: enum chess_op_class; zero without @id
 * @op_flags: CHESS_OPF_*
 * @flags: CHESS_PROBE_*
 * @object_arg: which argument is the object, from 1; zero for none
 * @second_arg: which argument goes to chess_event.arg, from 1; zero for none
 * @orig_len: length of @orig
 * @slot_len: length of @slot
 * @nfixups: how many of @fixups are used
 * @site: with CHESS_PROBE_ACCESS, number of the access site, from 1 and below
 *	CHESS_MAX_SITES; given back in chess_access.site and in chess_event.nr
 * @orig: bytes expected at @offset; the trap is not armed if they differ
 * @slot: code that has the effect of @orig and continues after it, position
 *	independent except for @fixups
 */
struct chess_probe {
	__u64 offset;
	__u32 id;
	__u8 op;
	__u8 op_flags;
	__u8 flags;
	__u8 object_arg;
	__u8 second_arg;
	__u8 orig_len;
	__u8 slot_len;
	__u8 nfixups;
	__u32 site;
	__u8 orig[CHESS_PROBE_ORIG_MAX];
	__u8 slot[CHESS_PROBE_SLOT_MAX];
	struct chess_fixup fixups[CHESS_PROBE_FIXUPS];
};

/*
 * Policy hold can hold a task at sites, which have lower numbers, and at a trapped function
 * called from @caller. Two calls may have one number.
 */
#define CHESS_HOLD_CALL(caller)	((__u32)((caller) ^ (caller) >> 32) | 0x80000000U)

/* The same of a system call, for policies order and pairs. */
#define CHESS_ORDER_CALL(nr, ip)	CHESS_HOLD_CALL((ip) + (nr))

/* Policy order: the change points are flags, then for each step a place and a role. */
#define CHESS_ORDER_STEPS	4
#define CHESS_ORDER_REVERSED	0x01U	/* flag: tasks created later have priority */
#define CHESS_ORDER_SIDE	0x01U	/* role: of the second of the two tasks */
#define CHESS_ORDER_OBJECT	0x02U	/* role: on the second of the two objects */

/*
 * Policy pairs: the change points are, for each pair, the place of a write, that of what reads
 * it, and flags. Places are those of policy order.
 */
#define CHESS_PAIRS_MAX		8
#define CHESS_PAIR_DENY		0x01U	/* what is read there is to be another write's */

#endif /* _UAPI_LINUX_CHESS_PROBE_H */
