/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One account of a process that was observed: worked out once at each look, for
 * observe_text.c and observe_json.c. Borrows from the observation, strings are its own.
 */
#ifndef CLI_OBSERVE_ACCOUNT_H
#define CLI_OBSERVE_ACCOUNT_H

#include <chessctl/chessctl.h>

struct names;

/**
 * struct observed_wait - what something waits on
 * @what: "mutex account+0x28", "read fd 3 pipe:[12]", "the end of a thread"; NULL: nothing
 * @symbol: the name of its address; NULL: it has none
 * @address: of the lock or the futex; 0: it is neither
 * @thread: the end of a thread is waited for
 */
struct observed_wait {
	char *what, *symbol;
	uint64_t address;
	bool thread;
};

struct observed_task {
	const struct chess_live_task *task;
	struct observed_wait wait;
};

struct observed_object {
	const struct chess_live_object *object;
	struct observed_wait wait;
};

/* A task of a cycle; @next: it waits for this one. @where: in its program, or NULL. */
struct observed_edge {
	const struct chess_live_edge *edge;
	struct observed_wait wait;
	uint32_t next;
	char *where;
};

struct observed_alarm {
	const struct chess_live_alarm *alarm;
	struct observed_edge *edge;	/* as many as @alarm has */
};

/**
 * struct observe_account - see above
 * @task: tasks of the last look, @n_tasks of them
 * @object: what was waited on, the longest first, @n_objects of them
 * @alarm: cycles so far, @n_alarms of them
 * @verdict: CHESS_VERDICT_DEADLOCK or CHESS_VERDICT_OK
 * @lost_tasks: that found no room
 * @lost_objects: the same
 */
struct observe_account {
	struct observed_task *task;
	size_t n_tasks;
	struct observed_object *object;
	size_t n_objects;
	struct chess_live_object *objects;
	struct observed_alarm *alarm;
	size_t n_alarms;
	enum chess_verdict verdict;
	uint64_t lost_tasks, lost_objects;
};

/*
 * @alarms: that have been reported so far. @most: only so many tasks and objects are named, of
 * the others @what and @symbol are NULL: a screen has no room for them. observe_account_clear()
 * frees what is in *@out.
 */
void observe_account_of(struct chess_live *live, struct names *names, size_t alarms, size_t most,
			struct observe_account *out);
void observe_account_clear(struct observe_account *a);

/* The parts of it. */
void observed_alarm_of(struct names *n, const struct chess_live_alarm *a,
		       struct observed_alarm *out);
void observed_alarm_clear(struct observed_alarm *a);
struct observed_wait observed_task_wait(struct names *n, const struct chess_live_task *t);
struct observed_wait observed_object_wait(struct names *n, const struct chess_live_object *o);
void observed_wait_clear(struct observed_wait *w);

#endif /* CLI_OBSERVE_ACCOUNT_H */
