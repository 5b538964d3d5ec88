// SPDX-License-Identifier: GPL-2.0-only
/*
 * One program under control, see session.h. Inside the VM the program gets the
 * user and group of the person who started chessctl on the host.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "changed.h"
#include "cli.h"
#include "program.h"
#include "session.h"
#include "where.h"

/* A search looks at its time between runs. The last one may take this much longer. */
#define LATE_SECONDS	5
#define LATE_SHARE	0.1

static struct chess_runner *volatile current;
static volatile sig_atomic_t interrupted, late;

static void handle_signal(int sig)
{
	late |= sig == SIGALRM;
	interrupted = 1;
	if (current)
		chess_runner_interrupt(current);
}

void session_limit_run(double time, double spent)
{
	static bool is_set;
	double more = LATE_SECONDS + time * LATE_SHARE;
	double seconds = time <= 0 ? 0 : time > spent ? time - spent + more : more;
	struct itimerval t = {
		.it_value.tv_sec = seconds,
		.it_value.tv_usec = (seconds - (time_t)seconds) * 1e6,
	};
	struct sigaction sa = { .sa_handler = handle_signal };

	/* Most searches have no limit, and this is called after each run. */
	if (time <= 0 && !is_set)
		return;
	is_set = time > 0;
	sigaction(SIGALRM, &sa, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
}

bool session_is_late(void)
{
	return late;
}

bool session_interrupted(void)
{
	return interrupted;
}

int session_points(const char *command, const char *list, char **out)
{
	const char *at = list ? list : "all", *end;
	bool sync = false, syscalls = false, races = false;

	for (; at; at = *end ? end + 1 : NULL) {
		size_t n;

		end = strchrnul(at, ',');
		n = end - at;
		if (n == 4 && !strncmp(at, "sync", n))
			sync = true;
		else if (n == 8 && !strncmp(at, "syscalls", n))
			syscalls = true;
		else if (n == 5 && !strncmp(at, "races", n))
			races = true;
		else if (n == 3 && !strncmp(at, "all", n))
			sync = syscalls = true;
		else
			return cli_fail(CLI_USAGE,
					"%s: --points takes 'sync', 'syscalls' and 'races', not '%.*s'",
					command, (int)n, at);
	}
	*out = cli_printf("%s%s%s%s%s", sync ? "sync" : "", sync && syscalls ? "," : "",
			  syscalls ? "syscalls" : "", (sync || syscalls) && races ? "," : "",
			  races ? "races" : "");
	return CLI_PROCEED;
}

bool session_has_sync(const char *points)
{
	return !strncmp(points, "sync", 4);
}

bool session_has_races(const char *points)
{
	return strstr(points, "races");
}

/*
 * In the VM each open of a file of the host's is several messages over 9p, and a
 * search opens the program and its libraries for every run. Opened for writing
 * once, they are copied to the overlay's memory. The gain was not measured alone.
 */
static void copy_up(const char *path)
{
	char **files = where_inside_vm() ? chess_symbols_files(path) : NULL, **f;
	int fd;

	for (f = files; f && *f; f++) {
		fd = open(*f, O_WRONLY | O_APPEND | O_CLOEXEC);
		if (fd >= 0)
			close(fd);
		free(*f);
	}
	free(files);
}

static bool is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !strncmp(path, dir, n) && path[n] == '/';
}

/* An empty /tmp hides what is in the old one, but for a working directory below it. */
static bool is_seen_with_private_tmp(const char *path, const char *cwd)
{
	char *program = realpath(path, NULL), *dir = realpath(cwd ? cwd : ".", NULL);
	bool seen = !program || !is_below(program, "/tmp") ||
		    (dir && is_below(dir, "/tmp") && is_below(program, dir));

	free(program);
	free(dir);
	return seen;
}

bool session_private_tmp(struct session *s)
{
	if (s->surroundings & CHESS_SURROUNDINGS_PRIVATE_TMP ||
	    !is_seen_with_private_tmp(s->path, s->cwd) ||
	    chess_runner_private_tmp(s->runner, true))
		return false;
	s->surroundings = chess_runner_surroundings(s->runner);
	return true;
}

void session_set_long_rows(struct session *s)
{
	s->long_rows = true;
	chess_runner_set_long_rows(s->runner, true);
}

int session_set_quantum(struct session *s, unsigned int times)
{
	uint32_t us = chess_runner_quantum(s->runner) / (s->patience ?: 1);
	int ret = chess_runner_set_quantum(s->runner, us * times);

	s->patience = times;
	if (ret || !s->accesses.n)
		return ret;
	return chess_runner_set_points(s->runner, s->accesses.sites, s->accesses.n);
}

void session_shared_tmp(struct session *s)
{
	chess_runner_private_tmp(s->runner, false);
	s->surroundings = chess_runner_surroundings(s->runner);
}

static int check_probes(const struct opt_list *probes)
{
	struct stat st;
	size_t i;

	for (i = 0; i < probes->n; i++) {
		if (stat(probes->v[i], &st) || access(probes->v[i], R_OK))
			return cli_fail(CLI_USAGE, "probe '%s' cannot be read: %s", probes->v[i],
					strerror(errno));
		if (!S_ISREG(st.st_mode))
			return cli_fail(CLI_USAGE, "probe '%s' is not a regular file", probes->v[i]);
	}
	return CLI_PROCEED;
}

int session_expect(const struct session_opts *o, struct chess_expect *x)
{
	const struct {
		const char *option, *list;
	} lists[] = {
		{ "ok-exit", o->ok_exit }, { "expect-signal", o->expect_signal },
		{ "ignore-monitor", o->ignore_monitor },
	};
	size_t i;

	*x = (struct chess_expect){ 0 };
	if (o->expected && chess_expect_read(x, o->expected))
		return cli_fail(CLI_USAGE, "%s", chess_error());
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (lists[i].list && chess_expect_add(x, lists[i].option, lists[i].list))
			return cli_fail(CLI_USAGE, "%s", chess_error());
	x->no_signals |= o->no_expect_signal;
	return CLI_PROCEED;
}

void session_expect_no_deaths(struct session *s)
{
	struct chess_expect x = { 0 };
	char *was = s->expect;

	/* It is what chess_expect_text() wrote. */
	if (was && chess_expect_read(&x, was))
		return;
	x.no_signals = true;
	s->expect = chess_expect_text(&x);
	free(was);
	chess_runner_set_expect(s->runner, &x);
}

int session_may_start(const struct session_opts *o, char *path, const char *cwd)
{
	struct chess_expect x;
	int code = check_probes(&o->probes);

	if (code == CLI_PROCEED)
		code = session_expect(o, &x);
	if (code == CLI_PROCEED && o->private_tmp && !is_seen_with_private_tmp(path, cwd))
		code = cli_fail(CLI_USAGE,
				"program '%s' is in /tmp, where --private-tmp gives each run an empty one; put it elsewhere, or start it from its own folder",
				path);
	if (code != CLI_PROCEED)
		free(path);
	return code;
}

const char *session_same_probes(struct session_opts *o, const struct chess_trace *t)
{
	size_t i;

	if (o->probes.n || !t->n_probes)
		return NULL;
	o->probes.v = cli_alloc(t->n_probes, sizeof(*o->probes.v));
	for (i = 0; i < t->n_probes; i++) {
		if (access(t->probes[i].path, F_OK))
			return t->probes[i].path;
		o->probes.v[o->probes.n++] = t->probes[i].path;
	}
	return NULL;
}

int session_attach(const struct session_opts *o, const char *path, struct chess_probes **out)
{
	*out = NULL;
	if (!o->probes.n)
		return CLI_PROCEED;
	*out = chess_probes_attach(o->probes.v, o->probes.n, path);
	return *out ? CLI_PROCEED : cli_fail(CLI_ENVIRONMENT, "--probe: %s", chess_error());
}

/* What traces say of them. */
static int note_probes(struct session *s, const struct opt_list *probes)
{
	size_t i;

	s->probes = cli_alloc(probes->n, sizeof(*s->probes));
	for (i = 0; i < probes->n; i++) {
		s->probes[i].path = realpath(probes->v[i], NULL);
		s->probes[i].hash = s->probes[i].path ? program_hash(s->probes[i].path) : NULL;
		s->n_probes++;
		if (!s->probes[i].hash)
			return cli_fail(CLI_USAGE, "probe '%s' cannot be read: %s", probes->v[i],
					strerror(errno));
	}
	return CLI_PROCEED;
}

int session_same_accesses(struct session_opts *o, const struct chess_trace *t)
{
	size_t i, n = 0;

	o->accessed = t;
	while (t->code && t->code[n])
		n++;
	if (!o->code.n && n) {
		o->code.v = cli_alloc(n, sizeof(*o->code.v));
		for (o->code.n = 0; o->code.n < n; o->code.n++)
			o->code.v[o->code.n] = t->code[o->code.n];
	}
	for (i = 0; i < t->n_code_files; i++) {
		char *hash = program_hash(t->code_files[i].path);
		bool same = hash && !strcmp(hash, t->code_files[i].hash);

		free(hash);
		if (!same)
			return cli_fail(CLI_USAGE,
					"the trace has points at instructions of '%s', which is not the file it was then; find the bug again with the new one",
					t->code_files[i].path);
	}
	return CLI_PROCEED;
}

void session_same_surroundings(struct session_opts *o, const struct chess_trace *t)
{
	o->host_pids |= !!(t->surroundings & CHESS_SURROUNDINGS_HOST_PIDS);
	o->private_tmp |= !!(t->surroundings & CHESS_SURROUNDINGS_PRIVATE_TMP);
	o->overlay |= !!(t->surroundings & CHESS_SURROUNDINGS_OVERLAY);
	o->no_network |= !!(t->surroundings & CHESS_SURROUNDINGS_NO_NETWORK);
	o->expected = t->expect;
}

struct json_object *session_json_surroundings(unsigned int surroundings)
{
	struct json_object *list = json_object_new_array();
	unsigned int bit;

	for (bit = 1; chess_surroundings_name(bit); bit <<= 1)
		if (surroundings & bit)
			json_object_array_add(list,
				json_object_new_string(chess_surroundings_name(bit)));
	return list;
}

/* The program itself, where nothing else is asked for. */
static char **code_list(const struct opt_list *code)
{
	char **v = cli_alloc(code->n + 2, sizeof(*v));
	size_t i;

	for (i = 0; i < code->n; i++)
		v[i] = cli_printf("%s", code->v[i]);
	if (!i)
		v[0] = cli_printf("%s", "PROGRAM");
	return v;
}

static void free_code(char **code)
{
	size_t i;

	for (i = 0; code && code[i]; i++)
		free(code[i]);
	free(code);
}

/* Accesses that nobody asked for are no reason to refuse a program. */
static void drop_code(struct session *s, struct chess_runner_opts *ro)
{
	if (!s->helper)
		cli_note("note: accesses to memory are not examined: %s", chess_error());
	free_code(s->code);
	s->code = NULL;
	ro->code = NULL;
	ro->max_accesses = 0;
	free(s->points);
	s->points = cli_printf("sync,syscalls");
}

/* Signals that end the command end the run first. nohup stays nohup. */
static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static void catch_signals(void)
{
	struct sigaction sa = { .sa_handler = handle_signal };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &sa, NULL);
}

void session_release_signals(void)
{
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler == handle_signal)
			signal(signals[i], SIG_DFL);
}

/* For who compares both, and to put a fault down to one of them. */
static bool has_only_traps(void)
{
	const char *given = getenv("CHESS_FAST_POINTS");

	return given && !strcmp(given, "0");
}

/* What its runs are like. */
static struct chess_runner_opts runner_opts(const struct session *s, const struct session_opts *o)
{
	return (struct chess_runner_opts) {
		.sz = sizeof(struct chess_runner_opts),
		.quantum_us = session_quantum(o),
		.max_events = session_events(o),
		.run_timeout_ms = o->run_timeout * 1000,
		.sync_points = session_has_sync(s->points),
		.maps = o->maps,
		.no_syscall_points = !strstr(s->points, "syscalls"),
		.real_time = o->real_time,
		.private_tmp = o->private_tmp,
		.overlay = o->overlay,
		.no_network = o->no_network,
		.host_pids = o->host_pids,
		.no_bpf = o->no_bpf,
		.max_points = o->max_points,
		.yield_trylock = session_yield_trylock(o),
		.late_timers = session_late_timers(o),
		.no_early = o->no_early,
		.goes_on_when_full = o->goes_on_when_full,
		.late_watchdogs = session_late_watchdogs(o),
		.no_watchdogs = session_no_watchdogs(o),
		.late_limits = session_late_limits(o),
		.early_max = session_early_max(o),
		.late_programs = session_late_programs(o),
		.long_rows = s->long_rows || (o->recorded && chess_record_long_rows(o->recorded)),
		.wake_any = session_wake_any(o),
		.spurious = session_spurious(o),
		.whole_updates = session_whole_updates(o),
		.whole_copies = session_whole_copies(o),
		.fewer_calls = session_fewer_calls(o),
		.busy_awaits = session_busy_awaits(o),
		.only_traps = has_only_traps(),
		.functions = session_functions(o),
		.unfair = !session_fair(o),
		.fair_k = session_fair(o),
		.max_accesses = !o->record ? 0 :
				o->max_accesses ? o->max_accesses : SESSION_ACCESSES,
	};
}

int session_open(struct session *s, struct chess_ctl *ctl, char **argv, char *path,
		 const char *cwd, const struct session_opts *o, bool capture)
{
	struct chess_runner_opts ro = runner_opts(s, o);
	struct chess_program p = {
		.argv = argv, .cwd = cwd, .capture = capture,
		.uid = where_id("CHESS_VM_UID"), .gid = where_id("CHESS_VM_GID"),
	};
	const char **later;
	int code;

	/* It was looked at before. */
	if (session_expect(o, &ro.expect) == CLI_PROCEED)
		s->expect = chess_expect_text(&ro.expect);
	if (!s->helper)
		copy_up(path);
	s->argv = argv;
	s->path = path;
	s->real_time = o->real_time;
	s->cwd = cwd ? cli_printf("%s", cwd) : getcwd(NULL, 0);
	s->hash = program_hash(path);
	if (o->record || session_has_races(s->points))
		s->code = code_list(&o->code);
	ro.code = (const char *const *)s->code;
	if (o->accessed && !s->n_later)
		session_copy_later(s, o->accessed->later, o->accessed->n_later);
	later = session_later(s->later, s->n_later);
	p.later = later;
	s->runner = chess_runner_new(ctl, &p, &ro);
	if (!s->runner && s->code && o->may_drop_code) {
		drop_code(s, &ro);
		s->runner = chess_runner_new(ctl, &p, &ro);
	}
	free(later);
	if (!s->runner)
		return cli_fail(CLI_ENVIRONMENT, "'%s' cannot be put under control: %s", argv[0],
				chess_error());
	/* Uprobes are of a file as it is now: copied up, and not to be replaced any more. */
	code = s->helper ? CLI_PROCEED : note_probes(s, &o->probes);
	if (code == CLI_PROCEED && !s->helper)
		code = session_attach(o, path, &s->attached);
	if (code == CLI_PROCEED && session_has_races(s->points) && o->accessed &&
	    o->accessed->n_access_points)
		code = session_trace_points(s, o->accessed);
	if (code != CLI_PROCEED)
		return code;
	s->surroundings = chess_runner_surroundings(s->runner);
	if (!o->host_pids && !s->helper && chess_runner_missing(s->runner))
		cli_note("note: %s", chess_runner_missing(s->runner));
	current = s->runner;
	catch_signals();
	return CLI_PROCEED;
}

/* Its runs are slower then. */
static void note_starts(const struct session *s)
{
	const char *why;

	if (!s->runner)
		return;
	chess_runner_forked(s->runner, &why);
	if (why && !s->helper)
		cli_note("note: runs begin with an execve, not with a fork of a process that is kept after its start: %s",
			 why);
}

void session_close(struct session *s)
{
	note_starts(s);
	current = NULL;
	chess_runner_free(s->runner);
	chess_probes_detach(s->attached);
	while (s->n_probes) {
		free(s->probes[--s->n_probes].path);
		free(s->probes[s->n_probes].hash);
	}
	free(s->probes);
	free_code(s->code);
	session_clear_points(&s->accesses);
	session_forget_later(s);
	free(s->cwd);
	free(s->path);
	free(s->hash);
	free(s->points);
	free(s->expect);
	memset(s, 0, sizeof(*s));
}

void session_trace(const struct session *s, const struct chess_run_result *res,
		   struct chess_trace *t)
{
	static struct utsname u;

	uname(&u);
	*t = (struct chess_trace){
		.argv = s->argv, .cwd = s->cwd, .program = s->path, .program_hash = s->hash,
		.kernel = u.release, .verdict = res->verdict, .status = res->status,
		.record = res->record, .waits = res->waits, .n_waits = res->n_waits,
		.points = s->points, .out = res->out, .err = res->err,
		.expect = s->expect,
		.quantum_us = chess_runner_quantum(s->runner),
		.virtual_time = !s->real_time, .surroundings = s->surroundings,
		.probes = s->probes, .n_probes = s->n_probes, .code = s->code,
		.later = s->later, .n_later = s->n_later,
		.code_files = s->accesses.files, .n_code_files = s->accesses.n_files,
		.access_points = s->accesses.points, .n_access_points = s->accesses.n,
		.races = res->misuse, .n_races = !!res->misuse,
	};
	changed_note_surroundings(t);
	changed_note_maps(t, res->maps);
}
