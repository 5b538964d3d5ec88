/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the report share; its users see report.h only.
 *
 * report.c		the whole report as text: verdict, where, preemptions, last words
 * report_end.c		how it ended: deaths, faults, monitors, output
 * report_livelock.c	what a livelock repeats
 * report_waits.c	what blocked tasks wait for
 * report_json.c	the whole report as JSON
 * report_stacks.c	which stacks it wants
 * report_text.c	events in words
 */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "report/report.h"

#define CYCLE_SHOWN		16	/* steps of a livelock */
#define HOLDERS_SHOWN		2	/* of each wait */

/* report_end.c */
/* The death that decided, with the instruction, the address and the stack. */
void report_print_death(const struct report *r, FILE *to);
/* What a monitor inside the program said. */
void report_print_complaint(const struct report *r, FILE *to);
/* The end of what the program wrote. */
void report_print_output(const struct report *r, FILE *to);
/* adds "exit_status", "signal", "dead_task", "fault", "monitor", "stdout" */
void report_json_end(const struct report *r, struct json_object *o);

/* Three columns of a line, the last ones perhaps empty; no blanks at the end. */
void report_print_columns(FILE *to, const char *op, const char *where, const char *more);
/* Who called the function that @e is in, where that is known. */
void report_print_callers(const struct report *r, const struct chess_event *e, FILE *to);

/* What a livelock repeats, one line for each step of its last round. */
void report_print_livelock(const struct report *r, FILE *to);
/* What a livelock repeats; null of any other verdict. */
struct json_object *report_json_livelock(const struct report *r);

void report_print_waits(const struct report *r, FILE *to);
/* What one task waits for, and who could end it. */
void report_print_wait(const struct report *r, const struct chess_wait *w, FILE *to);
/* One of the account's: the task that was preempted, and what ran instead. */
void report_print_preemption(const struct report *r, const struct chess_account_preemption *p,
			     FILE *to);
/* adds "waits" */
void report_json_waits(const struct report *r, struct json_object *o);
/* Tasks that wait for each other, in a circle. */
struct json_object *report_json_cycle(const struct report *r);

/* @text is freed; "" becomes null. */
void report_json_take(struct json_object *o, const char *key, char *text);

#endif /* CLI_REPORT_PARTS_H */
