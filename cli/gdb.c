// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay --gdb. A task joins a group at its execve. So the program is started
 * up to there, stopped, and gdb attaches to it and lets it go on to its first
 * instruction: what gdb does to it before is not in the schedule yet.
 *
 *    chessctl replay --gdb                    the program
 *      group, traps, surroundings
 *      fork  ----------------------------->   SIGSTOP to itself
 *      task-add, schedule-set, run-start
 *      fork, exec gdb -p  ---------------->   attach, continue
 *      gdb_end_wait()                         enter, execve: under control, gdb stops it
 *
 * The program has the surroundings it was recorded in, pids among them. gdb has them
 * too: a debugger in another PID namespace takes threads for one another. Its own
 * threads take pids, so the program sets the next one when gdb has started.
 *
 * Why gdb does not start the program itself: gdb 13.1 ends with an assertion of
 * its own (inferior_thread) at the first new thread of a controlled program that
 * it started through an exec-wrapper.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chessctl/races.h>

#include "cli.h"
#include "gdb.h"
#include "gdb_talk.h"
#include "report/report.h"
#include "where.h"

/* In the child, which becomes the program. */
static void become_program(const struct chess_isolate *iso, char **argv, const char *path,
			   const char *cwd)
{
	const char *what;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	raise(SIGSTOP);
	what = chess_isolate_enter(iso);
	if (what) {
		cli_note("the surroundings of the trace cannot be entered: %s: %s", what,
			 strerror(errno));
		_exit(CLI_ENVIRONMENT);
	}
	if (cwd && chdir(cwd)) {
		cli_note("the folder '%s' of the trace cannot be entered: %s", cwd,
			 strerror(errno));
		_exit(CLI_ENVIRONMENT);
	}
	personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	/* By the name the runner executes: it lies on the stack, and moves what is below. */
	execv(strchr(argv[0], '/') ? argv[0] : path, argv);
	cli_note("'%s' cannot be executed: %s", path, strerror(errno));
	_exit(CLI_ENVIRONMENT);
}

static pid_t start_program(struct chess_ctl *ctl, uint32_t group, struct chess_isolate *iso,
			   const struct chess_schedule *prefix, char **argv, const char *path,
			   const char *cwd, uint32_t flags, uint32_t fair)
{
	int status, ret;
	pid_t pid = chess_isolate_fork(iso, false);

	if (!pid)
		become_program(iso, argv, path, cwd);
	if (pid < 0 || waitpid(pid, &status, WUNTRACED) != pid || !WIFSTOPPED(status))
		return -1;
	ret = chess_schedule_set(ctl, group, prefix, chess_schedule_length(prefix));
	if (!ret)
		ret = chess_task_add(ctl, group, pid);
	if (!ret)
		ret = chess_run_start(ctl, group, flags, fair, NULL, 0);
	if (!ret)
		return pid;
	cli_note("the program cannot be put under control: %s", chess_error());
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -1;
}

/* The pid the program has for itself, and for gdb, which is where it is. */
static int own_pid(pid_t pid)
{
	char *path = cli_printf("/proc/%d/status", pid), line[256];
	FILE *f = fopen(path, "re");
	int own = pid;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, "NSpid:", 6))
			own = atoi(strrchr(line, '\t') + 1);
	if (f)
		fclose(f);
	free(path);
	return own;
}

/* What gdb does at its start. NULL: nothing. With nobody there to type there are no commands. */
static FILE *write_script(const struct gdb_watchpoint *watch, const struct gdb_front *front,
			  const struct gdb_talk *talk, uint32_t at)
{
	FILE *f = tmpfile();

	if (!f)
		return NULL;
	if (talk->fd >= 0)
		fprintf(f, "python\n%schess_talk = ChessTalk(%d, %d, %s)\nend\n", gdb_commands,
			talk->fd, front->kept, gdb_front_is_program(front) ? "True" : "False");
	if (gdb_front_is_program(front))
		fprintf(f, "python ChessAsync()\n");
	gdb_watchpoint_script(watch, f);
	if (at)
		fprintf(f, "chess at %u\n", at);
	/* Not on the way there. */
	if (talk->fd >= 0 && front->kept >= 0)
		fprintf(f, "source /dev/fd/%d\n", front->kept);
	fflush(f);
	return f;
}

/* The script is read from a descriptor: where gdb is there may be another /tmp. */
static void exec_gdb(const struct chess_isolate *iso, const char *path, int pid,
		     const struct gdb_watchpoint *watch, const struct gdb_front *front,
		     const struct gdb_talk *talk, uint32_t at)
{
	FILE *script = write_script(watch, front, talk, at);
	const char *what = chess_isolate_enter(iso);
	const char *interpreter = front->interpreter ? front->interpreter : "console";
	/* A program stops and asks while the other one runs. Later than now it cannot be set. */
	const char *async = gdb_front_is_program(front) ? "set mi-async on" : "set mi-async off";
	char number[16], file[32];
	char *const args[] = {
		(char *)"gdb", (char *)"-q", (char *)"-i", (char *)interpreter,
		(char *)"-iex", (char *)async,
		/* it attaches to ourselves first, before the execve */
		(char *)"-iex", (char *)"set print symbol-loading off",
		(char *)"-iex", (char *)"set exec-file-mismatch off",
		/* both the program's own stop and those gdb stops threads with */
		(char *)"-ex", (char *)"handle SIGSTOP nostop noprint nopass",
		(char *)"-ex", (char *)"set breakpoint pending on",
		(char *)"-ex", (char *)"tcatch exec",
		(char *)"-ex", (char *)"continue",
		(char *)"-p", number, (char *)path,
		script ? (char *)"-x" : NULL, file, watch->alone ? (char *)"-batch" : NULL, NULL,
	};

	if (front->kept >= 0)
		fcntl(front->kept, F_SETFD, 0);
	snprintf(number, sizeof(number), "%d", pid);
	snprintf(file, sizeof(file), "/dev/fd/%d", script ? fileno(script) : -1);
	if (!what)
		execvp("gdb", args);
	cli_note(what ? "gdb cannot be started where the program is: %s" :
		 "gdb cannot be started: %s; apt-get install gdb", strerror(errno));
	_exit(CLI_ENVIRONMENT);
}

/*
 * How the run inside gdb compares with the trace. Decisions are compared and not
 * whole events: a stop by gdb breaks off the waits of all threads, so wake-ups
 * stand elsewhere although tasks run in the order of the trace.
 */
static int judge(struct chess_record *seen, const struct chess_trace *t,
		 const struct gdb_talk_shared *by_gdb, FILE *to)
{
	struct chess_trace other = *t;
	struct report a, b;
	size_t at, seen_at, decisions;
	int code = CLI_OK;

	if (!seen || !chess_record_length(seen)) {
		chess_record_free(seen);
		return CLI_OK;
	}
	decisions = gdb_end_compare(t, seen, &at, &seen_at);
	if (at != SIZE_MAX && by_gdb && by_gdb->left && decisions >= by_gdb->decisions) {
		decisions = by_gdb->decisions;
		seen_at = SIZE_MAX;
	}
	if (at == SIZE_MAX) {
		fprintf(to, "the run under gdb followed the trace to its end\n");
		code = chess_verdict_is_bug(t->verdict) ? CLI_BUG : CLI_OK;
	} else if (seen_at >= chess_record_length(seen)) {
		fprintf(to, "the run under gdb followed the trace as far as it went, decision %zu of %zu\n",
			decisions, chess_record_decisions(t->record));
	} else {
		fprintf(to, "diverged: the run under gdb left the trace\n");
		other.record = seen;
		report_open(&a, t);
		report_open(&b, &other);
		report_difference(&a, at, &b, seen_at, to);
		report_close(&a);
		report_close(&b);
		code = CLI_INCOMPLETE;
	}
	chess_record_free(seen);
	return code;
}

static uint32_t run_flags(const struct chess_record *r, const struct session_opts *o,
			  const char *points)
{
	return (strstr(points, "syscalls") ? 0 : CHESS_RUN_FLAGS_NO_SYSCALL_POINTS) |
	       (o->real_time ? 0 : CHESS_RUN_FLAGS_VIRTUAL_TIME) |
	       (chess_record_yield_trylock(r) ? CHESS_RUN_FLAGS_YIELD_TRYLOCK : 0) |
	       (chess_record_early_timers(r) ? CHESS_RUN_FLAGS_EARLY_TIMERS : 0) |
	       (chess_record_late_watchdogs(r) && !o->real_time ?
			CHESS_RUN_FLAGS_LATE_WATCHDOGS : 0) |
	       (chess_record_no_watchdogs(r) && !o->real_time ?
			CHESS_RUN_FLAGS_NO_WATCHDOGS : 0) |
	       (chess_record_late_limits(r) && !o->real_time ? CHESS_RUN_FLAGS_LATE_LIMITS : 0) |
	       (chess_record_long_rows(r) ? CHESS_RUN_FLAGS_LONG_ROWS : 0) |
	       (chess_record_wake_any(r) ? CHESS_RUN_FLAGS_WAKE_ANY : 0) |
	       (chess_record_spurious(r) && !o->real_time ? CHESS_RUN_FLAGS_SPURIOUS : 0) |
	       (chess_record_split_updates(r) ? CHESS_RUN_FLAGS_SPLIT_UPDATES : 0) |
	       (chess_record_split_copies(r) ? CHESS_RUN_FLAGS_SPLIT_COPIES : 0) |
	       (chess_record_more_calls(r) ? CHESS_RUN_FLAGS_MORE_CALLS : 0) |
	       (chess_record_yield_await(r) ? CHESS_RUN_FLAGS_YIELD_AWAIT : 0) |
	       CHESS_RUN_FLAGS_FIXED_RANDOM;
}

int gdb_replay(struct chess_ctl *ctl, const struct chess_trace *t, char **argv, const char *path,
	       const char *cwd, const struct session_opts *o, const char *points,
	       const struct gdb_watchpoint *watch, const struct gdb_front *front, uint32_t *at)
{
	struct gdb_talk talk = { .pid = -1, .fd = -1 };
	struct chess_schedule *prefix = chess_record_schedule(t->record);
	const char **later = session_later(t->later, t->n_later);
	const struct chess_program traced = { .argv = argv, .cwd = cwd, .later = later };
	uint32_t flags = run_flags(t->record, o, points);
	const struct chess_runner_opts surroundings = {
		.sz = sizeof(surroundings), .private_tmp = o->private_tmp, .overlay = o->overlay,
		.no_network = o->no_network, .host_pids = o->host_pids,
	};
	struct chess_isolate *iso = NULL;
	struct chess_probes *probes = NULL;
	uint32_t group = 0;
	struct chess_record *seen = NULL;
	struct gdb_end end = {
		.ctl = ctl, .t = t, .alone = watch->alone, .typed = isatty(STDIN_FILENO),
		.seen = &seen,
	};
	int status = 0, number, ret, code = CLI_ENVIRONMENT;
	pid_t program = -1, gdb;
	uint32_t again;

	chess_ctl_set_functions(ctl, session_functions(o));
	if (!o->real_time)
		chess_ctl_set_late(ctl, chess_record_early_max(t->record),
				   chess_record_late_programs(t->record));
	ret = prefix ? chess_group_new(ctl, session_quantum(o), session_events(o), &group) :
		       -ENOMEM;
	if (!ret && t->n_access_points && session_has_races(points))
		ret = chess_probe_add_trace(ctl, group, &traced, path, t,
					       session_has_sync(points));
	else if (!ret && session_has_sync(points))
		ret = chess_probe_add_program(ctl, group, &traced, path);
	if (ret >= 0) {
		iso = chess_isolate_new(&surroundings);
		ret = iso ? chess_isolate_begin(iso, cwd) : -errno;
	}
	if (ret < 0) {
		cli_note("no group can be made for gdb: %s", chess_error());
		goto out;
	}
	if (session_attach(o, path, &probes) != CLI_PROCEED)
		goto out;
	program = start_program(ctl, group, iso, prefix, argv, path, cwd, flags,
				chess_record_fair(t->record));
	if (program < 0)
		goto out;
	/* Ctrl-C is gdb's, which stops the program with it. */
	signal(SIGINT, SIG_IGN);
	number = own_pid(program);
	if (!watch->alone && gdb_talk_start(&talk, group, t))
		cli_note("note: the gdb command 'chess' does not work: %s", strerror(errno));
	gdb = chess_isolate_fork(iso, true);
	if (!gdb) {
		signal(SIGINT, SIG_DFL);
		exec_gdb(iso, path, number, watch, front, &talk, *at);
	}
	end.group = group;
	end.program = program;
	if (gdb > 0)
		status = gdb_end_wait(&end, gdb);
	if (gdb < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == CLI_ENVIRONMENT))
		goto out;
	/* A run that is left for another one was killed, and that is in its record. */
	again = talk.shared ? talk.shared->again : 0;
	/* What a program reads on stdout is GDB/MI alone. */
	code = again ? CLI_OK : judge(seen ? seen : chess_record_get(ctl, group), t, talk.shared,
				      gdb_front_is_program(front) ? stderr : stdout);
	seen = again ? seen : NULL;
out:
	*at = gdb_talk_end(&talk);
	if (program > 0) {
		/* gdb detached from it, or is gone with it. */
		kill(program, SIGKILL);
		waitpid(program, &status, 0);
	}
	if (iso)
		chess_isolate_end(iso, false);
	chess_isolate_free(iso);
	if (group)
		chess_group_del(ctl, group);
	chess_probes_detach(probes);
	chess_schedule_free(prefix);
	chess_record_free(seen);
	free(later);
	return code;
}
