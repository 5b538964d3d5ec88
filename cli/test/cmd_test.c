// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl test: a collection of tests, each of which is searched by itself. Results as KTAP,
 * JSON and JUnit's XML; see test.h. What is not an option of this command is explore's.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "explore.h"
#include "out.h"
#include "where.h"
#include "test.h"

#define JOBS_MAX	64

static struct {
	const char *harness, *cases, *junit, *out;
	unsigned int jobs;
	double time;
	bool json;
	struct where where;
} opt = { .jobs = 1 };

static const struct opt own_options[] = {
	{ "harness", OPT_STRING, &opt.harness, "H",
	  "auto, kselftest, ksft, gtest, cmocka, check, tap, chess, none", 0, 0, 0 },
	{ "cases", OPT_STRING, &opt.cases, "PATTERN",
	  "only cases whose names match, with * and ? as in file names", 0, 0, 0 },
	{ "jobs", OPT_UINT, &opt.jobs, "N", "so many cases at a time (1)", 1, JOBS_MAX, 0 },
	{ "time", OPT_SECONDS, &opt.time, "SEC", "search each case no longer", 0.001, 1e9, 0 },
	{ "junit", OPT_STRING, &opt.junit, "FILE", "write the results as JUnit's XML, too", 0, 0, 0 },
	{ "out", OPT_STRING, &opt.out, "DIR", "where traces go (" OUT_DIR_DEFAULT ")", 0, 0, 0 },
	{ "json", OPT_FLAG, &opt.json, NULL, "print one JSON object instead of KTAP", 0, 0, 0 },
	WHERE_OPTIONS(opt.where),
};

#define N_OWN	(sizeof(own_options) / sizeof(own_options[0]))

/**
 * struct job - a case that is being searched
 * @pid: by which process; 0: by none
 * @fd: memory file with its result
 * @at: which case
 */
struct job {
	pid_t pid;
	int fd;
	size_t at;
};

/* Those of the options in front of the program that are explore's, as they were given. */
static void keep_explore(struct strings *to, const struct opt *all, size_t n, char **argv,
			 char **program)
{
	char **given = explore_options_given(all, n, N_OWN, argv, program), **at;

	for (at = given; *at; at++)
		strings_add(to, cli_printf("%s", *at));
	free(given);
}

/* In the process of the case. */
static void work(const struct test_program *p, const struct test_case *c,
		 const struct test_options *o, int fd)
{
	struct json_object *result;
	const char *text;

	/*
	 * Our handler stays: what is under way here is asked to end by the same signals, nothing
	 * else is begun, and what the search says is waited for.
	 */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	result = test_one(p, c, o);
	text = json_object_to_json_string_ext(result, JSON_C_TO_STRING_PLAIN);
	_exit(write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : 1);
}

static int start_job(struct job *j, const struct test_program *p, size_t at,
		     const struct test_options *o)
{
	j->fd = memfd_create("result", MFD_CLOEXEC);
	if (j->fd < 0)
		return -errno;
	fflush(NULL);
	j->at = at;
	j->pid = fork();
	if (!j->pid)
		work(p, &p->cases[at], o, j->fd);
	if (j->pid < 0) {
		j->pid = 0;
		close(j->fd);
		return -errno;
	}
	setpgid(j->pid, j->pid);
	return 0;
}

static struct json_object *without_result(const struct test_program *p, size_t at, const char *why)
{
	struct json_object *o = json_object_new_object();

	out_json_string(o, "name", p->cases[at].name ? p->cases[at].name : p->name);
	json_object_object_add(o, "notes", json_object_new_array());
	out_json_string(o, "error", why);
	test_judge(o);
	return o;
}

/* Results are long, and json-c has no reader of a file without a name of its own. */
static struct json_object *read_result(int fd)
{
	lseek(fd, 0, SEEK_SET);
	return json_object_from_fd(fd);
}

static struct json_object *end_job(struct job *j, const struct test_program *p)
{
	struct json_object *o;
	int status = 0;

	while (waitpid(j->pid, &status, 0) < 0 && errno == EINTR)
		if (test_interrupted())
			kill(-j->pid, SIGTERM);
	o = read_result(j->fd);
	close(j->fd);
	j->pid = 0;
	return o ? o : without_result(p, j->at, "the process that searched it ended without a result");
}

/* The next that ends, and tells those that go on if we are to end. */
static struct job *next_job(struct job *jobs, unsigned int n)
{
	siginfo_t info;
	unsigned int i;
	bool told = false;

	for (;;) {
		if (test_interrupted() && !told) {
			for (i = 0; i < n; i++)
				if (jobs[i].pid)
					kill(-jobs[i].pid, SIGTERM);
			told = true;
		}
		if (!waitid(P_ALL, 0, &info, WEXITED | WNOWAIT))
			break;
		if (errno != EINTR)
			return NULL;
	}
	for (i = 0; i < n; i++)
		if (jobs[i].pid == info.si_pid)
			return &jobs[i];
	return NULL;
}

/* The cases of a program, told in their order as soon as they and those before them are known. */
static void run_cases(const struct test_program *p, const struct test_options *o,
		      struct json_object *program, struct json_object *list, size_t number)
{
	struct json_object **done = cli_alloc(p->n, sizeof(*done));
	struct job *jobs = cli_alloc(opt.jobs, sizeof(*jobs)), *j;
	size_t next = 0, told = 0, i;
	unsigned int busy = 0;
	int ret;

	while (told < p->n) {
		for (i = 0; i < opt.jobs && next < p->n; i++) {
			if (jobs[i].pid)
				continue;
			ret = test_interrupted() ? -EINTR : start_job(&jobs[i], p, next, o);
			if (ret)
				done[next] = without_result(p, next, test_interrupted() ? "interrupted" :
							    strerror(-ret));
			else
				busy++;
			next++;
		}
		j = busy ? next_job(jobs, opt.jobs) : NULL;
		if (j) {
			done[j->at] = end_job(j, p);
			busy--;
		}
		for (; told < p->n && done[told]; told++) {
			if (list)
				json_object_array_add(list, done[told]);
			if (!opt.json && list)
				ktap_case(stdout, done[told], told + 1, 2);
			if (list)
				continue;
			json_object_object_foreach(done[told], key, value)
				json_object_object_add(program, key, json_object_get(value));
			json_object_put(done[told]);
			if (!opt.json)
				ktap_case(stdout, program, number, 0);
		}
	}
	free(jobs);
	free(done);
}

/* What its harness leaves out. */
static void add_disabled(const struct test_program *p, struct json_object *list)
{
	struct json_object *o;
	size_t i;

	for (i = 0; i < p->disabled.n; i++) {
		o = json_object_new_object();
		out_json_string(o, "name", p->disabled.v[i]);
		json_object_object_add(o, "notes", json_object_new_array());
		json_object_object_add(o, "result", json_object_new_string("skip"));
		out_json_string(o, "why", "disabled in the program");
		json_object_array_add(list, o);
		if (!opt.json)
			ktap_case(stdout, o, p->n + i + 1, 2);
	}
}

static struct json_object *run_program(const struct test_program *p, const struct test_options *o,
				       size_t number)
{
	struct json_object *program = json_object_new_object(), *list = NULL;

	if (p->n && (p->n != 1 || p->cases[0].name))
		list = json_object_new_array();
	out_json_string(program, "name", p->name);
	out_json_string(program, "program", p->path);
	out_json_string(program, "harness", harness_name(p->harness));
	out_json_string(program, "note", p->note);
	json_object_object_add(program, "cases", list);
	if (p->note && !opt.json)
		printf("# %s: %s\n", p->name, p->note);
	if (!p->n) {
		json_object_object_add(program, "notes", json_object_new_array());
		json_object_object_add(program, "result", json_object_new_string("skip"));
		out_json_string(program, "why", "none of its cases matches --cases");
		if (!opt.json)
			ktap_case(stdout, program, number, 0);
	}
	if (list && !opt.json)
		ktap_begin_program(stdout, program, p->n + p->disabled.n);
	run_cases(p, o, program, list, number);
	if (list)
		add_disabled(p, list);
	if (list && !opt.json)
		ktap_end_program(stdout, program, number);
	return program;
}

/* The contract of chessctl(1): nothing that was searched is no "ok". */
static int code_of(const struct test_counts *c)
{
	if (c->failed)
		return CLI_BUG;
	if (c->errors)
		return CLI_ENVIRONMENT;
	return c->incomplete || (!c->passed && !c->xfailed) ? CLI_INCOMPLETE : CLI_OK;
}

static void print_json(struct json_object *all, const struct test_counts *c, int code)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "programs", json_object_get(all));
	out_json_int(o, "passed", c->passed);
	out_json_int(o, "failed", c->failed);
	out_json_int(o, "skipped", c->skipped);
	out_json_int(o, "xfailed", c->xfailed);
	out_json_int(o, "errors", c->errors);
	out_json_int(o, "incomplete", c->incomplete);
	json_object_object_add(o, "runs", json_object_new_uint64(c->runs));
	out_json_double(o, "seconds", c->seconds);
	out_json_int(o, "exit_status", code);
	out_json(o);
}

/* A report that is not written is an error, but a bug stays one. */
static int write_junit(struct json_object *all, int code)
{
	FILE *to = fopen(opt.junit, "we");
	bool bad = !to;

	if (to) {
		junit_write(to, all);
		bad = fclose(to);
	}
	if (!bad)
		return code;
	cli_note("the results could not be written to '%s': %s", opt.junit, strerror(errno));
	return code == CLI_BUG ? code : CLI_ENVIRONMENT;
}

static int run_all(struct test_programs *all, const struct test_options *o)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = test_interrupt };
	struct json_object *results = json_object_new_array();
	struct test_counts c = { 0 };
	struct test_program *p;
	int ret = CLI_PROCEED, code;
	char *file;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &sa, NULL);
	if (!opt.json)
		ktap_begin(stdout, all->n);
	for (i = 0; i < all->n && ret == CLI_PROCEED; i++) {
		p = &all->v[i];
		file = p->cwd ? cli_printf("%s/%s", p->cwd, p->path) : cli_printf("%s", p->path);
		p->harness = opt.harness ? harness_by_name(opt.harness) : HARNESS_AUTO;
		if (p->harness == HARNESS_AUTO)
			p->harness = harness_of_file(file);
		free(file);
		ret = test_list(p);
		if (ret == CLI_PROCEED && opt.cases)
			test_keep_cases(p, opt.cases);
		if (ret == CLI_PROCEED)
			json_object_array_add(results, run_program(p, o, i + 1));
	}
	test_count(results, &c);
	code = ret == CLI_PROCEED ? code_of(&c) : ret;
	if (opt.json)
		print_json(results, &c, code);
	else
		ktap_end(stdout, results);
	if (opt.junit)
		code = write_junit(results, code);
	json_object_put(results);
	return code;
}

/* In the VM only the folder for traces can be written in: from there the file is fetched. */
static int go_where(int argc, char **argv, const struct out_dir *dir)
{
	char **all = cli_alloc(argc + 1, sizeof(*all)), *to = NULL;
	int i, ret;

	for (i = 0; i < argc; i++)
		all[i] = argv[i];
	if (opt.junit && !where_inside_vm()) {
		char *absolute = out_absolute(dir->path);

		to = cli_printf("%s/junit-%d.xml", absolute, (int)getpid());
		free(absolute);
		for (i = 0; i < argc; i++)
			if (argv[i] == opt.junit)
				all[i] = to;
			else if (!strncmp(argv[i], "--junit=", 8))
				all[i] = cli_printf("--junit=%s", to);
	}
	ret = where_go(&opt.where, argc, all);
	free(all);
	if (ret != CLI_PROCEED && to && !access(to, R_OK) && rename(to, opt.junit)) {
		cli_note("the results are in '%s', they cannot be moved to '%s': %s", to, opt.junit,
			 strerror(errno));
		ret = ret == CLI_BUG ? ret : CLI_ENVIRONMENT;
	}
	free(to);
	return ret;
}

static int check_words(void)
{
	if (opt.harness && harness_by_name(opt.harness) < 0)
		return cli_fail(CLI_USAGE,
				"test: --harness takes auto, kselftest, ksft, gtest, cmocka, check, tap, chess and none, not '%s'",
				opt.harness);
	return CLI_PROCEED;
}

int cmd_test(int argc, char **argv)
{
	struct test_options o = { 0 };
	struct test_programs all = { 0 };
	struct operands_list operands;
	struct usage usage = {
		"test", "-- PROGRAM|DIR|LIST [ARG...]",
		"Searches each case of a program with tests by itself. Prints KTAP.\n"
		"Exit codes: 0 no bug in any case, 1 bug, 2 usage, 3 environment, 4 incomplete.",
		OPERANDS_PROGRAM, NULL, 0,
	};
	/*
	 * A memo is of one search at a time, and cases may be searched together; pages are of one
	 * search, too. The stderr of the searches is kept for the report, so nobody would see
	 * progress there.
	 */
	static const char *const without[] = { "memo", "html", "progress", NULL };
	struct opt *options = explore_options_with(own_options, N_OWN, without, &usage.n);
	struct out_dir dir;
	int ret;

	usage.opts = options;
	ret = opts_parse(&usage, argc, argv, &operands);
	if (ret == CLI_PROCEED)
		ret = check_words();
	if (ret == CLI_PROCEED)
		ret = explore_check();
	if (ret == CLI_PROCEED)
		ret = test_find(&all, operands.program);
	if (ret == CLI_PROCEED)
		ret = out_dir_open(&dir, opt.out);
	if (ret != CLI_PROCEED)
		goto out;
	keep_explore(&o.explore, options, usage.n, argv, operands.program);
	o.time = opt.time;
	o.out = out_absolute(dir.path);
	opt.where.outbox = dir.path;
	opt.where.cpus = opt.jobs > 2 ? opt.jobs : 0;
	ret = go_where(argc, argv, &dir);
	if (ret == CLI_PROCEED) {
		/* Each search has a connection of its own. */
		chess_ctl_close(opt.where.ctl);
		setenv("NO_COLOR", "1", 1);
		ret = run_all(&all, &o);
	}
	out_dir_close(&dir);
out:
	strings_clear(&o.explore);
	free((char *)o.out);
	test_clear(&all);
	free(options);
	return ret;
}
