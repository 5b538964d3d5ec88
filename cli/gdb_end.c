// SPDX-License-Identifier: GPL-2.0-only
/*
 * replay --gdb, while gdb is at work. What was a deadlock or a livelock in the trace is one
 * again: the program would sleep, or go round, for ever, and gdb wait for it, which only
 * somebody at a terminal could end. So where the trace ends the program is stopped for gdb,
 * and with nobody there to type it is ended. So is a run that left the trace and does not end.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "gdb.h"
#include "now.h"

#define LOOK_MS		100
/* Looks at which nothing had happened: then it sleeps, and is not about to be let go. */
#define STILL		3
/* Looks at which a run that left the trace waits for something outside. */
#define LEFT_ALONE	50
/* Interrupts that did not stop it: it blocks the signal. */
#define DEAF		10
/* So much longer than the trace may a run be that has left it. */
#define LONGER		2
#define LONGER_AT_LEAST	10000

struct waiting {
	const struct gdb_end *e;
	struct chess_group_info info;
	uint64_t seen;		/* events when the record was read last */
	int64_t read_at;	/* not before this, in ms; records may be long */
	unsigned int still, interrupts;
	bool at_end, left, told;
};

/* A stop by gdb is one of all threads. */
static bool is_stopped(pid_t pid)
{
	char path[64], line[512], *state;
	bool stopped = false;
	struct dirent *d;
	DIR *dir;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && !stopped && (d = readdir(dir))) {
		snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, atoi(d->d_name));
		f = fopen(path, "re");
		if (!f)
			continue;
		/* PID (NAME) STATE, and a name may have anything in it */
		state = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
		stopped = state && state[1] == ' ' && (state[2] == 't' || state[2] == 'T');
		fclose(f);
	}
	if (dir)
		closedir(dir);
	return stopped;
}

/* Only what we end in a run by ourselves goes on for ever under gdb. */
static bool is_endless(enum chess_verdict verdict)
{
	return verdict == CHESS_VERDICT_DEADLOCK || verdict == CHESS_VERDICT_LIVELOCK ||
	       verdict == CHESS_VERDICT_TIMEOUT;
}

size_t gdb_end_compare(const struct chess_trace *t, const struct chess_record *seen,
		       size_t *at, size_t *seen_at)
{
	size_t n = chess_record_compare_decisions(t->record, seen, at, seen_at);

	if (*at == chess_record_length(t->record) && is_endless(t->verdict))
		*at = *seen_at = SIZE_MAX;
	return n;
}

/* How far is the run? What is known of it stays so: it only goes on. */
static void read_record(struct waiting *w)
{
	const struct chess_trace *t = w->e->t;
	int64_t start = chess_now_ms();
	struct chess_record *r;
	size_t at, seen_at;

	if (w->at_end || w->info.events == w->seen || start < w->read_at)
		return;
	r = chess_record_get(w->e->ctl, w->e->group);
	w->seen = w->info.events;
	w->read_at = chess_now_ms() + 4 * (chess_now_ms() - start);
	if (!r)
		return;
	gdb_end_compare(t, r, &at, &seen_at);
	w->left = at != SIZE_MAX && seen_at < chess_record_length(r);
	w->at_end = at == SIZE_MAX && is_endless(t->verdict);
	if (w->at_end)
		*w->e->seen = r;
	else
		chess_record_free(r);
}

static void end_run(struct waiting *w, const char *why)
{
	if (!w->told)
		cli_note("%s: the program is ended", why);
	w->told = true;
	chess_run_stop(w->e->ctl, w->e->group, CHESS_STOP_FLAGS_KILL);
}

/* Nothing is done about a run that gdb has stopped, or that may still come to its end. */
static void look(struct waiting *w)
{
	const struct gdb_end *e = w->e;
	uint64_t before = w->info.events;
	char *why;

	if (chess_group_get(e->ctl, e->group, &w->info) ||
	    w->info.state != CHESS_GROUP_STATE_RUNNING)
		return;
	w->still = w->info.events == before && w->info.token == CHESS_TASK_NONE ? w->still + 1 : 0;
	read_record(w);
	if (is_stopped(e->program)) {
		w->interrupts = w->still = 0;
		return;
	}
	if (w->left && !e->typed &&
	    (w->still >= LEFT_ALONE || w->info.events > LONGER_AT_LEAST +
	     LONGER * chess_record_length(e->t->record)))
		end_run(w, "the run left the trace and does not end");
	/* Others may be about to be let go where one sleeps. */
	if (!w->at_end || (w->info.token == CHESS_TASK_NONE && w->still < STILL))
		return;
	why = cli_printf("the run is where the trace ends, in a %s",
			 chess_verdict_name(e->t->verdict));
	if (e->alone || (!e->typed && w->interrupts >= DEAF)) {
		end_run(w, why);
	} else if (w->interrupts++ < DEAF) {
		if (!w->told)
			cli_note("%s: it is stopped for gdb", why);
		w->told = true;
		kill(e->program, SIGINT);
		w->still = 0;
	}
	free(why);
}

int gdb_end_wait(const struct gdb_end *e, pid_t gdb)
{
	struct waiting w = { .e = e };
	struct chess_run_notice n;
	int status = 0;
	pid_t pid;

	for (;;) {
		pid = waitpid(gdb, &status, WNOHANG);
		if (pid == gdb || (pid < 0 && errno != EINTR))
			return status;
		/* What it says is looked up; it only comes sooner than the next look. */
		if (chess_notice_wait(e->ctl, LOOK_MS, &n) != -ETIMEDOUT)
			usleep(LOOK_MS * 1000);
		look(&w);
	}
}
