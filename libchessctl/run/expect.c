// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the user says a program may end with: exit codes, signals, and monitors whose reports
 * do not count. Read from options and from the line of a trace, which is written here too.
 * verdict.c and deaths.c ask.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/complaints.h"
#include "internal.h"

enum item_kind { ITEM_EXIT, ITEM_SIGNAL, ITEM_MONITOR };

/* In the order in which a trace has them. */
static const struct {
	const char *option;
	enum item_kind kind;
} lists[] = {
	{ "ok-exit", ITEM_EXIT },
	{ "expect-signal", ITEM_SIGNAL },
	{ "ignore-monitor", ITEM_MONITOR },
};

#define NO_SIGNALS	"no-expect-signal"

bool chess_expect_exit(const struct chess_expect *x, int code)
{
	return !code || (code > 0 && code < 256 && x->exits[code / 64] >> code % 64 & 1);
}

bool chess_expect_signal(const struct chess_expect *x, int sig)
{
	return sig > 0 && sig < 64 && x->signals >> sig & 1;
}

/* A number from 0 to @max that ends where @text does or at one of @ends. */
static bool read_number(const char *text, const char *ends, unsigned long max, unsigned long *out,
			const char **rest)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	*out = strtoul(text, &end, 10);
	*rest = end;
	return *out <= max && (!*end || strchr(ends, *end));
}

static bool add_exits(struct chess_expect *x, const char *item)
{
	unsigned long first, last;

	if (!read_number(item, "-", 255, &first, &item))
		return false;
	last = first;
	if (*item && !read_number(item + 1, "", 255, &last, &item))
		return false;
	for (; first <= last; first++)
		x->exits[first / 64] |= 1ULL << first % 64;
	return true;
}

/* "SEGV", "SIGSEGV", "11" */
static bool add_signal(struct chess_expect *x, const char *item)
{
	unsigned long n;
	int sig;

	if (read_number(item, "", 63, &n, &item)) {
		x->signals |= 1ULL << n;
		return n;
	}
	if (!strncmp(item, "SIG", 3))
		item += 3;
	for (sig = 1; sig < 64; sig++) {
		const char *name = sigabbrev_np(sig);

		if (!name || strcmp(name, item))
			continue;
		x->signals |= 1ULL << sig;
		return true;
	}
	return false;
}

static bool add_monitor(struct chess_expect *x, const char *item)
{
	int i = chess_monitor_number(item);

	if (i < 0)
		return false;
	x->unheard |= 1U << i;
	return true;
}

static bool add_item(struct chess_expect *x, enum item_kind kind, const char *item)
{
	return kind == ITEM_EXIT ? add_exits(x, item) :
	       kind == ITEM_SIGNAL ? add_signal(x, item) : add_monitor(x, item);
}

static int refuse(enum item_kind kind, const char *item)
{
	char *names;
	int ret;

	if (kind == ITEM_EXIT)
		return chess_set_error(EINVAL,
				       "--ok-exit takes exit codes from 0 to 255 and ranges of them, as 2,64-78, not '%s'",
				       item);
	if (kind == ITEM_SIGNAL)
		return chess_set_error(EINVAL,
				       "--expect-signal takes signals, as SEGV,ABRT, not '%s'",
				       item);
	names = chess_monitor_list();
	ret = chess_set_error(EINVAL, "--ignore-monitor takes %s, not '%s'",
			      names ? names : "none", item);
	free(names);
	return ret;
}

int chess_expect_add(struct chess_expect *x, const char *option, const char *list)
{
	char *copy, *item, *rest;
	size_t i;
	int ret = 0;

	for (i = 0; i < ARRAY_SIZE(lists) && strcmp(lists[i].option, option); i++)
		;
	if (i == ARRAY_SIZE(lists))
		return chess_set_error(EINVAL, "there is no option '%s'", option);
	copy = strdup(list);
	if (!copy)
		return chess_set_error(ENOMEM, "no memory for a list");
	rest = copy;
	while (!ret && (item = strsep(&rest, ",")))
		if (!add_item(x, lists[i].kind, item))
			ret = refuse(lists[i].kind, item);
	free(copy);
	return ret;
}

static void put_list(FILE *f, const struct chess_expect *x, enum item_kind kind)
{
	const char *before = "";
	unsigned int i;

	for (i = 0; i < 256; i++) {
		bool set = kind == ITEM_EXIT ? i && chess_expect_exit(x, i) :
			   kind == ITEM_SIGNAL ? chess_expect_signal(x, i) :
						 i < 32 && x->unheard >> i & 1;

		if (!set)
			continue;
		if (kind == ITEM_MONITOR)
			fprintf(f, "%s%s", before, chess_monitor_name(i));
		else
			fprintf(f, "%s%u", before, i);
		before = ",";
	}
}

/* What differs from the default, or NULL with errno ENOMEM or 0 */
char *chess_expect_text(const struct chess_expect *x)
{
	const bool has[] = {
		x->exits[0] >> 1 || x->exits[1] || x->exits[2] || x->exits[3],
		x->signals, x->unheard,
	};
	const char *before = "";
	char *text = NULL;
	size_t size, i;
	FILE *f;

	errno = 0;
	if (!has[0] && !has[1] && !has[2] && !x->no_signals)
		return NULL;
	f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		if (!has[i])
			continue;
		fprintf(f, "%s%s=", before, lists[i].option);
		put_list(f, x, lists[i].kind);
		before = " ";
	}
	if (x->no_signals)
		fprintf(f, "%s" NO_SIGNALS, before);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

int chess_expect_read(struct chess_expect *x, const char *text)
{
	char *copy = strdup(text), *rest = copy, *word, *value;
	int ret = copy ? 0 : chess_set_error(ENOMEM, "no memory for a list");

	*x = (struct chess_expect){ 0 };
	while (!ret && (word = strsep(&rest, " "))) {
		value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (value)
			ret = chess_expect_add(x, word, value);
		else if (!strcmp(word, NO_SIGNALS))
			x->no_signals = true;
		else
			ret = chess_set_error(EINVAL, "there is no option '%s'", word);
	}
	free(copy);
	return ret;
}
