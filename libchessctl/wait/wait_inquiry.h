/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files that explain waits share; callers see wait.h only.
 *
 * wait.c	all blocked tasks of a group
 * wait_call.c	which call one is in, and the function for it
 * wait_futex.c	futexes and sync functions
 * wait_fd.c	file descriptors
 * wait_lock.c	locks on files
 * wait_ipc.c	System V objects and message queues
 * wait_inquiry.c	what those need
 */
#ifndef CHESSCTL_WAIT_INQUIRY_H
#define CHESSCTL_WAIT_INQUIRY_H

#include <limits.h>
#include <sys/stat.h>

#include "chessctl/chessctl.h"
#include "wait/outside.h"

#define TEXT_MAX	400

/**
 * struct wait_inquiry - what is asked about one blocked task, and the answer
 * @tasks: all tasks of the group
 * @n_tasks: how many
 * @tgids: the process of each
 * @in: their processes
 * @record: what they did, or NULL
 * @wait: where the result goes
 * @task: the one
 * @tgid: its process
 * @point: its last point, or NULL
 * @timed: the record says that it has a deadline
 * @err: negative errno, once something failed
 * @nr: the call it is in
 * @arg: arguments of that call
 * @text: what is found out, as it grows
 */
struct wait_inquiry {
	const struct chess_task_info *tasks;
	size_t n_tasks;
	const pid_t *tgids;
	struct chess_inside in;
	const struct chess_record *record;
	struct chess_wait *wait;
	const struct chess_task_info *task;
	pid_t tgid;
	const struct chess_event *point;
	bool timed;
	int err;
	long nr;
	unsigned long arg[6];
	char text[TEXT_MAX];
};

/* Adds to the text. */
void chess_wait_say(struct wait_inquiry *q, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* " held by T1", for the thread id that the program itself uses; false: it is none of ours. */
bool chess_wait_say_holder(struct wait_inquiry *q, pid_t tid);
/* Names what is open as @fd. Return: false where that cannot be seen. */
bool chess_wait_say_fd(struct wait_inquiry *q, int fd, char link[PATH_MAX], struct stat *st);

/* Where @told by a record really is: addresses on the first stack are shifted. */
unsigned long chess_wait_real_address(const struct wait_inquiry *q, uint64_t told);
bool chess_wait_peek(const struct wait_inquiry *q, unsigned long address, void *to, size_t size);

/* Id of the task with this thread id, else of the first one of that process; -1. */
int chess_wait_task_of(const struct wait_inquiry *q, pid_t tid);
/* The same for an id that the program itself uses: NULL, if it is none of ours. */
const struct chess_task_info *chess_wait_named_task(const struct wait_inquiry *q, pid_t tid);

/* Task @i could end the wait by an op on this object. */
void chess_wait_add_holder(struct wait_inquiry *q, size_t i, enum chess_hold how, uint8_t kind,
			   uint64_t object);
/* Every task of this process but the waiting one; 0: of all processes. */
void chess_wait_add_process(struct wait_inquiry *q, pid_t tgid, uint8_t kind, uint64_t object);
/* Who of the group has this file open, so that it could make the other end ready? */
void chess_wait_add_openers(struct wait_inquiry *q, dev_t dev, ino_t ino,
			    enum chess_outside_mode mode);

/*
 * What a task in one of these calls waits for, in words, and who could end that. Return:
 * whether something outside the group may.
 */
bool chess_wait_futex(struct wait_inquiry *q);
bool chess_wait_open(struct wait_inquiry *q);
bool chess_wait_accept(struct wait_inquiry *q);
bool chess_wait_read(struct wait_inquiry *q);
bool chess_wait_write(struct wait_inquiry *q);
bool chess_wait_poll(struct wait_inquiry *q);
bool chess_wait_select(struct wait_inquiry *q);
bool chess_wait_epoll(struct wait_inquiry *q);
bool chess_wait_flock(struct wait_inquiry *q);
bool chess_wait_fcntl(struct wait_inquiry *q);
bool chess_wait_ipc(struct wait_inquiry *q);
bool chess_wait_queue(struct wait_inquiry *q);
/* The same for whatever call it is in, or for none. */
bool chess_wait_call(struct wait_inquiry *q);

#endif /* CHESSCTL_WAIT_INQUIRY_H */
