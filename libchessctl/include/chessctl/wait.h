/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: what blocked tasks wait in, and which tasks could end the wait.
 */
#ifndef CHESSCTL_API_WAIT_H
#define CHESSCTL_API_WAIT_H

#include <chessctl/api.h>
#include <chessctl/module.h>
#include <chessctl/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How a task could end another one's wait; the lower, the surer. HAS: it holds the
 * lock. LOST: it took the lock before fork() copied it, and cannot release the copy.
 * IS: it is the thread or child that is waited for. TOOK: it took what is waited
 * for (room, where one waits to write) and gave nothing back (a semaphore, the byte in a pipe
 * used as a lock). GAVE: it gave such a thing before. MAY: it could, but never did anything to
 * it. GONE: it gave such a thing before and has ended.
 */
enum chess_hold {
	CHESS_HOLD_HAS = 1, CHESS_HOLD_LOST, CHESS_HOLD_IS, CHESS_HOLD_TOOK, CHESS_HOLD_GAVE,
	CHESS_HOLD_MAY, CHESS_HOLD_GONE,
};
CHESS_API const char *chess_hold_name(enum chess_hold how);

/* a task that could end a wait */
struct chess_holder {
	uint32_t task;
	uint32_t seq;		/* POINT event: it took, gave or was made then; 0: none */
	enum chess_hold how;
	/* what it works on, as in struct chess_event */
	uint8_t object_kind;
	bool other_end;		/* of a socket: what it reads there is not what is waited for */
	uint64_t object;
};

/* what a blocked task waits in, read while it is blocked (wait.c) */
struct chess_wait {
	uint32_t task, pid;
	uint32_t seq;		/* its last POINT event */
	char *text;		/* "futex 0x404080", "read pipe:[123]", "flock ./a held by T1" */
	/* what BPF adds (chess_waits_look()), each may be NULL */
	char *kernel;		/* "pipe_read,vfs_read,ksys_read": innermost first */
	char *object;		/* "pipe, 0 of 16 slots full; written through fd 4 of T0's process" */
	bool outside;		/* something outside the group may end the wait */
	bool asked;		/* the tasks that may end it were determined; not in older traces */
	struct chess_holder *holders;	/* tasks of the group that may, all equally sure */
	size_t n_holders;
	bool for_anybody;	/* @outside, by a process that would have to come first */
};

/*
 * The waits of those of @tasks that are blocked now, as the kernel shows them. @r: the
 * record so far, or NULL: then what they did before is not known. @real_time: deadlines
 * are the machine's. *@stuck: no task is enabled, at least one is blocked, and nothing
 * outside can end any wait. *@out is for chess_waits_free(). 0 or -errno with
 * chess_error().
 */
CHESS_API int chess_waits_inspect(const struct chess_task_info *tasks, size_t n_tasks,
			const struct chess_record *r, bool real_time,
			struct chess_wait **out, size_t *n, bool *stuck);
CHESS_API void chess_waits_free(struct chess_wait *waits, size_t n);

/*
 * inside.c: what the kernel's own structures say of blocked tasks, read with BPF
 * (docs/bpf.md); @kernel and @object of the @waits are filled in where they are NULL.
 * Loading takes a second or more in a VM: keep it. None of it runs until
 * chess_waits_look() is called. NULL comes with errno and chess_error(): ENOSYS built without
 * libbpf or clang, ENOTSUP the kernel has no type information or is too old, EPERM without CAP_BPF
 * and CAP_PERFMON.
 */
struct chess_look;
CHESS_API struct chess_look *chess_look_new(void);
CHESS_API void chess_look_free(struct chess_look *l);
CHESS_API int chess_waits_look(struct chess_look *l, const struct chess_task_info *tasks,
			size_t n_tasks, struct chess_wait *waits, size_t n);

/*
 * lost.c: how often was the condition, or the futex word, for which a task waits in event
 * number @seq signalled by its process before, when no task waited? Such a signal is lost.
 * @last: the last of them, or 0. Return: 0 or -ENOMEM.
 */
CHESS_API int chess_record_lost_signals(const struct chess_record *r, uint32_t seq, size_t *n,
					uint32_t *last);

/*
 * The waits of the tasks blocked after event number @seq, and the tasks that could end them,
 * as far as the record alone shows; text is NULL. As chess_waits_inspect().
 */
CHESS_API int chess_waits_at(const struct chess_record *r, uint32_t seq,
			struct chess_wait **out, size_t *n);

/*
 * graph.c: tasks that wait for each other in a cycle, each for the next one and the
 * last for the first; of the surest holders, the shortest cycle, from its lowest
 * task. @cycle: room for @n. Returns how many waits it has (indices go to @cycle), 0
 * when there is none.
 */
CHESS_API size_t chess_waits_cycle(const struct chess_wait *waits, size_t n, size_t *cycle);
/* the wait of @task, NULL when it is not among them */
CHESS_API const struct chess_wait *chess_wait_of(const struct chess_wait *waits, size_t n,
			uint32_t task);
/* the holder in waits[a] through which it waits for waits[b].task, or NULL */
CHESS_API const struct chess_holder *chess_wait_holder(const struct chess_wait *w, uint32_t task);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_WAIT_H */
