/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	docs/netlink/specs/chess.yaml */
/* YNL-GEN uapi header */

#ifndef _UAPI_LINUX_CHESS_H
#define _UAPI_LINUX_CHESS_H

#define CHESS_FAMILY_NAME	"chess"
#define CHESS_FAMILY_VERSION	1

#define CHESS_MAX_TASKS		4096
#define CHESS_MAX_EVENTS	4194304
#define CHESS_MAX_STACKS	64
#define CHESS_MAX_CHANGES	32
#define CHESS_MAX_SITES		262144
#define CHESS_MAX_ACCESSES	33554432

/**
 * enum chess_group_state
 * @CHESS_GROUP_STATE_IDLE: no run; the record of the last one can be read
 * @CHESS_GROUP_STATE_ARMED: run-start was called, the root task has not
 *   executed yet
 * @CHESS_GROUP_STATE_RUNNING: tasks of the group run under control
 * @CHESS_GROUP_STATE_DRAINING: the run was stopped and tasks are on their way
 *   out
 */
enum chess_group_state {
	CHESS_GROUP_STATE_IDLE = 1,
	CHESS_GROUP_STATE_ARMED,
	CHESS_GROUP_STATE_RUNNING,
	CHESS_GROUP_STATE_DRAINING,

	/* private: */
	__CHESS_GROUP_STATE_MAX,
	CHESS_GROUP_STATE_MAX = (__CHESS_GROUP_STATE_MAX - 1)
};

/**
 * enum chess_task_state
 * @CHESS_TASK_STATE_PENDING: registered; joins at its next execve
 * @CHESS_TASK_STATE_RUNNING: holds the token
 * @CHESS_TASK_STATE_PARKED: enabled, waits for the token
 * @CHESS_TASK_STATE_BLOCKED: waits in the kernel
 * @CHESS_TASK_STATE_DYING: exits without the token because of a fatal signal
 * @CHESS_TASK_STATE_APART: takes no part: it was adopted and has neither
 *   returned to user mode nor slept since, or it is a child that is leaving
 *   control
 */
enum chess_task_state {
	CHESS_TASK_STATE_PENDING = 1,
	CHESS_TASK_STATE_RUNNING,
	CHESS_TASK_STATE_PARKED,
	CHESS_TASK_STATE_BLOCKED,
	CHESS_TASK_STATE_DYING,
	CHESS_TASK_STATE_APART,

	/* private: */
	__CHESS_TASK_STATE_MAX,
	CHESS_TASK_STATE_MAX = (__CHESS_TASK_STATE_MAX - 1)
};

/**
 * enum chess_notice
 * @CHESS_NOTICE_IDLE: no task of the group is enabled
 * @CHESS_NOTICE_END: the last task of the run is gone; the record is complete
 * @CHESS_NOTICE_DIVERGENCE: the prefix asked for a task that was not enabled
 * @CHESS_NOTICE_OVERFLOW: the record is full; the run continues without
 *   recording
 * @CHESS_NOTICE_LET_GO: the module releases all adopted tasks by itself; seq
 *   is the reason
 */
enum chess_notice {
	CHESS_NOTICE_IDLE = 1,
	CHESS_NOTICE_END,
	CHESS_NOTICE_DIVERGENCE,
	CHESS_NOTICE_OVERFLOW,
	CHESS_NOTICE_LET_GO,

	/* private: */
	__CHESS_NOTICE_MAX,
	CHESS_NOTICE_MAX = (__CHESS_NOTICE_MAX - 1)
};

/**
 * enum chess_run_flags
 * @CHESS_RUN_FLAGS_MAPS: keep the file mappings of the program, for record-get
 * @CHESS_RUN_FLAGS_NO_SYSCALL_POINTS: system calls are not points; those made
 *   inside traps never are
 * @CHESS_RUN_FLAGS_VIRTUAL_TIME: time is the group's: a timed wait ends when a
 *   decision says so, and clocks are answered from the group's clock
 * @CHESS_RUN_FLAGS_FIXED_RANDOM: random numbers come from a generator that
 *   starts the same in every run
 * @CHESS_RUN_FLAGS_YIELD_TRYLOCK: a task that tries a lock again, and did
 *   nothing else with it since its last try, yields there
 * @CHESS_RUN_FLAGS_EARLY_TIMERS: an armed timer of the program may go off at
 *   any decision, if the prefix or the policy says so; with virtual-time
 * @CHESS_RUN_FLAGS_NO_EARLY: policies let deadlines and timers pass only when
 *   no other task can run
 * @CHESS_RUN_FLAGS_LATE_WATCHDOGS: a time limit for a child that is waited for
 *   passes only when no other task can run; with virtual-time
 * @CHESS_RUN_FLAGS_WAKE_ANY: the waiter that is woken is chosen by a decision,
 *   not by the order in which the waiters came
 * @CHESS_RUN_FLAGS_NO_WATCHDOGS: a time limit for a child that is waited for
 *   never passes; with late-watchdogs
 * @CHESS_RUN_FLAGS_SPURIOUS: a wait for a condition or a futex may end without
 *   a wake-up at any decision, if the prefix or the policy says so; with
 *   virtual-time
 * @CHESS_RUN_FLAGS_SPLIT_UPDATES: an access that reads and writes memory
 *   without a lock is two points, and others may write in between
 * @CHESS_RUN_FLAGS_LATE_LIMITS: a timer that is set for a second or more and
 *   would end its process does not go off early; with early-timers
 * @CHESS_RUN_FLAGS_LONG_ROWS: a task takes 100000 points in a row, not 1000,
 *   before it is taken to wait in a loop and others go first
 * @CHESS_RUN_FLAGS_YIELD_AWAIT: a task that waits in a loop that does nothing
 *   else yields there: see struct chess_operand, awaits
 * @CHESS_RUN_FLAGS_FROM_KEPT: the run goes on from the kept process, which
 *   forks its root task; no task is registered
 * @CHESS_RUN_FLAGS_FAST_POINTS: traps with CHESS_PROBE_JUMP may become jumps,
 *   with which a task notes its points by itself where it goes on; the record
 *   is the same
 * @CHESS_RUN_FLAGS_SPLIT_COPIES: an instruction that copies or fills memory, or
 *   a call that does, is several points, and others may run in the middle
 * @CHESS_RUN_FLAGS_MORE_CALLS: calls that set and get the processors of a task
 *   are points, too, and what the program has set is shown to it
 */
enum chess_run_flags {
	CHESS_RUN_FLAGS_MAPS = 1,
	CHESS_RUN_FLAGS_NO_SYSCALL_POINTS = 2,
	CHESS_RUN_FLAGS_VIRTUAL_TIME = 4,
	CHESS_RUN_FLAGS_FIXED_RANDOM = 8,
	CHESS_RUN_FLAGS_YIELD_TRYLOCK = 16,
	CHESS_RUN_FLAGS_EARLY_TIMERS = 32,
	CHESS_RUN_FLAGS_NO_EARLY = 64,
	CHESS_RUN_FLAGS_LATE_WATCHDOGS = 128,
	CHESS_RUN_FLAGS_WAKE_ANY = 256,
	CHESS_RUN_FLAGS_NO_WATCHDOGS = 512,
	CHESS_RUN_FLAGS_SPURIOUS = 1024,
	CHESS_RUN_FLAGS_SPLIT_UPDATES = 2048,
	CHESS_RUN_FLAGS_LATE_LIMITS = 4096,
	CHESS_RUN_FLAGS_LONG_ROWS = 8192,
	CHESS_RUN_FLAGS_YIELD_AWAIT = 16384,
	CHESS_RUN_FLAGS_FROM_KEPT = 32768,
	CHESS_RUN_FLAGS_FAST_POINTS = 65536,
	CHESS_RUN_FLAGS_SPLIT_COPIES = 131072,
	CHESS_RUN_FLAGS_MORE_CALLS = 262144,
};

/**
 * enum chess_stop_flags
 * @CHESS_STOP_FLAGS_KILL: send SIGKILL to every task of the group
 */
enum chess_stop_flags {
	CHESS_STOP_FLAGS_KILL = 1,
};

/**
 * enum chess_schedule_flags
 * @CHESS_SCHEDULE_FLAGS_APPEND: add the segments to the prefix instead of
 *   replacing it
 */
enum chess_schedule_flags {
	CHESS_SCHEDULE_FLAGS_APPEND = 1,
};

/**
 * enum chess_policy_kind - what decides after the prefix
 * @CHESS_POLICY_KIND_DEFAULT: the running task continues until it blocks, ends
 *   or yields; then the lowest id
 * @CHESS_POLICY_KIND_ROUND_ROBIN: as default, but then the next id in turn;
 *   with a slice also when a task has taken so many steps
 * @CHESS_POLICY_KIND_RANDOM: all tasks that may be chosen are equally likely
 * @CHESS_POLICY_KIND_PCT: random priorities of tasks, lowered at change points
 * @CHESS_POLICY_KIND_POS: random priorities of operations, drawn again where
 *   they race
 * @CHESS_POLICY_KIND_SURW: random, weighted by the events of the chosen object
 *   that each task still has
 * @CHESS_POLICY_KIND_HOLD: as default, but a task at one of the chosen
 *   accesses or calls waits for all others
 * @CHESS_POLICY_KIND_ORDER: chosen accesses or calls are done in a chosen
 *   order where the program allows it
 * @CHESS_POLICY_KIND_PAIRS: as pos, but chosen accesses or calls read what
 *   chosen others wrote, or do not
 */
enum chess_policy_kind {
	CHESS_POLICY_KIND_DEFAULT,
	CHESS_POLICY_KIND_ROUND_ROBIN,
	CHESS_POLICY_KIND_RANDOM,
	CHESS_POLICY_KIND_PCT,
	CHESS_POLICY_KIND_POS,
	CHESS_POLICY_KIND_SURW,
	CHESS_POLICY_KIND_HOLD,
	CHESS_POLICY_KIND_ORDER,
	CHESS_POLICY_KIND_PAIRS,

	/* private: */
	__CHESS_POLICY_KIND_MAX,
	CHESS_POLICY_KIND_MAX = (__CHESS_POLICY_KIND_MAX - 1)
};

/**
 * enum chess_adopt_flags
 * @CHESS_ADOPT_FLAGS_TREE: include the descendants of the process
 * @CHESS_ADOPT_FLAGS_FOLLOW: processes that adopted ones create from now on
 *   stay under control; without it they are released before their first
 *   instruction. Threads always stay.
 * @CHESS_ADOPT_FLAGS_HOLD: the first decision is taken at run-release; until
 *   then all tasks wait
 * @CHESS_ADOPT_FLAGS_LATCH: latch wake-ups from outside the group as in the
 *   runs of a program: their place in the record does not depend on when they
 *   came; and send notices of idleness
 */
enum chess_adopt_flags {
	CHESS_ADOPT_FLAGS_TREE = 1,
	CHESS_ADOPT_FLAGS_FOLLOW = 2,
	CHESS_ADOPT_FLAGS_HOLD = 4,
	CHESS_ADOPT_FLAGS_LATCH = 8,
};

/**
 * enum chess_let_go_reason
 * @CHESS_LET_GO_REASON_STALL: a task was held for longer than max-stall-ms
 * @CHESS_LET_GO_REASON_SILENCE: the owner sent nothing for longer than
 *   heartbeat-ms
 * @CHESS_LET_GO_REASON_SLOWDOWN: more tasks than max-slowdown allows had to
 *   wait for each other
 * @CHESS_LET_GO_REASON_TASKS: there are no numbers left for new tasks
 */
enum chess_let_go_reason {
	CHESS_LET_GO_REASON_STALL = 1,
	CHESS_LET_GO_REASON_SILENCE,
	CHESS_LET_GO_REASON_SLOWDOWN,
	CHESS_LET_GO_REASON_TASKS,

	/* private: */
	__CHESS_LET_GO_REASON_MAX,
	CHESS_LET_GO_REASON_MAX = (__CHESS_LET_GO_REASON_MAX - 1)
};

/**
 * enum chess_probe_flags
 * @CHESS_PROBE_FLAGS_APPEND: add the traps to those the file has; all have
 *   higher offsets
 */
enum chess_probe_flags {
	CHESS_PROBE_FLAGS_APPEND = 1,
};

enum {
	CHESS_A_GROUP_ID = 1,
	CHESS_A_GROUP_QUANTUM_US,
	CHESS_A_GROUP_MAX_EVENTS,
	CHESS_A_GROUP_STATE,
	CHESS_A_GROUP_CPU,
	CHESS_A_GROUP_OWNER_PORTID,
	CHESS_A_GROUP_OWNER_PID,
	CHESS_A_GROUP_TASKS,
	CHESS_A_GROUP_EVENTS,
	CHESS_A_GROUP_DECISIONS,
	CHESS_A_GROUP_RUNS,
	CHESS_A_GROUP_TOKEN,
	CHESS_A_GROUP_LOST,
	CHESS_A_GROUP_STALLS,
	CHESS_A_GROUP_PROBES,
	CHESS_A_GROUP_OUTSIDE_TASK,
	CHESS_A_GROUP_OUTSIDE_PID,
	CHESS_A_GROUP_OUTSIDE_COMM,
	CHESS_A_GROUP_LET_GO,
	CHESS_A_GROUP_ADOPTED,

	__CHESS_A_GROUP_MAX,
	CHESS_A_GROUP_MAX = (__CHESS_A_GROUP_MAX - 1)
};

enum {
	CHESS_A_TASK_GROUP = 1,
	CHESS_A_TASK_PID,
	CHESS_A_TASK_ID,
	CHESS_A_TASK_STATE,
	CHESS_A_TASK_SEQ,
	CHESS_A_TASK_ADOPT_FLAGS,
	CHESS_A_TASK_MAX_STALL_MS,
	CHESS_A_TASK_HEARTBEAT_MS,
	CHESS_A_TASK_MAX_SLOWDOWN,
	CHESS_A_TASK_TAKEN,
	CHESS_A_TASK_LATE,

	__CHESS_A_TASK_MAX,
	CHESS_A_TASK_MAX = (__CHESS_A_TASK_MAX - 1)
};

enum {
	CHESS_A_PROBE_GROUP = 1,
	CHESS_A_PROBE_FD,
	CHESS_A_PROBE_ENTRIES,
	CHESS_A_PROBE_OPERANDS,
	CHESS_A_PROBE_FLAGS,

	__CHESS_A_PROBE_MAX,
	CHESS_A_PROBE_MAX = (__CHESS_A_PROBE_MAX - 1)
};

enum {
	CHESS_A_SCHEDULE_GROUP = 1,
	CHESS_A_SCHEDULE_FLAGS,
	CHESS_A_SCHEDULE_SEGMENTS,
	CHESS_A_SCHEDULE_POLICY,
	CHESS_A_SCHEDULE_SEED,
	CHESS_A_SCHEDULE_CHANGES,
	CHESS_A_SCHEDULE_WEIGHTS,
	CHESS_A_SCHEDULE_OBJECT_KIND,
	CHESS_A_SCHEDULE_OBJECT,

	__CHESS_A_SCHEDULE_MAX,
	CHESS_A_SCHEDULE_MAX = (__CHESS_A_SCHEDULE_MAX - 1)
};

enum {
	CHESS_A_RUN_GROUP = 1,
	CHESS_A_RUN_FLAGS,
	CHESS_A_RUN_STOP_FLAGS,
	CHESS_A_RUN_STACK_SEQS,
	CHESS_A_RUN_NOTICE,
	CHESS_A_RUN_SEQ,
	CHESS_A_RUN_RUN,
	CHESS_A_RUN_FAIR,
	CHESS_A_RUN_MAX_ACCESSES,
	CHESS_A_RUN_EARLY_MAX,
	CHESS_A_RUN_LATE_PROGRAMS,
	CHESS_A_RUN_KEEP_AT,
	CHESS_A_RUN_PID,

	__CHESS_A_RUN_MAX,
	CHESS_A_RUN_MAX = (__CHESS_A_RUN_MAX - 1)
};

enum {
	CHESS_A_RECORD_GROUP = 1,
	CHESS_A_RECORD_EVENTS,
	CHESS_A_RECORD_STACK,
	CHESS_A_RECORD_MAPS,
	CHESS_A_RECORD_OBJECTS,
	CHESS_A_RECORD_MAPPED,

	__CHESS_A_RECORD_MAX,
	CHESS_A_RECORD_MAX = (__CHESS_A_RECORD_MAX - 1)
};

enum {
	CHESS_A_ACCESS_GROUP = 1,
	CHESS_A_ACCESS_POINTS,
	CHESS_A_ACCESS_ENTRIES,
	CHESS_A_ACCESS_LOST,

	__CHESS_A_ACCESS_MAX,
	CHESS_A_ACCESS_MAX = (__CHESS_A_ACCESS_MAX - 1)
};

enum {
	CHESS_CMD_GROUP_NEW = 1,
	CHESS_CMD_GROUP_GET,
	CHESS_CMD_GROUP_DEL,
	CHESS_CMD_TASK_ADD,
	CHESS_CMD_TASK_GET,
	CHESS_CMD_PROBE_ADD,
	CHESS_CMD_SCHEDULE_SET,
	CHESS_CMD_RUN_START,
	CHESS_CMD_RUN_STOP,
	CHESS_CMD_RECORD_GET,
	CHESS_CMD_EVENT_NTF,
	CHESS_CMD_TASK_ADOPT,
	CHESS_CMD_RUN_RELEASE,
	CHESS_CMD_POINTS_SET,
	CHESS_CMD_ACCESS_GET,

	__CHESS_CMD_MAX,
	CHESS_CMD_MAX = (__CHESS_CMD_MAX - 1)
};

#endif /* _UAPI_LINUX_CHESS_H */
