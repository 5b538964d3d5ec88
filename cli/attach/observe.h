/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What attach --observe shows: attach_observe.c runs the show, observe_account.c works out what
 * was seen, observe_text.c writes it for people, observe_json.c for programs, observe_names.c
 * names addresses.
 */
#ifndef CLI_OBSERVE_H
#define CLI_OBSERVE_H

#include <chessctl/chessctl.h>

struct names;

/**
 * struct observation - a process looked at
 * @pid: its number
 * @program: its name
 * @live: what is seen of it
 * @names: for its addresses
 * @start: CLOCK_MONOTONIC, ns
 * @now: of the last look
 * @alarms: so far
 * @end: why it ended: "interrupt", "time", "process"; NULL: it goes on
 */
struct observation {
	pid_t pid;
	char program[16];
	struct chess_live *live;
	struct names *names;
	uint64_t start, now;
	size_t alarms;
	const char *end;
};

/* observe_names.c: strings are malloc'ed */
struct names *names_new(void);
void names_free(struct names *n);
/* "account+0x28", or "0x7f..." */
char *names_variable(struct names *n, pid_t tgid, uint64_t address);
/* "transfer() at service.c:87", NULL: not known */
char *names_place(struct names *n, pid_t tgid, const struct chess_stack *stack);

/* observe_text.c */
void observe_alarm(const struct observation *o, const struct chess_live_alarm *a);
/* One screen, over the last one. */
void observe_screen(const struct observation *o);
void observe_summary(const struct observation *o);
/* 12:01:02.345 of a time of CLOCK_MONOTONIC */
char *observe_clock(uint64_t time);

/* observe_json.c */
void observe_json(const struct observation *o);

#endif /* CLI_OBSERVE_H */
