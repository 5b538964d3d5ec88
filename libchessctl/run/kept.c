// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Runs that begin with a fork of a process whose start is over, where the module keeps one
 * (kmod/kept.c). The loader takes longer than many programs that are searched.
 *
 *	some runs as usual
 *	a process is kept at once	where is its loader?
 *	one is kept after it		the last decision before the program's own calls
 *	what fork() does not copy	is looked for in /proc; then no process is kept
 *	a run is made both ways		their records, accesses and output are compared
 *	all later runs			from the kept process, where the plan comes to it
 *
 * What a run depends on besides the plan (points, whether accesses are recorded) is fixed
 * when the process is kept: where it changes, another one is kept. runner.c calls.
 */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "mix.h"
#include "module/nl.h"
#include "now.h"
#include "record/decision.h"
#include "run/isolate.h"
#include "run/runner_internal.h"

/* A search that has fewer runs has no use for it. */
#define RUNS_BEFORE	6
/* So often at most a process is kept. */
#define MOST_KEPT	20
#define KEEP_MS		10000

static uint64_t hash_of_list(uint64_t hash, char *const *list)
{
	for (; list && *list; list++)
		hash = chess_hash_bytes(hash, *list, strlen(*list) + 1);
	return chess_mix(hash, 0);
}

/* What a program is given; whoever uses the library may change it between two runs. */
static uint64_t hash_of_input(const struct chess_runner *r)
{
	const struct chess_program *p = &r->program;

	return hash_of_list(hash_of_list(0, p->argv), p->envp ? p->envp : environ);
}

static void end_child(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
}

static void end_process(struct kept *k)
{
	if (k->root > 0)
		end_child(k->root);
	k->root = 0;
	k->ready = false;
}

void chess_kept_forget(struct chess_runner *r)
{
	end_process(&r->kept);
	r->kept.runs = 0;
}

void chess_kept_free(struct chess_runner *r)
{
	end_process(&r->kept);
	if (r->kept.out >= 0)
		close(r->kept.out);
	if (r->kept.err >= 0)
		close(r->kept.err);
}

static void give_up(struct kept *k, const char *why)
{
	end_process(k);
	k->off = true;
	k->why = why;
}

void chess_kept_init(struct chess_runner *r)
{
	const char *wish = getenv("CHESS_FORK");
	struct kept *k = &r->kept;

	k->out = k->err = -1;
	/* For tests, which compare both ways. */
	k->off = wish && !strcmp(wish, "no");
	k->before = wish && !strcmp(wish, "soon") ? 1 : RUNS_BEFORE;
}

/* --- what of a process fork() does not copy --------------------------------- */

static FILE *open_of(pid_t pid, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return fopen(path, "re");
}

/* Has a line of the file this, from its column @column on? Also where it cannot be read. */
static bool has_line(pid_t pid, const char *name, bool (*is)(const char *line))
{
	FILE *f = open_of(pid, name);
	char line[PATH_MAX + 256];
	bool found = !f;

	while (f && !found && fgets(line, sizeof(line), f))
		found = is(line);
	if (f)
		fclose(f);
	return found;
}

static bool is_any(const char *line)
{
	return line[0];
}

/* VmFlags: dc and wf, memory that a child does not get or gets empty; lo, memory that is locked */
static bool is_not_inherited(const char *line)
{
	const char *perms = strchr(line, ' ');

	if (!strncmp(line, "VmFlags:", 8))
		return strstr(line, " dc") || strstr(line, " wf") || strstr(line, " lo");
	/* A mapping, and shared */
	return perms && strchr(line, '-') && strchr(line, '-') < perms && perms[4] == 's';
}

static bool is_filtered(const char *line)
{
	return !strncmp(line, "Seccomp:", 8) && atoi(line + 8);
}

static bool is_inherited_fd(pid_t pid, const char *name)
{
	char ours[64], its[64], a[PATH_MAX], b[PATH_MAX];
	int fd = atoi(name), flags = fcntl(fd, F_GETFD);
	ssize_t n, m;

	if (fd <= 2)
		return true;
	snprintf(ours, sizeof(ours), "/proc/self/fd/%d", fd);
	snprintf(its, sizeof(its), "/proc/%d/fd/%d", pid, fd);
	n = readlink(ours, a, sizeof(a));
	m = readlink(its, b, sizeof(b));
	return flags >= 0 && !(flags & FD_CLOEXEC) && n > 0 && n == m && !memcmp(a, b, n);
}

static bool has_own_files(pid_t pid)
{
	char path[64];
	struct dirent *e;
	bool own = false;
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	d = opendir(path);
	if (!d)
		return true;
	while (!own && (e = readdir(d)))
		own = e->d_name[0] != '.' && !is_inherited_fd(pid, e->d_name);
	closedir(d);
	return own;
}

/* Return: NULL, or why a fork of it would not be what a start is. */
static const char *why_not(const struct kept *k)
{
	if (lseek(k->out, 0, SEEK_END) || lseek(k->err, 0, SEEK_END))
		return "it has written something";
	if (has_own_files(k->root))
		return "it has files open";
	if (has_line(k->root, "timers", is_any))
		return "it has timers";
	if (has_line(k->root, "smaps", is_not_inherited))
		return "it has memory that its children do not get";
	return NULL;
}

/* --- where ------------------------------------------------------------------- */

/* Where the loader's file is mapped. */
static bool find_loader(struct kept *k)
{
	FILE *f = open_of(k->root, "auxv");
	unsigned long low, high, base = 0, inode, of_base = 0;
	char line[PATH_MAX + 256];
	Elf64_auxv_t a;

	while (f && fread(&a, sizeof(a), 1, f) == 1 && a.a_type != AT_NULL)
		if (a.a_type == AT_BASE)
			base = a.a_un.a_val;
	if (f)
		fclose(f);
	f = base ? open_of(k->root, "maps") : NULL;
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %*s %*s %*s %lu", &low, &high, &inode) != 3)
			continue;
		if (low == base) {
			of_base = inode;
			k->low = low;
		}
		if (of_base && inode == of_base)
			k->high = high;
	}
	if (f)
		fclose(f);
	return k->high;
}

/* How many decisions the start of a program has, all of them of the loader or in functions. */
static uint32_t count_start(const struct kept *k, const struct chess_record *r)
{
	const struct chess_event *e;
	uint32_t n = 0;
	size_t i;

	for (i = 0; i < chess_record_length(r); i++) {
		e = chess_record_event(r, i);
		if (!CHESS_EVENT_IS_DECISION(e->type))
			continue;
		if (e->type != CHESS_EVENT_POINT || e->task || e->chosen ||
		    (e->flags & CHESS_OPF_YIELD) || e->op == CHESS_OP_CREATE ||
		    e->op == CHESS_OP_FORK)
			break;
		if (!(e->flags & CHESS_OPF_PROBE) && (e->ip < k->low || e->ip >= k->high))
			break;
		n++;
	}
	return n;
}

/* Return: 0; 1: no process was kept; -errno. */
static int keep(struct chess_runner *r, uint32_t flags, uint32_t max_accesses, uint32_t at)
{
	struct chess_run_result none = { 0 };
	struct progress w = { .r = r, .out = &none };
	struct kept *k = &r->kept;
	struct launch l = { .r = r, .out = k->out, .err = k->err, .kept = true };
	pid_t root;
	int ret;

	end_process(k);
	chess_runner_doubt_files(r);
	chess_ctl_set_late(r->ctl, chess_runner_early_max(r), chess_runner_late_programs(r));
	ret = chess_run_begin_kept(r->ctl, r->group, flags, chess_runner_fair(r), max_accesses,
				   at, &w.run, &root);
	if (ret)
		return ret;
	w.end = chess_now_us() + KEEP_MS * 1000LL;
	w.next_check = INT64_MAX;
	ret = chess_runner_launch(&l, &root);
	if (!ret)
		ret = chess_runner_await(&w);
	chess_run_result_clear(&none);
	if (ret) {
		chess_run_stop(r->ctl, r->group, CHESS_STOP_FLAGS_KILL);
		if (root > 0) {
			kill(root, SIGKILL);
			waitpid(root, &w.facts.status, 0);
		}
		return ret;
	}
	/*
	 * A kept one is there as before, and the run has ended without it; a request to kill the
	 * tasks of the run may have come after that.
	 */
	if (w.killed)
		kill(root, SIGKILL);
	if (waitpid(root, &w.facts.status, w.killed ? 0 : WNOHANG)) {
		if (w.interrupted)
			chess_runner_interrupt(r);
		return 1;
	}
	k->root = root;
	k->owner = getpid();
	k->input = hash_of_input(r);
	return 0;
}

static int make_files(struct kept *k)
{
	if (k->out >= 0)
		return ftruncate(k->out, 0) || ftruncate(k->err, 0) ? -errno : 0;
	k->out = memfd_create("stdout", MFD_CLOEXEC);
	k->err = memfd_create("stderr", MFD_CLOEXEC);
	return k->out < 0 || k->err < 0 ? -errno : 0;
}

static void make(struct chess_runner *r, uint32_t flags, uint32_t max_accesses,
		 const struct chess_record *record)
{
	struct kept *k = &r->kept;
	const char *why;
	uint32_t at;

	if (chess_isolate_nest(r->isolate) || make_files(k)) {
		give_up(k, "its surroundings cannot be made");
		return;
	}
	if (has_line(getpid(), "status", is_filtered)) {
		give_up(k, "a seccomp filter, which chessctl was started with, applies to it");
		return;
	}
	if (!k->high && keep(r, flags, max_accesses, 1)) {
		give_up(k, "it cannot be kept at its first point");
		return;
	}
	if (!k->high && !find_loader(k)) {
		give_up(k, "its loader is not found");
		return;
	}
	at = count_start(k, record);
	if (!at || keep(r, flags, max_accesses, at)) {
		give_up(k, "its start is not over at a place that is known");
		return;
	}
	why = why_not(k);
	if (why) {
		give_up(k, why);
		return;
	}
	k->ready = true;
	k->records = max_accesses;
	k->made++;
}

/*
 * IPC objects with names outlive a run that shares its namespace with others, as forks of one
 * process do; each run that begins as usual has one of its own.
 */
static bool has_ipc(const struct chess_record *r)
{
	const struct chess_event *e;
	size_t i;

	for (i = 0; (e = chess_record_event(r, i)); i++)
		if (e->type == CHESS_EVENT_POINT && e->op == CHESS_OP_IPC)
			return true;
	return false;
}

/* What was decided by the time of the machine: accesses before that need not be the same. */
static bool has_chance(const struct chess_record *r)
{
	return chess_record_has_type(r, CHESS_EVENT_QUANTUM) ||
	       chess_record_has_type(r, CHESS_EVENT_STALL) ||
	       chess_record_has_type(r, CHESS_EVENT_RESUME);
}

/* --- for runner.c ---------------------------------------------------------------- */

static bool is_same(const struct chess_run_result *a, const struct chess_run_result *b)
{
	return chess_record_compare(a->record, b->record) == SIZE_MAX &&
	       a->verdict == b->verdict && a->status == b->status &&
	       a->n_accesses == b->n_accesses && a->lost_accesses == b->lost_accesses &&
	       (!a->n_accesses || !memcmp(a->accesses, b->accesses,
					  a->n_accesses * sizeof(*a->accesses))) &&
	       a->out_len == b->out_len && a->err_len == b->err_len &&
	       !memcmp(a->out, b->out, a->out_len) && !memcmp(a->err, b->err, a->err_len);
}

/* The same run from the kept process. */
static void check(struct chess_runner *r, const struct chess_plan *plan,
		  const struct chess_run_result *fresh)
{
	struct chess_run_result forked;
	struct kept *k = &r->kept;
	int ret;

	k->forked = 0;
	ret = chess_runner_run_plan(r, plan, NULL, 0, &forked);
	if (ret == -EINTR) {
		chess_runner_interrupt(r);
		chess_kept_forget(r);
		return;
	}
	if (ret || !k->forked)
		give_up(k, "a run did not begin with it");
	else if (!is_same(fresh, &forked))
		give_up(k, "a run that began with it differs from one that did not");
	if (!ret)
		chess_run_result_clear(&forked);
}

/* Its forks are children of the process that made it, not of one forked since (calls.c). */
static bool may_keep(const struct chess_runner *r)
{
	return !r->kept.off && (!r->kept.root || r->kept.owner == getpid()) &&
	       r->program.capture && !r->opts.real_time &&
	       !r->opts.no_syscall_points && !r->opts.host_pids && !r->opts.private_tmp &&
	       !r->opts.overlay && !r->opts.no_network && !chess_runner_missing(r);
}

void chess_kept_consider(struct chess_runner *r, uint32_t flags, uint32_t max_accesses,
			 const struct chess_plan *plan, const struct chess_run_result *fresh)
{
	static const struct chess_plan usual;
	struct kept *k = &r->kept;

	if (k->ready || !may_keep(r) || fresh->verdict != CHESS_VERDICT_OK ||
	    has_chance(fresh->record))
		return;
	if (has_ipc(fresh->record)) {
		give_up(k, "it has IPC objects");
		return;
	}
	if (k->records != !!max_accesses)
		k->runs = 0;
	k->records = max_accesses;
	if (++k->runs < k->before || k->made >= MOST_KEPT)
		return;
	if (chess_plan_set(r->ctl, r->group, &usual)) {
		give_up(k, "its plan is refused");
		return;
	}
	r->has_plan = false;
	make(r, flags, max_accesses, fresh->record);
	if (k->ready)
		check(r, plan, fresh);
}

void chess_kept_ended(struct chess_runner *r, const struct chess_record *forked)
{
	if (has_ipc(forked))
		give_up(&r->kept, "it has IPC objects");
}

unsigned int chess_runner_forked(const struct chess_runner *r, const char **why)
{
	*why = r->kept.why;
	return r->kept.all;
}

/* As it was when it was made. Most runs write nothing. */
static int clear_file(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);

	if (size < 0 || (size && (ftruncate(fd, 0) || lseek(fd, 0, SEEK_SET))))
		return -errno;
	return fcntl(fd, F_SETFL, O_RDWR) ? -errno : 0;
}

bool chess_kept_begin(struct progress *w, struct launch *l, uint32_t flags, pid_t *root)
{
	struct chess_runner *r = w->r;
	struct kept *k = &r->kept;
	int ret;

	if (!k->ready || k->records != !!w->max_accesses || !may_keep(r))
		return false;
	if (k->input != hash_of_input(r)) {
		chess_kept_forget(r);
		return false;
	}
	if (clear_file(k->out) || clear_file(k->err)) {
		give_up(k, "its output cannot be cleared");
		return false;
	}
	ret = chess_run_begin_kept(r->ctl, r->group, flags, chess_runner_fair(r),
				   w->max_accesses, 0, &w->run, root);
	if (!ret) {
		l->out = k->out;
		l->err = k->err;
		l->kept = true;
		k->forked++;
		k->all++;
		return true;
	}
	/* Not the root task of a run, but a child of ours. */
	if (*root > 0)
		end_child(*root);
	*root = -1;
	/* The plan does not come to where it is: as usual, this time. */
	if (ret == -ENOENT || ret == -EINVAL) {
		/* What runs depend on has changed. */
		chess_kept_forget(r);
	} else if (ret != -ECHILD) {
		chess_run_stop(r->ctl, r->group, CHESS_STOP_FLAGS_KILL);
		give_up(k, "it does not fork");
	}
	return false;
}
