/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl doctor -- PROGRAM: is a program deterministic under control? doctor.c runs it,
 * doctor_account.c works out what the runs came to, doctor_text.c and doctor_json.c write that.
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "doctor_account.h"
#include "report/report.h"
#include "session.h"
#include "sources.h"

/**
 * struct doctor - runs that have been made
 * @s: the program
 * @run: the runs
 * @n: how many
 * @account: what they came to
 * @again: one run more with stacks and mappings, where runs differ
 * @sources: what another one read from outside control
 */
struct doctor {
	struct session *s;
	struct chess_run_result *run;
	unsigned int n;
	struct doctor_account account;
	struct chess_run_result again;
	struct sources sources;
};

/*
 * Runs the program of an open session @runs times under the default policy and
 * prints every source of nondeterminism it sees. Return: exit code for the command.
 */
int doctor_program(struct session *s, const struct session_opts *o, unsigned int runs, bool json);

/* doctor_text.c, doctor_json.c: all of it */
void doctor_text(const struct doctor *d);
void doctor_json(const struct doctor *d);

/* A report of one run; @t is what it was made from. */
void doctor_open_report(const struct doctor *d, unsigned int run, struct chess_trace *t,
			struct report *r);

#endif /* CLI_DOCTOR_H */
