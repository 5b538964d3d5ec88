/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libchessctl share and nobody else sees. Everything here has
 * hidden visibility; selftests/unit links the archive and may use it too.
 */
#ifndef CHESSCTL_INTERNAL_H
#define CHESSCTL_INTERNAL_H

#include "chessctl/chessctl.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* log.c */

/**
 * chess_set_error() - keep the sentence chess_error() hands out
 * @err: positive errno
 * @fmt: one sentence: what was asked, what was found, what to do
 *
 * Also sets errno, so that a constructor says
 * "chess_set_error(EINVAL, ...); return NULL;".
 *
 * Return: -@err
 */
int chess_set_error(int err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* schedule.c: @task is chosen @count times in a row; 0 or -errno */
int chess_schedule_push_run(struct chess_schedule *s, uint16_t task, size_t count);
/* schedule.c: decisions among the first @length; where nobody was enabled none was taken */
size_t chess_schedule_decisions(const struct chess_schedule *s, size_t length);

/* record.c: the stacks of a record in the order they were pushed */
size_t chess_record_stacks(const struct chess_record *r);
const struct chess_stack *chess_record_stack_at(const struct chess_record *r, size_t i);

/* record.c: make @r as good as new, but keep its memory */
void chess_record_clear(struct chess_record *r);
/* decisions.c: a point of a yield, or a quantum: the task there says that it cannot continue */
bool chess_event_gives_way(const struct chess_event *e);
/*
 * record.c: does @e create a thread for sure? It is a call of pthread_create() then, which gets a
 * pointer. fork() gets none, and clone() may do either.
 */
bool chess_event_makes_thread(const struct chess_event *e);
/* May it create a process? */
bool chess_event_may_fork(const struct chess_event *e);
/* Of an access, how many words of CHESS_WORD bytes it concerns, from that of @object up. */
#define CHESS_WORD	8
uint64_t chess_event_words(const struct chess_event *e);
/* record.c: names of objects as the module gives them; copied. 0 or -errno. */
int chess_record_set_objects(struct chess_record *r, const void *names, size_t size);
/* record.c: files without traps, as record-get gives them (CHESS_A_RECORD_MAPPED); NULL: none */
int chess_record_set_mapped(struct chess_record *r, const char *mapped);
const char *chess_record_mapped(const struct chess_record *r);
/* Number of the object of kind inode or system with this inode; 0: it has none. */
uint32_t chess_record_object(const struct chess_record *r, uint64_t dev, uint64_t ino);
/* How many objects have names. */
size_t chess_record_objects(const struct chess_record *r);
/* Its device; 0: not known. */
uint64_t chess_record_object_dev(const struct chess_record *r, uint64_t number);

#endif /* CHESSCTL_INTERNAL_H */
