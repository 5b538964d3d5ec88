/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: the module, over generic netlink: groups, tasks, traps, what decides, runs.
 */
#ifndef CHESSCTL_API_MODULE_H
#define CHESSCTL_API_MODULE_H

#include <chessctl/api.h>
#include <chessctl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* nl.c: the module, over generic netlink */
struct chess_ctl;
/* errno: ENOENT, the module is not loaded; EPERM, it is closed to this user */
CHESS_API struct chess_ctl *chess_ctl_open(void);
CHESS_API void chess_ctl_close(struct chess_ctl *c);
struct chess_group_info {
	uint32_t id, quantum_us, max_events, state, cpu, owner_portid, owner_pid;
	uint32_t tasks, events, decisions, runs, token, lost, stalls, probes;
	uint32_t outside_task;	/* last woken from outside in the run, or CHESS_TASK_NONE ... */
	uint32_t outside_pid;	/* ... by this process, 0: an interrupt or gone, ... */
	char outside_comm[16];	/* ... of this name, or empty */
	uint32_t let_go;	/* enum chess_let_go_reason, 0: the module did not */
	uint32_t adopted;	/* process that was running, or 0 */
};
struct chess_task_info { uint32_t group, pid, id, state, seq; };
CHESS_API int chess_group_new(struct chess_ctl *c, uint32_t quantum_us,
			uint32_t max_events, uint32_t *id);
CHESS_API int chess_group_del(struct chess_ctl *c, uint32_t id);
CHESS_API int chess_group_get(struct chess_ctl *c, uint32_t id, struct chess_group_info *info);
/* arrays are malloc'ed; return the count */
CHESS_API int chess_group_list(struct chess_ctl *c, struct chess_group_info **out);
CHESS_API int chess_task_list(struct chess_ctl *c, uint32_t group,
			struct chess_task_info **out);
CHESS_API int chess_task_add(struct chess_ctl *c, uint32_t group, uint32_t pid);
/*
 * The sync functions that get traps from now on: those of the first @n rows of the wrapper
 * table, which a replay of an older trace knows; 0, as at first: all of them.
 */
CHESS_API void chess_ctl_set_functions(struct chess_ctl *c, uint32_t n);
CHESS_API uint32_t chess_ctl_functions(const struct chess_ctl *c);
/*
 * Which deadlines and timers do not pass early in the runs that are started from now on: those
 * that are further away than @early_max milliseconds when they are set (0: by their length none
 * is kept), and those of processes with one of these names, as in /proc/PID/comm, with commas
 * between and CHESS_LATE_PROGRAMS bytes at most (NULL: none). @programs is not copied. For runs
 * with CHESS_RUN_FLAGS_VIRTUAL_TIME.
 */
#define CHESS_LATE_PROGRAMS	127
CHESS_API void chess_ctl_set_late(struct chess_ctl *c, uint32_t early_max, const char *programs);
/* A process that is running, for the run that is armed. Zero: without that limit. */
struct chess_adopt_opts {
	size_t sz;
	uint32_t flags;		/* enum chess_adopt_flags */
	uint32_t max_stall_ms;
	uint32_t heartbeat_ms;
	uint32_t max_slowdown;	/* in hundredths */
};
/* how many tasks were taken, and how many of them are still to arrive */
struct chess_adopted { uint32_t taken, late; };
CHESS_API int chess_task_adopt(struct chess_ctl *c, uint32_t group, uint32_t pid,
			const struct chess_adopt_opts *o, struct chess_adopted *out);
CHESS_API int chess_probe_add(struct chess_ctl *c, uint32_t group, int fd,
			const struct chess_probe *p, size_t n);
/* site N is bit N % 64 of word N / 64; from the next run on these are points */
CHESS_API int chess_points_set(struct chess_ctl *c, uint32_t group, const uint64_t *words,
			size_t n);
/* accesses of the last run, *out malloc'ed; how many did not fit or have no address */
CHESS_API int chess_access_get(struct chess_ctl *c, uint32_t group, struct chess_access **out,
			size_t *n, uint64_t *lost);
/*
 * What decides in a run: the prefix, and after it a policy (kmod/policy.c). All zero
 * is the empty prefix with the default policy.
 */
struct chess_plan {
	struct chess_schedule *prefix;	/* may be NULL */
	size_t length;			/* the number of its decisions to use */
	enum chess_policy_kind policy;
	uint64_t seed;			/* random, pct, pos, surw */
	/* round robin: none, or the steps of a slice. pct: numbers of decisions, 1: the first
	 * with two tasks. hold: pairs of a site and the task held there, CHESS_TASK_NONE: all;
	 * the first pair continues first
	 */
	uint32_t *changes;
	size_t n_changes;		/* depth - 1, or two a pair; at most CHESS_MAX_CHANGES */
	uint32_t *weights;		/* surw: by task id, events expected */
	size_t n_weights;
	uint32_t object_kind;		/* surw: whose events; CHESS_OBJECT_NONE: all points */
	uint64_t object;
	bool unrecorded;		/* accesses are not, though the runner records them */
	bool unbounded;			/* of a part of the search that has no bound */
	bool predicted;			/* what the run would do is known, and it is not made */
	void *ticket;			/* of the strategy that made the plan; else NULL */
};
CHESS_API int chess_plan_set(struct chess_ctl *c, uint32_t group, const struct chess_plan *plan);
/* the first @length decisions of @s, or none when s is NULL; then the default policy */
CHESS_API int chess_schedule_set(struct chess_ctl *c, uint32_t group,
			const struct chess_schedule *s, size_t length);
/* fair: each fair-th yield of a task counts for the fair scheduler; 0: none */
CHESS_API int chess_run_start(struct chess_ctl *c, uint32_t group, uint32_t flags,
			uint32_t fair, const uint32_t *stack_seqs, size_t n);
CHESS_API int chess_run_stop(struct chess_ctl *c, uint32_t group, uint32_t flags);
/* of tasks that were adopted with CHESS_ADOPT_FLAGS_HOLD: from now on decisions are taken */
CHESS_API int chess_run_release(struct chess_ctl *c, uint32_t group);
struct chess_run_notice { uint32_t group, notice, seq, run; };
/* next notice; -ETIMEDOUT after timeout_ms (-1: for ever), -EINTR on a signal */
CHESS_API int chess_notice_wait(struct chess_ctl *c, int timeout_ms,
			struct chess_run_notice *n);
CHESS_API struct chess_record *chess_record_get(struct chess_ctl *c, uint32_t group);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_MODULE_H */
