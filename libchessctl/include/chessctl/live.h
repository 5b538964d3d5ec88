/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: processes that run already: taken for one request after another, or looked
 * at and left alone.
 */
#ifndef CHESSCTL_API_LIVE_H
#define CHESSCTL_API_LIVE_H

#include <chessctl/api.h>
#include <chessctl/module.h>
#include <chessctl/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * service.c: a process that runs already, searched with one request at a time. Each run
 * takes it, has a shell command ask it for something, and lets go of it when the command
 * has returned and all its tasks wait again; in between it is free.
 */
/* Let go of adopted tasks, and wait until they are; -EBUSY: some are not after @ms */
CHESS_API int chess_run_leave(struct chess_ctl *c, uint32_t group, unsigned int ms);
struct chess_service;
struct chess_service_opts {
	size_t sz;
	uint32_t group;		/* with the traps it is to have */
	pid_t pid;
	const char *command;	/* for sh -c; not under control */
	uint32_t flags;		/* CHESS_ADOPT_FLAGS_TREE, CHESS_ADOPT_FLAGS_FOLLOW */
	uint32_t run_timeout_ms;	/* for a request; 0: 10 s */
	uint32_t max_stall_ms;	/* no task is held longer; 0: no limit */
	bool no_syscall_points;
	bool (*interrupted)(void);	/* called during a run: end it? may be NULL */
};
CHESS_API struct chess_service *chess_service_new(struct chess_ctl *c,
			const struct chess_service_opts *o);
CHESS_API void chess_service_free(struct chess_service *s);
/* The command once, with the service free; verdict and output in *@out. -EINTR, -errno */
CHESS_API int chess_service_try(struct chess_service *s, struct chess_run_result *out);
/*
 * One run, for struct chess_executor. -EINTR; -ESRCH: the process is gone and that was no
 * bug; -EBUSY: before the first run it never came to rest
 */
CHESS_API int chess_service_run(struct chess_service *s, const struct chess_plan *plan,
			struct chess_run_result *out);
/* A sentence: why runs were no runs of the search; NULL: all were */
CHESS_API const char *chess_service_note(const struct chess_service *s);

/*
 * live.c: processes that run, seen with BPF and left alone (docs/observe.md). Times are
 * nanoseconds of CLOCK_MONOTONIC, 0: not seen. What is handed out is good until the next
 * chess_live_update() or chess_live_free(). NULL and errors come with chess_error(), as
 * those of chess_look_new(); -ESRCH: no watched process is left.
 */
struct chess_live;
struct chess_live_opts {
	size_t sz;
	pid_t pid;
	bool tree;		/* its descendants too */
	bool follow;		/* and the children they will have */
};

/* a task at the last look */
struct chess_live_task {
	uint32_t tid, tgid;
	char name[16];
	char state;		/* R, S, D, T, t, Z, as in /proc/PID/stat */
	bool timed;		/* what it waits in has a time-out */
	int32_t nr;		/* the system call it is blocked in; negative: none */
	uint64_t since;		/* it blocked; 0: before it was watched, or it is not blocked */
	uint64_t waits, wait_ns, longest_ns;	/* those that are over */
	uint64_t woken;		/* when last */
	uint32_t waker;		/* by whom, 0: not seen */
	char waker_name[16];
	bool interrupt;		/* by an interrupt that the waker served by chance */
	char *call;		/* "read pipe:[123]"; NULL: it is not blocked */
	char *object;		/* its contents, and the tasks at its other end; may be NULL */
	const char *lock;	/* "mutex", "rwlock", "thread": what the futex is; or NULL */
	uint64_t address;	/* of the lock or the futex */
	uint32_t holder;	/* the task that can end the wait, 0: unknown, or several */
	bool probably;		/* it has not been seen to hold it */
};

/* something waited on, by the tasks of one process */
struct chess_live_object {
	uint32_t tgid;
	int32_t nr;		/* in which call; negative: none */
	uint64_t word;		/* address of a futex; descriptor */
	char *text;		/* "read pipe:[123]" */
	uint64_t waits, wait_ns, longest_ns;	/* including those in progress */
	uint32_t waiting;	/* tasks now */
	uint64_t holds, hold_ns, longest_hold_ns;	/* from one hand-over to the next */
};

/* a task of a cycle: it waits for the next one, the last for the first */
struct chess_live_edge {
	uint32_t tid, tgid;
	char name[16];
	uint64_t since;
	char *call;
	const char *lock;	/* as in struct chess_live_task */
	uint64_t address;
	bool probably;
	struct chess_stack *stack;	/* of the task, NULL: cannot be read */
};

/* tasks that wait for each other for ever */
struct chess_live_alarm {
	uint64_t formed;	/* the last of them blocked; 0: before it was watched */
	uint64_t seen;		/* twice by then */
	struct chess_live_edge *edges;
	size_t n;
	size_t behind;		/* other tasks that wait for these */
};

CHESS_API struct chess_live *chess_live_new(const struct chess_live_opts *o);
CHESS_API void chess_live_free(struct chess_live *l);
/* look; to be called a few times a second. *@alarms: how many there are so far */
CHESS_API int chess_live_update(struct chess_live *l, size_t *alarms);
CHESS_API const struct chess_live_task *chess_live_tasks(const struct chess_live *l, size_t *n);
/* all so far; those stay good until the end */
CHESS_API const struct chess_live_alarm *chess_live_alarm(const struct chess_live *l, size_t i);
/* the longest waited on first; malloc'ed, for chess_live_objects_free() */
CHESS_API int chess_live_objects(struct chess_live *l, struct chess_live_object **objects,
			size_t *n);
CHESS_API void chess_live_objects_free(struct chess_live_object *objects, size_t n);
/* how much was not noted because there was no room: tasks, objects */
CHESS_API void chess_live_lost(struct chess_live *l, uint64_t *tasks, uint64_t *objects);

/* The task of the last look with this number in the first pid namespace, or NULL */
CHESS_API const struct chess_live_task *chess_live_find(const struct chess_live *l, uint32_t gtid);
/* Where a task of the last look is in its program; malloc'ed; NULL: it runs, or is none */
CHESS_API struct chess_stack *chess_live_stack(const struct chess_live *l, uint32_t tid);

/*
 * hits.c: waits until a task comes to a place in a program, with a BPF program at a uprobe
 * there, which notes it; the task continues.
 */
struct chess_hits;
struct chess_hit {
	uint64_t time;		/* CLOCK_MONOTONIC */
	uint32_t tid, tgid;	/* in the first pid namespace */
};
CHESS_API struct chess_hits *chess_hits_new(void);
CHESS_API void chess_hits_free(struct chess_hits *h);
/*
 * One more place, for one process: in the file @path the function @name, or with @provider
 * the USDT probe. 0; -ENOENT: the file has none; -EPERM; -errno; with chess_error()
 */
CHESS_API int chess_hits_add(struct chess_hits *h, pid_t pid, const char *path,
			const char *provider, const char *name);
/* For at most @ms: 0 and the first hit of all, the same each time; -ETIMEDOUT; -errno */
CHESS_API int chess_hits_wait(struct chess_hits *h, int ms, struct chess_hit *hit);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_LIVE_H */
