// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cases of a program, as its harness lists them, and how each of them is chosen. What says
 * no list of its own (Check, cmocka) is run once without control, and its results are one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "test.h"

/* A program with many cases that are run to be listed takes its time. */
#define LIST_LIMIT	120

/* Columns of kselftest_harness.h's list. */
#define FIXTURE_COLUMN	20
#define VARIANT_COLUMN	25

static void add_option(struct test_case *c, const char *name, const char *value)
{
	strings_add(&c->options, cli_printf("--%s", name));
	if (value)
		strings_add(&c->options, cli_printf("%s", value));
}

/* One case for the whole program. */
static struct test_case *add_whole(struct test_program *p, const char *note)
{
	if (note)
		p->note = cli_printf("%s", note);
	return test_add_case(p, NULL);
}

static void add_kselftest(struct test_program *p, const char *fixture, const char *variant,
			  const char *test)
{
	char *name = cli_printf("%s%s%s.%s", fixture, variant ? "." : "", variant ? variant : "",
				test);
	struct test_case *c = test_add_case(p, name);

	strings_add(&c->args, cli_printf("-r"));
	strings_add(&c->args, name);
	/*
	 * The parent of the case is under control as well, since the module takes control of a
	 * program where it is executed, and what a case inherits is recorded so; but its limit of
	 * time is the machine's and not the program's. It never passes, so a deadlock in the case
	 * is one of all tasks, and none of the outcomes that the parent makes of it.
	 */
	add_option(c, "watchdogs", "never");
	add_option(c, "ok-exit", "4");
}

/* The word at @column of the line, if there is one; malloc'ed. *@at: after it */
static char *column(const char **at, const char *end, size_t width)
{
	const char *from = *at, *word = from;
	size_t n = 0;

	while (word + n < end && word[n] != ' ')
		n++;
	*at = from + (n > width ? n : width) + 1;
	if (*at > end)
		*at = end;
	return n ? cli_printf("%.*s", (int)n, word) : NULL;
}

static void end_fixture(struct test_program *p, const char *fixture, struct strings *variants,
			struct strings *tests)
{
	size_t i, k;

	for (i = 0; i < (variants->n ? variants->n : 1); i++)
		for (k = 0; k < tests->n; k++)
			add_kselftest(p, fixture, variants->n ? variants->v[i] : NULL, tests->v[k]);
	strings_clear(variants);
	strings_clear(tests);
}

int list_kselftest(struct test_program *p, const char *text)
{
	struct strings variants = { 0 }, tests = { 0 };
	char *fixture = NULL, *word;
	const char *line = strstr(text, "# FIXTURE"), *end, *at;

	if (!line)
		return -EINVAL;
	for (line = strchrnul(line, '\n'); *line; line = end) {
		line++;
		end = strchrnul(line, '\n');
		if (end == line || *line == '#' || !strncmp(line, "---", 3))
			continue;
		at = line;
		word = column(&at, end, FIXTURE_COLUMN);
		if (word) {
			end_fixture(p, fixture, &variants, &tests);
			free(fixture);
			fixture = word;
		}
		word = column(&at, end, VARIANT_COLUMN);
		if (word)
			strings_add(&variants, word);
		word = column(&at, end, 0);
		if (word)
			strings_add(&tests, word);
	}
	end_fixture(p, fixture, &variants, &tests);
	free(fixture);
	return 0;
}

static void add_gtest(struct test_program *p, const char *suite, const char *test)
{
	char *name = cli_printf("%s.%s", suite, test);
	struct test_case *c;

	if (!strncmp(suite, "DISABLED_", 9) || !strncmp(test, "DISABLED_", 9)) {
		strings_add(&p->disabled, name);
		return;
	}
	c = test_add_case(p, name);
	strings_add(&c->args, cli_printf("--gtest_filter=%s", name));
	free(name);
}

/* A suite ends with a full stop and begins a line; its tests stand below it by two blanks. */
int list_gtest(struct test_program *p, const char *text)
{
	const char *line, *end, *word;
	char *suite = NULL, *test;
	int n;

	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		word = line + strspn(line, " ");
		n = strcspn(word, " #\n");
		if (word == line && n && word[n - 1] == '.') {
			free(suite);
			suite = cli_printf("%.*s", n - 1, word);
		} else if (word > line && n && suite && word < end) {
			test = cli_printf("%.*s", n, word);
			add_gtest(p, suite, test);
			free(test);
		}
	}
	free(suite);
	return p->n || p->disabled.n ? 0 : -EINVAL;
}

/* What stands between <@tag> and its end on one line, its entities resolved; malloc'ed */
static char *element(const char *line, const char *end, const char *tag)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = {
		{ "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' },
	};
	char *open = cli_printf("<%s>", tag), *text;
	const char *at = memmem(line, end - line, open, strlen(open)), *stop;
	size_t n = 0, i;

	at = at ? at + strlen(open) : NULL;
	stop = at ? memmem(at, end - at, "</", 2) : NULL;
	free(open);
	if (!stop)
		return NULL;
	text = cli_alloc(stop - at + 1, 1);
	while (at < stop) {
		for (i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
			if (!strncmp(at, entities[i].name, strlen(entities[i].name)))
				break;
		if (i < sizeof(entities) / sizeof(entities[0])) {
			text[n++] = entities[i].c;
			at += strlen(entities[i].name);
		} else {
			text[n++] = *at++;
		}
	}
	return text;
}

static void add_check(struct test_program *p, const char *suite, const char *name)
{
	char *full = cli_printf("%s:%s", suite, name);
	struct test_case *c;
	size_t i;

	for (i = 0; i < p->n && strcmp(p->cases[i].name, full); i++)
		;
	if (i == p->n) {
		c = test_add_case(p, full);
		strings_add(&c->env, cli_printf("CK_RUN_SUITE=%s", suite));
		strings_add(&c->env, cli_printf("CK_RUN_CASE=%s", name));
		/* No process for each test: what is in a test is in the program itself. */
		strings_add(&c->env, cli_printf("CK_FORK=no"));
	}
	free(full);
}

/* Check's XML, in which the description of a test is the name of its case. */
int list_check(struct test_program *p, const char *xml)
{
	char *suite = NULL, *text;
	const char *line, *end;

	for (line = xml; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		text = element(line, end, "title");
		if (text) {
			free(suite);
			suite = text;
		}
		text = element(line, end, "description");
		if (text && suite)
			add_check(p, suite, text);
		free(text);
	}
	free(suite);
	return p->n ? 0 : -EINVAL;
}

/* cmocka's results, when it prints TAP: each test is chosen by its name. */
int list_tap(struct test_program *p, const char *text)
{
	const char *line, *end, *at;
	struct test_case *c;
	char *name;

	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (!strncmp(line, "ok ", 3))
			at = line + 3;
		else if (!strncmp(line, "not ok ", 7))
			at = line + 7;
		else
			continue;
		at += strspn(at, "0123456789 -");
		name = cli_printf("%.*s", (int)strcspn(at, "#\n"), at);
		while (*name && name[strlen(name) - 1] == ' ')
			name[strlen(name) - 1] = 0;
		c = test_add_case(p, name);
		strings_add(&c->env, cli_printf("CMOCKA_TEST_FILTER=%s", name));
		free(name);
	}
	return p->n ? 0 : -EINVAL;
}

/* Lines of <chessctl/test.h>: name, bound, expected verdict or "-", options, with tabs between. */
int list_chess(struct test_program *p, const char *text)
{
	const char *line, *end, *word;
	struct test_case *c;
	unsigned int field;
	size_t n;

	for (line = text; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (*line == '#' || end == line)
			continue;
		c = NULL;
		for (word = line, field = 0; word <= end; word += n + 1, field++) {
			char *value;

			n = strcspn(word, "\t\n");
			value = cli_printf("%.*s", (int)n, word);
			if (!field) {
				c = test_add_case(p, value);
				strings_add(&c->args, cli_printf("--chess-run=%s", value));
			} else if (field == 1) {
				add_option(c, "bound", value);
			} else if (field == 2 && strcmp(value, "-")) {
				c->expected = cli_printf("%s", value);
			} else if (field > 2) {
				strings_add(&c->options, cli_printf("%s", value));
			}
			free(value);
		}
		if (field < 3)
			return -EINVAL;
	}
	return p->n ? 0 : -EINVAL;
}

static int ask(const struct test_program *p, const char *option, const struct strings *env,
	       struct alone *a)
{
	struct strings argv = { 0 };
	size_t i;
	int ret;

	strings_add(&argv, cli_printf("%s", p->path));
	if (option)
		strings_add(&argv, cli_printf("%s", option));
	for (i = 0; i < p->args.n; i++)
		strings_add(&argv, cli_printf("%s", p->args.v[i]));
	ret = alone_run(argv.v, env, p->cwd, LIST_LIMIT, a);
	strings_clear(&argv);
	return ret;
}

static int list_by(struct test_program *p, const char *option,
		   int (*parse)(struct test_program *p, const char *text), bool on_stderr)
{
	struct alone a;
	int ret = ask(p, option, NULL, &a);

	if (!ret)
		ret = parse(p, on_stderr ? a.err : a.out);
	alone_clear(&a);
	return ret;
}

/* The memory file is opened by its name in /proc, as any file that a variable names. */
static int list_by_check(struct test_program *p)
{
	int fd = memfd_create("check.xml", 0), ret;
	struct strings env = { 0 };
	struct alone a;
	char *xml;

	if (fd < 0)
		return -errno;
	strings_add(&env, cli_printf("CK_XML_LOG_FILE_NAME=/proc/self/fd/%d", fd));
	ret = ask(p, NULL, &env, &a);
	xml = alone_read(fd);
	if (!ret)
		ret = list_check(p, xml);
	free(xml);
	close(fd);
	alone_clear(&a);
	strings_clear(&env);
	return ret;
}

static int list_by_cmocka(struct test_program *p)
{
	struct strings env = { 0 };
	struct alone a;
	int ret;

	if (!harness_has_cmocka_filter(p->path)) {
		add_whole(p, "this cmocka does not know CMOCKA_TEST_FILTER, so all cases are searched together");
		return 0;
	}
	strings_add(&env, cli_printf("CMOCKA_MESSAGE_OUTPUT=TAP"));
	ret = ask(p, NULL, &env, &a);
	if (!ret)
		ret = list_tap(p, a.out);
	if (ret == -EINVAL)
		ret = list_tap(p, a.err);
	alone_clear(&a);
	strings_clear(&env);
	return ret;
}

int test_list(struct test_program *p)
{
	struct test_case *c;
	int ret = 0;

	if (test_interrupted()) {
		add_whole(p, NULL);
		return CLI_PROCEED;
	}
	switch (p->harness) {
	case HARNESS_KSELFTEST:
		ret = list_by(p, "-l", list_kselftest, true);
		break;
	case HARNESS_GTEST:
		ret = list_by(p, "--gtest_list_tests", list_gtest, false);
		break;
	case HARNESS_CHESS:
		ret = list_by(p, "--chess-list", list_chess, false);
		break;
	case HARNESS_CHECK:
		ret = list_by_check(p);
		break;
	case HARNESS_CMOCKA:
		ret = list_by_cmocka(p);
		break;
	case HARNESS_KSFT:
		c = add_whole(p, NULL);
		add_option(c, "watchdogs", "never");
		add_option(c, "ok-exit", "2,4");
		break;
	default:
		add_whole(p, NULL);
	}
	/* It is no harness that we know; what it is remains a program. */
	if (ret == -EINVAL) {
		add_whole(p, test_interrupted() ? NULL :
			     "its harness lists no cases, so it is searched as one");
		ret = 0;
	}
	return ret ? cli_fail(CLI_ENVIRONMENT, "test: the cases of '%s' cannot be listed: %s",
			      p->path, strerror(-ret)) : CLI_PROCEED;
}
