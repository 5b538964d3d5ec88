// SPDX-License-Identifier: GPL-2.0-only
/*
 * One case: run without control, then searched, and judged.
 *
 * Each search is a process of its own, forked and not executed, that calls explore's main
 * function. A search that runs out of memory or is killed takes one case with it and no more;
 * explore's options and the handlers of its signals are there once in a process; and several
 * searches can go on at a time. What it says is explore's JSON, which is documented and kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "out.h"
#include "report/report.h"
#include "tracefile.h"
#include "test.h"

#define KSFT_XFAIL	2
#define KSFT_SKIP	4

static bool knows_skip(enum harness h)
{
	return h == HARNESS_KSELFTEST || h == HARNESS_KSFT;
}

/* Was it skipped, known to fail, or neither? A sentence, malloc'ed, or NULL */
static char *skipped(const struct test_program *p, int status, const char *said, bool *xfail)
{
	struct tap t;
	char *why = NULL;

	tap_read(said, &t);
	*xfail = (t.xfailed && t.xfailed == t.results && !status) ||
		 (p->harness == HARNESS_KSFT && WIFEXITED(status) &&
		  WEXITSTATUS(status) == KSFT_XFAIL);
	if ((t.results && t.skipped == t.results) || (!t.results && t.why))
		why = cli_printf("%s", t.why && *t.why ? t.why : "no reason given");
	else if (knows_skip(p->harness) && WIFEXITED(status) && WEXITSTATUS(status) == KSFT_SKIP)
		why = cli_printf("%s", t.why ? t.why : "exit status 4");
	free(t.why);
	return why;
}

/* Adds "alone". Return: is there any use in a search? */
static bool run_alone(struct json_object *o, const struct test_program *p,
		      const struct test_case *c, char **argv)
{
	struct json_object *facts;
	bool xfail = false;
	char *why = NULL, *text;
	struct alone a;
	int ret = alone_run(argv, &c->env, p->cwd, p->limit, &a);

	if (!ret && a.interrupted) {
		alone_clear(&a);
		return false;
	}
	facts = json_object_new_object();
	json_object_object_add(o, "alone", facts);
	if (ret) {
		text = cli_printf("it cannot be started without control: %s", strerror(-ret));
		out_json_string(facts, "failed", text);
		free(text);
		return true;
	}
	if (!a.timed_out)
		why = skipped(p, a.status, a.out, &xfail);
	out_json_bool(facts, "timed_out", a.timed_out);
	out_json_bool(facts, "xfail", xfail);
	out_json_string(facts, "skipped", why);
	text = report_status(a.status);
	/* A test that is known to fail does so with 0, or with a code for just that. */
	if (!a.timed_out && a.status && !why && !xfail)
		out_json_string(facts, "failed", text);
	else
		out_json_string(facts, "failed", NULL);
	free(text);
	if (a.timed_out) {
		text = cli_printf("it did not end within %.0f s without control", p->limit);
		test_note(o, text);
	}
	free(why);
	alone_clear(&a);
	return !test_text(facts, "skipped");
}

/* In a process of its own; stdout and stderr are memory files. -1: it could not be made */
static int in_child(int (*fn)(int argc, char **argv), const struct strings *argv,
		    const struct test_program *p, const struct test_case *c, char **out, char **err)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int to = memfd_create("stdout", MFD_CLOEXEC), to_err = memfd_create("stderr", MFD_CLOEXEC);
	int status = -1, null;
	pid_t pid;
	size_t i;

	*out = *err = NULL;
	if (to < 0 || to_err < 0 || test_interrupted())
		goto out;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
			signal(signals[i], SIG_DFL);
		/* Until here our own handler took note of it, in this process. */
		if (test_interrupted())
			_exit(CLI_INCOMPLETE);
		null = open("/dev/null", O_RDONLY);
		if (dup2(null, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 ||
		    dup2(to_err, STDERR_FILENO) < 0 || (p->cwd && chdir(p->cwd)))
			_exit(CLI_ENVIRONMENT);
		for (i = 0; i < c->env.n; i++)
			putenv(c->env.v[i]);
		status = out_finish(fn(argv->n, argv->v));
		fflush(stderr);
		_exit(status);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	*out = alone_read(to);
	*err = alone_read(to_err);
	if (pid < 0)
		status = -1;
out:
	if (to >= 0)
		close(to);
	if (to_err >= 0)
		close(to_err);
	return status;
}

static void add_all(struct strings *to, const struct strings *from)
{
	size_t i;

	for (i = 0; i < from->n; i++)
		strings_add(to, cli_printf("%s", from->v[i]));
}

static void add_program(struct strings *to, char **argv)
{
	strings_add(to, cli_printf("--"));
	for (; *argv; argv++)
		strings_add(to, cli_printf("%s", *argv));
}

/*
 * Is it skipped under control alone? A search in which every run skips would say "ok" of
 * nothing.
 */
static void run_controlled(struct json_object *o, const struct test_program *p,
			   const struct test_case *c, char **argv)
{
	struct strings args = { 0 };
	char *out, *err, *why;
	bool xfail;
	int status;

	strings_add(&args, cli_printf("run"));
	strings_add(&args, cli_printf("--host"));
	strings_add(&args, cli_printf("--run-timeout"));
	strings_add(&args, cli_printf("%.0f", p->limit));
	add_program(&args, argv);
	status = in_child(cmd_run, &args, p, c, &out, &err);
	why = status < 0 ? NULL : skipped(p, status, out, &xfail);
	out_json_string(o, "controlled_skip", why);
	free(why);
	free(out);
	free(err);
	strings_clear(&args);
}

/* The report as "chessctl show" has it, without the line about the replay. */
static char *report_of(const char *path)
{
	struct chess_trace *t = chess_trace_read(path);
	struct report r;
	char *text = NULL;
	size_t size;
	FILE *to;

	if (!t || !t->record) {
		chess_trace_free(t);
		return NULL;
	}
	to = open_memstream(&text, &size);
	if (to) {
		report_open(&r, t);
		report_print(&r, to, NULL);
		report_close(&r);
		fclose(to);
	}
	chess_trace_free(t);
	return text;
}

/* The trace says which program, but not by which variables it was given its case. */
static char *replay_of(const struct test_case *c, const char *trace)
{
	struct strings words = { 0 };
	char *text;

	if (c->env.n) {
		strings_add(&words, cli_printf("env"));
		add_all(&words, &c->env);
	}
	strings_add(&words, cli_printf("chessctl"));
	strings_add(&words, cli_printf("replay"));
	strings_add(&words, cli_printf("%s", trace));
	text = out_quote(words.v);
	strings_clear(&words);
	return text;
}

/* The last line that was said, without the name of the program; malloc'ed */
static char *last_line(const char *said)
{
	const char *end = said + strlen(said), *from;

	while (end > said && end[-1] == '\n')
		end--;
	for (from = end; from > said && from[-1] != '\n'; from--)
		;
	if (!strncmp(from, "chessctl: ", 10))
		from += 10;
	return cli_printf("%.*s", (int)(end - from), from);
}

static void tell_search(struct json_object *o, const struct test_case *c,
			struct json_object *found)
{
	static const char *const same[] = { "verdict", "runs", "seconds", "complete", "trace" };
	struct json_object *value;
	const char *trace = test_text(found, "trace");
	char *text;
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (json_object_object_get_ex(found, same[i], &value))
			json_object_object_add(o, same[i], json_object_get(value));
	if (!trace)
		return;
	text = report_of(trace);
	out_json_string(o, "report", text);
	free(text);
	text = replay_of(c, trace);
	out_json_string(o, "replay", text);
	free(text);
}

static void search(struct json_object *o, const struct test_program *p,
		   const struct test_case *c, const struct test_options *opt, char **argv)
{
	struct strings args = { 0 };
	struct json_object *found;
	char *out, *err, *why;
	int status;

	strings_add(&args, cli_printf("explore"));
	strings_add(&args, cli_printf("--host"));
	strings_add(&args, cli_printf("--json"));
	strings_add(&args, cli_printf("--out"));
	strings_add(&args, cli_printf("%s", opt->out));
	if (opt->time > 0) {
		strings_add(&args, cli_printf("--time"));
		strings_add(&args, cli_printf("%g", opt->time));
	}
	add_all(&args, &c->options);
	add_all(&args, &opt->explore);
	add_program(&args, argv);
	status = in_child(cmd_explore, &args, p, c, &out, &err);
	found = out ? json_tokener_parse(out) : NULL;
	json_object_object_add(o, "search", found);
	if (found) {
		tell_search(o, c, found);
	} else if (test_interrupted()) {
		out_json_string(o, "error", "interrupted");
	} else {
		why = status >= 0 && WIFSIGNALED(status) ?
		      cli_printf("the search was killed by signal %d", WTERMSIG(status)) :
		      err && *err ? last_line(err) : cli_printf("the search could not be begun");
		out_json_string(o, "error", why);
		free(why);
	}
	free(out);
	free(err);
	strings_clear(&args);
}

struct json_object *test_one(const struct test_program *p, const struct test_case *c,
			     const struct test_options *opt)
{
	struct json_object *o = json_object_new_object();
	struct strings argv = { 0 };
	bool worth = true;

	strings_add(&argv, cli_printf("%s", p->path));
	add_all(&argv, &c->args);
	add_all(&argv, &p->args);
	out_json_string(o, "name", c->name ? c->name : p->name);
	json_object_object_add(o, "notes", json_object_new_array());
	out_json_string(o, "expected", c->expected);
	/* With the threads free it may well hang, or not. */
	if (c->expected)
		json_object_object_add(o, "alone", NULL);
	else
		worth = run_alone(o, p, c, argv.v);
	if (worth && knows_skip(p->harness))
		run_controlled(o, p, c, argv.v);
	if (worth)
		search(o, p, c, opt, argv.v);
	else if (test_interrupted() && !json_object_object_get(o, "alone"))
		out_json_string(o, "error", "interrupted");
	test_judge(o);
	strings_clear(&argv);
	return o;
}
