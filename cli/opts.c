// SPDX-License-Identifier: GPL-2.0-only
/*
 * Declared options: one table per command gives the parser, the range checks
 * and the help text. Built on getopt_long, less its prefix matching: an option
 * has one spelling, so that a new option never breaks a script.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "where.h"

static void vsay(const char *fmt, va_list ap)
{
	fflush(stdout);
	fputs("chessctl: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
}

int cli_fail(enum cli_exit code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
	return code;
}

void cli_note(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsay(fmt, ap);
	va_end(ap);
}

void cli_no_memory(void)
{
	exit(cli_fail(CLI_ENVIRONMENT, "out of memory"));
}

char *cli_printf(const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		cli_no_memory();
	va_end(ap);
	return text;
}

void *cli_alloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		cli_no_memory();
	return p;
}

void *cli_realloc(void *p, size_t n, size_t size)
{
	p = reallocarray(p, n, size);
	if (!p)
		cli_no_memory();
	return p;
}

static const char *const headings[] = {
	[OPT_COMMON] = "options",
	[OPT_SCHEDULES] = "which schedules are run",
	[OPT_POINTS] = "where tasks can be switched",
	[OPT_TURNS] = "time, and which task runs next",
	[OPT_END] = "what ends a run, and what counts as a bug",
	[OPT_AROUND] = "the surroundings of the program",
};

#define GROUPS	(sizeof(headings) / sizeof(headings[0]))
/* Names of options and their values; longer ones have a line of their own. */
#define NAMES	24

static void help_row(const char *name, const char *text)
{
	if (strlen(name) > NAMES)
		printf("  %s\n  %-*s %s\n", name, NAMES, "", text);
	else
		printf("  %-*s %s\n", NAMES, name, text);
}

/* Return: how many options there are in the group. */
static size_t help_group(const struct usage *u, enum opt_group group, bool print)
{
	char name[128];
	size_t i, n = 0;

	for (i = 0; i < u->n; i++) {
		const struct opt *o = &u->opts[i];

		/* What takes the place of PROGRAM stands in the first line. */
		if (o->kind == OPT_INSTEAD || o->group != group)
			continue;
		if (print && !n)
			printf("\n%s:\n", headings[group]);
		n++;
		snprintf(name, sizeof(name), o->kind == OPT_PERHAPS ? "--%s%s[=%s]" : "--%s%s%s",
			 o->name, o->arg && o->kind != OPT_PERHAPS ? " " : "", o->arg ? o->arg : "");
		if (print)
			help_row(name, o->help);
	}
	return n;
}

static void help(const struct usage *u, bool all)
{
	enum opt_group group;
	size_t more = 0;
	char text[64];

	printf("usage: chessctl %s%s%s%s\n\n%s\n", u->name, u->n ? " [OPTION...]" : "",
	       *u->operands_text ? " " : "", u->operands_text, u->about);
	if (!help_group(u, OPT_COMMON, true))
		printf("\n%s:\n", headings[OPT_COMMON]);
	help_row("--help", "print this text");
	for (group = OPT_COMMON + 1; group < GROUPS; group++)
		more += help_group(u, group, false);
	if (!more)
		return;
	snprintf(text, sizeof(text), "also show the other %zu options", more);
	help_row("--help=all", text);
	for (group = OPT_COMMON + 1; group < GROUPS && all; group++)
		help_group(u, group, true);
}

static int bad_value(const struct usage *u, const struct opt *o, const char *text)
{
	return cli_fail(CLI_USAGE,
			"%s: --%s takes a number from %.0f to %.0f, not '%s'; see chessctl %s --help",
			u->name, o->name, o->min, o->max, text, u->name);
}

/* Return: CLI_PROCEED when stored, else an exit code */
static int store(const struct usage *u, const struct opt *o, const char *text)
{
	char *end;

	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)o->dest = true;
		return CLI_PROCEED;
	case OPT_STRING:
	case OPT_INSTEAD:
		*(const char **)o->dest = text;
		return CLI_PROCEED;
	case OPT_LIST: {
		struct opt_list *list = o->dest;

		list->v = cli_realloc(list->v, list->n + 1, sizeof(*list->v));
		list->v[list->n++] = text;
		return CLI_PROCEED;
	}
	case OPT_PERHAPS:
		((struct opt_perhaps *)o->dest)->given = true;
		if (!text)
			return CLI_PROCEED;
		/* fall through */
	case OPT_UINT:
	case OPT_U64: {
		unsigned long long v;

		errno = 0;
		v = strtoull(text, &end, 10);
		if (errno || *text < '0' || *text > '9' || *end || v < o->min || v > o->max)
			return bad_value(u, o, text);
		if (o->kind == OPT_UINT)
			*(unsigned int *)o->dest = v;
		else if (o->kind == OPT_PERHAPS)
			((struct opt_perhaps *)o->dest)->value = v;
		else
			*(uint64_t *)o->dest = v;
		return CLI_PROCEED;
	}
	case OPT_SECONDS: {
		double v;

		errno = 0;
		v = strtod(text, &end);
		if (errno || end == text || *end || !isfinite(v) || v < o->min || v > o->max)
			return bad_value(u, o, text);
		*(double *)o->dest = v;
		return CLI_PROCEED;
	}
	}
	return CLI_USAGE;
}

/* getopt_long takes unique prefixes; we do not. */
static bool is_whole(const char *arg, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(arg, "--", 2) && !strncmp(arg + 2, name, n) &&
	       (!arg[2 + n] || arg[2 + n] == '=');
}

/* Was an option given that takes the place of PROGRAM? */
static bool is_instead(const struct usage *u)
{
	size_t i;

	for (i = 0; i < u->n; i++)
		if (u->opts[i].kind == OPT_INSTEAD && *(const char **)u->opts[i].dest)
			return true;
	return false;
}

/*
 * Without "--" the options end at the first operand. One of ours after it is the program's,
 * which may well be meant, and may well not.
 */
static void note_given_away(const struct usage *u, char **program)
{
	char **arg;
	size_t i;

	for (arg = program + 1; *arg && strcmp(*arg, "--"); arg++)
		for (i = 0; i < u->n; i++) {
			if (!is_whole(*arg, u->opts[i].name))
				continue;
			cli_note("note: '%s' after '%s' is given to the program; options of chessctl go before it: chessctl %s %s ... -- %s",
				 *arg, *program, u->name, *arg, *program);
			return;
		}
}

/* For getopt_long: option I is 256 + I, --help is 'h'. To be freed. */
static struct option *getopt_table(const struct usage *u)
{
	struct option *table = cli_alloc(u->n + 2, sizeof(*table));
	size_t i;

	for (i = 0; i < u->n; i++) {
		table[i].name = u->opts[i].name;
		table[i].has_arg = u->opts[i].kind == OPT_FLAG ? no_argument :
				   u->opts[i].kind == OPT_PERHAPS ? optional_argument :
								    required_argument;
		table[i].val = 256 + i;
	}
	table[u->n].name = "help";
	table[u->n].has_arg = optional_argument;
	table[u->n].val = 'h';
	return table;
}

/* Stores the options' values. Return: CLI_PROCEED, or the exit code with which the command ends. */
static int parse_options(const struct usage *u, int argc, char **argv)
{
	struct option *table = getopt_table(u);
	int ret = CLI_PROCEED;

	opterr = 0;
	optind = 0;
	while (ret == CLI_PROCEED) {
		int at = optind ? optind : 1;
		int c = getopt_long(argc, argv, u->operands == OPERANDS_PROGRAM ? "+:h" : ":h",
				    table, NULL);
		const char *arg;

		if (c == -1)
			break;
		/* with permutation the option stands where optind has just passed */
		while (at < argc && (argv[at][0] != '-' || !argv[at][1]))
			at++;
		arg = argv[at];
		if (c == ':') {
			ret = cli_fail(CLI_USAGE, "%s: %s needs a value; see chessctl %s --help",
				       u->name, arg, u->name);
		} else if (c == '?' || (!strncmp(arg, "--", 2) &&
					!is_whole(arg, c == 'h' ? "help" : u->opts[c - 256].name))) {
			ret = cli_fail(CLI_USAGE, "%s: unknown option '%s'; see chessctl %s --help",
				       u->name, arg, u->name);
		} else if (c == 'h' && optarg && strcmp(optarg, "all")) {
			ret = cli_fail(CLI_USAGE, "%s: --help takes 'all', not '%s'; see chessctl %s --help",
				       u->name, optarg, u->name);
		} else if (c == 'h') {
			help(u, optarg);
			ret = CLI_OK;
		} else {
			ret = store(u, &u->opts[c - 256], optarg);
		}
	}
	free(table);
	return ret;
}

/* PROGRAM ARG... after the options. Returns as parse_options(). */
static int parse_program(const struct usage *u, int argc, char **argv, struct operands_list *out)
{
	if (optind >= argc && is_instead(u))
		return CLI_PROCEED;
	if (optind >= argc)
		return cli_fail(CLI_USAGE, "%s: no program given; usage: chessctl %s %s",
				u->name, u->name, u->operands_text);
	out->program = argv + optind;
	/* The VM is given the same command line, of which it was said here. */
	if (strcmp(argv[optind - 1], "--") && !where_inside_vm())
		note_given_away(u, out->program);
	return CLI_PROCEED;
}

int opts_parse(const struct usage *u, int argc, char **argv, struct operands_list *out)
{
	char **tail = NULL;
	int ret, k;

	memset(out, 0, sizeof(*out));
	/* Options may follow TRACE, so "--" is looked for before getopt permutes. */
	if (u->operands != OPERANDS_PROGRAM) {
		for (k = 1; k < argc; k++) {
			if (strcmp(argv[k], "--"))
				continue;
			tail = argv + k + 1;
			argc = k;
			break;
		}
	}

	ret = parse_options(u, argc, argv);
	if (ret != CLI_PROCEED)
		return ret;
	if (u->operands == OPERANDS_PROGRAM)
		return parse_program(u, argc, argv, out);
	out->first = argv + optind;
	out->n_first = argc - optind;
	if (tail && u->operands != OPERANDS_TRACE && u->operands != OPERANDS_PERHAPS &&
	    u->operands != OPERANDS_EITHER && u->operands != OPERANDS_MIXED)
		return cli_fail(CLI_USAGE, "%s: takes no program; see chessctl %s --help",
				u->name, u->name);
	if (tail && !*tail)
		return cli_fail(CLI_USAGE, "%s: no program after '--'; see chessctl %s --help",
				u->name, u->name);
	out->program = tail;
	if ((u->operands == OPERANDS_NONE || u->operands == OPERANDS_PERHAPS) && out->n_first)
		return cli_fail(CLI_USAGE, "%s: unexpected '%s'; see chessctl %s --help",
				u->name, out->first[0], u->name);
	if (u->operands == OPERANDS_TRACE && out->n_first != 1)
		return cli_fail(CLI_USAGE, out->n_first ?
				"%s: takes one trace, more were given; see chessctl %s --help" :
				"%s: no trace given; see chessctl %s --help", u->name, u->name);
	if (u->operands == OPERANDS_EITHER && !tail && !out->n_first)
		return cli_fail(CLI_USAGE,
				"%s: neither a trace nor a program given; see chessctl %s --help",
				u->name, u->name);
	if (u->operands == OPERANDS_EITHER && out->n_first > 1)
		return cli_fail(CLI_USAGE,
				"%s: takes one trace, more were given; see chessctl %s --help",
				u->name, u->name);
	return CLI_PROCEED;
}
