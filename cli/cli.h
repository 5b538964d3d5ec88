/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the commands of chessctl share: exit codes, the table of commands, and
 * the declared options. Included by every file of cli/.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <chessctl/chessctl.h>

/* The exit codes are a contract with people's scripts (chessctl(1)). */
enum cli_exit {
	CLI_OK = 0,		/* no bug, search complete within the bound */
	CLI_BUG = 1,		/* found, or reproduced by replay */
	CLI_USAGE = 2,		/* what was asked makes no sense, or names no usable file */
	CLI_ENVIRONMENT = 3,	/* this machine cannot do it */
	CLI_INCOMPLETE = 4,	/* a limit was reached or replay diverged, no bug seen */
};

/*
 * In place of an exit code: the step of a command succeeded and the command proceeds to its next
 * step. No command returns it from its main function.
 */
#define CLI_PROCEED	(-1)

/**
 * struct command - one row of the command table
 * @name: as typed
 * @main: gets argv[0] = name; returns the exit code
 * @summary: one line for the list of commands; NULL keeps it out of the list
 */
struct command {
	const char *name;
	int (*main)(int argc, char **argv);
	const char *summary;
};

int cmd_explore(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_shrink(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_step(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_test(int argc, char **argv);
int cmd_races(int argc, char **argv);
int cmd_coverage(int argc, char **argv);
int cmd_cover(int argc, char **argv);
int cmd_attach(int argc, char **argv);
int cmd_detach(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_shard(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_vm(int argc, char **argv);
int cmd_version(int argc, char **argv);
/* of chessctl, as "chessctl version" prints it */
const char *cli_version(void);

/* opts.c */
enum opt_kind {
	OPT_FLAG,	/* bool */
	OPT_UINT,	/* unsigned int */
	OPT_U64,	/* uint64_t */
	OPT_SECONDS,	/* double */
	OPT_STRING,	/* const char * */
	OPT_INSTEAD,	/* the same; takes the place of PROGRAM */
	OPT_LIST,	/* struct opt_list: may be given again */
	OPT_PERHAPS,	/* struct opt_perhaps: a number, or none: --NAME=N or --NAME */
};

struct opt_perhaps {
	bool given;
	uint64_t value;	/* 0: without one */
};

struct opt_list {
	const char **v;
	size_t n;
};

/* What an option is for. Those that are not common stand in --help=all. */
enum opt_group {
	OPT_COMMON,
	OPT_SCHEDULES,
	OPT_POINTS,
	OPT_TURNS,
	OPT_END,
	OPT_AROUND,
};

/**
 * struct opt - one declared option
 * @name: without the dashes
 * @kind: type of @dest
 * @dest: where the value goes; untouched when the option is not given
 * @arg: name of the value in the help text; NULL for flags
 * @help: one line
 * @min: smallest value of a number
 * @max: largest value of a number
 * @group: the heading it stands under
 */
struct opt {
	const char *name;
	enum opt_kind kind;
	void *dest;
	const char *arg;
	const char *help;
	double min, max;
	enum opt_group group;
};

/* What stands after the options. */
enum operands {
	OPERANDS_NONE,
	OPERANDS_PROGRAM,	/* -- PROGRAM ARG...; options end at the first operand */
	OPERANDS_TRACE,		/* TRACE, then perhaps -- PROGRAM ARG... */
	OPERANDS_PERHAPS,	/* nothing, or -- PROGRAM ARG... */
	OPERANDS_EITHER,	/* TRACE, or -- PROGRAM ARG..., or both */
	OPERANDS_ANY,
	OPERANDS_MIXED,		/* words, then perhaps -- PROGRAM ARG... */
};

struct usage {
	const char *name;
	const char *operands_text;
	const char *about;	/* what it does, a few lines */
	enum operands operands;
	const struct opt *opts;
	size_t n;
};

/**
 * struct operands_list - operands found by opts_parse()
 * @first: TRACE and what else stood before "--"
 * @n_first: their number
 * @program: argv after "--" (or from the first operand), NULL when none
 */
struct operands_list {
	char **first;
	int n_first;
	char **program;
};

/**
 * opts_parse() - parse the options of a command
 * @u: what the command takes
 * @argc: as main() got it
 * @argv: permuted in place
 * @out: the operands
 *
 * Return: CLI_PROCEED, or the exit code: the help text was printed, or a usage sentence was.
 */
int opts_parse(const struct usage *u, int argc, char **argv, struct operands_list *out);

/* One sentence on stderr, with "chessctl: " in front; returns @code. */
int cli_fail(enum cli_exit code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void cli_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* ends chessctl */
void cli_no_memory(void) __attribute__((noreturn));
/* malloc'ed; never fails: a CLI that is out of memory ends */
char *cli_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void *cli_alloc(size_t n, size_t size);
/* @p with room for @n, as by realloc() */
void *cli_realloc(void *p, size_t n, size_t size);

#endif /* CLI_H */
