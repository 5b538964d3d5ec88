/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The failure report: made from a trace and nothing else, so that explore,
 * replay and show print the same. report_*.c write the parts, steps.c the table, tasks.c
 * the state of all tasks at one event.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <json-c/json.h>
#include <stdio.h>
#include <chessctl/chessctl.h>

#include "report/symbolize.h"

struct report {
	const struct chess_trace *trace;
	const struct chess_record *record;
	struct symbols *symbols;
	struct chess_account run;	/* what the trace says of its run */
};

void report_open(struct report *r, const struct chess_trace *t);
void report_close(struct report *r);

/* the object of an event, "" where it has none; malloc'ed */
char *report_object(const struct report *r, const struct chess_event *e);
/*
 * Indexes of the events at which the record says what comes next, *@n of them; malloc'ed. Where
 * nothing could run there was nothing to decide.
 */
size_t *report_decisions(const struct chess_record *r, size_t *n);
/* "futex 0x404080" becomes "futex queue_lock (0x404080)"; malloc'ed */
char *report_name_addresses(const struct report *r, const char *text);
/* "lock queue_lock", "read inode 3"; malloc'ed */
char *report_op(const struct report *r, const struct chess_event *e);
/* "queue_lock", "inode 3", "" where it is about none; malloc'ed */
char *report_object(const struct report *r, const struct chess_event *e);
/* as report_op(), with arguments and result, where the trace has them: "openat(...) = 3" */
char *report_call(const struct report *r, const struct chess_event *e);
/* the text of the system call at @e, as the trace has it; NULL: it has none */
const char *report_call_text(const struct report *r, const struct chess_event *e);
/* "main() at abba.c:12", "" when unknown; malloc'ed */
char *report_where(const struct report *r, const struct chess_event *e);
/* "exit status 3", "killed by SIGSEGV"; malloc'ed */
char *report_status(int status);

/* The innermost place of the user's own code at a fault; false: none is known. */
bool report_fault_place(const struct report *r, const struct chess_stack *stack,
			struct place *out);

/* The whole report. @path: of the trace, for the replay command; may be NULL. */
void report_print(const struct report *r, FILE *to, const char *path);
/* Two events that should have been equal, a line each with places. Indices. */
void report_difference(const struct report *expected, size_t at, const struct report *seen,
		       size_t seen_at, FILE *to);
char *report_event(const struct report *r, const struct chess_event *e);

/* adds all but the events: "waits", "preemption_points", ... */
void report_json(const struct report *r, struct json_object *o);
/* the same with the first @max of the "preemption_points" */
void report_json_first(const struct report *r, struct json_object *o, size_t max);
struct json_object *report_json_event(const struct report *r, size_t i);

/*
 * Events whose user stack explains the failure: preemptions, what ran instead,
 * and where each blocked or dead task stands, @bad the one whose death decided, or -1.
 * Sorted, at most CHESS_MAX_STACKS.
 */
uint32_t *report_stack_seqs(const struct chess_record *rec, int bad, const struct chess_wait *waits,
			    size_t n_waits, size_t *n);

/* As chess_runner_run() wants them. */
void report_sort_seqs(uint32_t *seqs, size_t n);

/* tasks.c: what each task does after event number @seq */
void tasks_print(const struct report *r, uint32_t seq);
struct json_object *tasks_json(const struct report *r, uint32_t seq);

/* steps.c */
void steps_print(const struct report *r, FILE *to);

/**
 * struct report_step - one line of the steps that are shown
 * @seq: number of its event
 * @task: who
 * @point: the op; NULL: @text says all
 * @text: in words, with ">" in front where the task was preempted before it
 * @preempted: it was
 * @left_out: so many steps are not shown between this one and the one before
 */
struct report_step {
	uint32_t seq;
	uint16_t task;
	const struct chess_event *point;
	char *text;
	bool preempted;
	size_t left_out;
};
typedef void steps_fn(void *arg, const struct report_step *step);
/* The steps that steps_print() shows. Return: how many are left out after the last one. */
size_t steps_each(const struct report *r, steps_fn *fn, void *arg);

#endif /* CLI_REPORT_H */
