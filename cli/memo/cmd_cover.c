// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl cover: a program, or several, with one input after the other, each searched by explore
 * with strategy maple and one memo (Maple, OOPSLA'12, section 6.3): what one input has exposed is
 * not tried with the next.
 *
 * As with chessctl test, each search is a process of its own, forked and not executed, that calls
 * explore's main function; what it says is explore's JSON.
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
#include "explore.h"
#include "memo/cover.h"
#include "memo/inputs.h"
#include "memo/memo.h"
#include "now.h"
#include "out.h"
#include "program.h"
#include "where.h"

static struct {
	const char *memo, *inputs, *out;
	double time;
	uint64_t runs;
	bool json;
	struct where where;
} opt;

static const struct opt own_options[] = {
	{ "inputs", OPT_STRING, &opt.inputs, "FILE",
	  "command lines, one a line; after PROGRAM if that is given", 0, 0, 0 },
	{ "memo", OPT_STRING, &opt.memo, "FILE",
	  "remembers what was tried (PROGRAM.memo in the folder for traces)", 0, 0, 0 },
	{ "time", OPT_SECONDS, &opt.time, "SEC", "stop after this time in all", 0.001, 1e9, 0 },
	{ "runs", OPT_U64, &opt.runs, "N", "at most N runs with each input", 1, 1e15, 0 },
	{ "out", OPT_STRING, &opt.out, "DIR", "folder for traces (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object", 0, 0, 0 },
	WHERE_OPTIONS(opt.where),
};

#define N_OWN	(sizeof(own_options) / sizeof(own_options[0]))

/* It is maple, a run at a time. */
static const char *const without[] = {
	"bound", "strategy", "jobs", "depth", "preempt-in", "no-preempt-in", "reduce", "explain",
	"no-predict", "skip-ordered", "html", NULL,
};

static volatile sig_atomic_t interrupted;

static void interrupt(int sig)
{
	(void)sig;
	interrupted = 1;
}

/* In the process of the search; never returns. */
static void __attribute__((noreturn)) explore(int argc, char **argv, int to)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	int null = open("/dev/null", O_RDONLY), code;
	size_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	/* No two searches can read the same from there. */
	if (interrupted || dup2(null, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0)
		_exit(CLI_INCOMPLETE);
	code = out_finish(cmd_explore(argc, argv));
	fflush(stderr);
	_exit(code);
}

static int wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		if (interrupted)
			kill(pid, SIGTERM);
	return WIFEXITED(status) ? WEXITSTATUS(status) : CLI_ENVIRONMENT;
}

static uint64_t number_of(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) ? json_object_get_int64(value) : 0;
}

static void read_result(struct cover_result *r)
{
	struct json_object *memo, *list, *value;
	size_t i;

	r->runs = number_of(r->found, "runs");
	if (json_object_object_get_ex(r->found, "seconds", &value))
		r->seconds = json_object_get_double(value);
	if (!json_object_object_get_ex(r->found, "memo", &memo) || !memo)
		return;
	r->exposed = number_of(memo, "exposed");
	r->fresh = number_of(memo, "new");
	r->finished = number_of(memo, "finished");
	if (!json_object_object_get_ex(memo, "attempts", &list))
		return;
	for (i = 0; i < json_object_array_length(list); i++)
		r->tries += number_of(json_object_array_get_idx(list, i), "runs");
}

/* @argv: of explore. The result has no JSON where it made none. */
static void search(struct cover_result *r, int argc, char **argv)
{
	int to = memfd_create("stdout", MFD_CLOEXEC);
	pid_t pid;

	r->code = CLI_ENVIRONMENT;
	if (to < 0)
		return;
	fflush(NULL);
	pid = fork();
	if (!pid)
		explore(argc, argv, to);
	if (pid > 0)
		r->code = wait_for(pid);
	lseek(to, 0, SEEK_SET);
	if (pid > 0)
		r->found = json_object_from_fd(to);
	close(to);
	if (r->found)
		read_result(r);
}

/* @seconds: that it may take; 0: no limit. */
static void search_input(struct cover_result *r, char *const *input, char *const *given,
			 const char *memo, const char *out, double seconds)
{
	size_t n_input = 0, n_given = 0;
	int n = 0, first = 0, i;
	char **argv;

	while (input[n_input])
		n_input++;
	while (given[n_given])
		n_given++;
	argv = cli_alloc(n_input + n_given + 20, sizeof(*argv));
	argv[n++] = cli_printf("explore");
	argv[n++] = cli_printf("--host");
	argv[n++] = cli_printf("--json");
	argv[n++] = cli_printf("--strategy=maple");
	argv[n++] = cli_printf("--memo=%s", memo);
	argv[n++] = cli_printf("--out=%s", out);
	if (seconds > 0)
		argv[n++] = cli_printf("--time=%.3f", seconds > 0.001 ? seconds : 0.001);
	if (opt.runs)
		argv[n++] = cli_printf("--runs=%llu", (unsigned long long)opt.runs);
	first = n;
	for (i = 0; given[i]; i++)
		argv[n++] = given[i];
	argv[n++] = (char *)"--";
	for (i = 0; input[i]; i++)
		argv[n++] = input[i];
	search(r, n, argv);
	while (first)
		free(argv[--first]);
	free(argv);
}

/* The time that is left is shared by the inputs that are. */
static double share_of(double began, size_t inputs)
{
	double left = opt.time - (chess_now() - began);

	return opt.time > 0 ? left > 0 ? left / inputs : -1 : 0;
}

static int code_of(const struct cover *c)
{
	bool finished = c->n == c->inputs;
	size_t i;

	if (c->bugs)
		return CLI_BUG;
	for (i = 0; i < c->n; i++) {
		if (!c->result[i].found)
			return c->result[i].code;
		finished &= c->result[i].finished;
	}
	return finished ? CLI_OK : CLI_INCOMPLETE;
}

static int search_all(struct cover *c, const struct inputs *in, char *const *given,
		      const char *out)
{
	double began = chess_now(), seconds;
	int code;

	c->inputs = in->n;
	c->result = cli_alloc(in->n, sizeof(*c->result));
	for (c->n = 0; c->n < in->n && !interrupted; ) {
		struct cover_result *r = &c->result[c->n];

		seconds = share_of(began, in->n - c->n);
		if (seconds < 0)
			break;
		r->command = out_quote(in->v[c->n]);
		search_input(r, in->v[c->n], given, c->memo, out, seconds);
		c->runs += r->runs;
		c->fresh += r->fresh;
		c->bugs += r->found && r->code == CLI_BUG;
		c->failed += !r->found;
		c->n++;
		if (!opt.json)
			cover_print_input(c, c->n - 1);
	}
	code = code_of(c);
	if (opt.json)
		cover_print_json(c, code);
	else
		cover_print_end(c);
	return code;
}

static void clear(struct cover *c)
{
	while (c->n) {
		free(c->result[--c->n].command);
		json_object_put(c->result[c->n].found);
	}
	free(c->result);
}

/* All that can be wrong with the inputs and the memo, before a VM is started for nothing. */
static int check(const struct inputs *in, const char *memo)
{
	int code = CLI_PROCEED;
	struct memo *m;
	char *path;
	size_t i;

	for (i = 0; i < in->n && code == CLI_PROCEED; i++) {
		path = NULL;
		code = program_find(in->v[i][0], NULL, &path);
		free(path);
	}
	if (code != CLI_PROCEED || memo_is_remote())
		return code;
	code = memo_open(&m, memo, MEMO_WRITE);
	if (code == CLI_PROCEED)
		memo_close(m);
	return code;
}

static char *default_memo(const struct out_dir *dir, const struct inputs *in, char *const *program)
{
	const char *name = program || !opt.inputs ? in->v[0][0] : opt.inputs;

	return cli_printf("%s/%s.memo", dir->path,
			  strrchr(name, '/') ? strrchr(name, '/') + 1 : name);
}

/* The folder for traces is there. */
static int cover(const struct inputs *in, struct out_dir *dir, char *const *given,
		 char *const *program, int argc, char **argv)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = interrupt };
	char *memo = opt.memo ? cli_printf("%s", opt.memo) : default_memo(dir, in, program);
	char *out = out_absolute(dir->path);
	struct cover c = { .memo = memo };
	int code = check(in, memo);
	size_t i;

	opt.where.memo = memo;
	opt.where.outbox = dir->path;
	if (code == CLI_PROCEED)
		code = where_go(&opt.where, argc, argv);
	if (code == CLI_PROCEED) {
		/* Each search has a connection of its own. */
		chess_ctl_close(opt.where.ctl);
		for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
			sigaction(signals[i], &sa, NULL);
		code = search_all(&c, in, given, out);
	}
	clear(&c);
	free(memo);
	free(out);
	return code;
}

int cmd_cover(int argc, char **argv)
{
	struct operands_list operands;
	struct usage usage = {
		"cover", "[--inputs FILE] [-- PROGRAM [ARG...]]",
		"Searches a program with one input after the other, so that each pattern of\n"
		"dependences (iRoot) is shown once. What was tried before is not tried again.\n"
		"Exit codes: 0 nothing is left to try, and no bug, 1 bug, 2 usage, 3 environment,\n"
		"4 a limit was reached.",
		OPERANDS_PERHAPS, NULL, 0,
	};
	struct opt *options = explore_options_with(own_options, N_OWN, without, &usage.n);
	struct inputs in = { 0 };
	char **given = NULL, **end;
	struct out_dir dir;
	int code;

	for (end = argv + 1; *end && strcmp(*end, "--"); end++)
		;
	usage.opts = options;
	/* Before it is read, as that takes what stands in front of "--" into another order. */
	given = explore_options_given(options, usage.n, N_OWN, argv, end);
	code = opts_parse(&usage, argc, argv, &operands);
	if (code == CLI_PROCEED && !operands.program && !opt.inputs)
		code = cli_fail(CLI_USAGE,
				"cover: name a program after '--', or give --inputs; see chessctl cover --help");
	if (code == CLI_PROCEED)
		code = explore_check();
	if (code == CLI_PROCEED)
		code = inputs_read(&in, opt.inputs, operands.program);
	if (code == CLI_PROCEED)
		code = out_dir_open(&dir, opt.out);
	if (code == CLI_PROCEED) {
		code = cover(&in, &dir, given, operands.program, argc, argv);
		out_dir_close(&dir);
	}
	inputs_clear(&in);
	free(given);
	free(options);
	return code;
}
