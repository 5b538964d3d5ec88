// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One controlled execution of a program: arm the group, start the program, wait
 * for what the module says about it, end it where it will not end, and hand back
 * the record with a verdict. The CLI calls it; the search calls it hundreds of
 * times a second, so a run costs a handful of messages, one clone and one execve.
 *
 *	schedule-set, run-start
 *	clone ------> child: task-add itself, execve       (from here on controlled)
 *	wait <------- notices: IDLE, DIVERGENCE, OVERFLOW, END
 *	run-stop      where it is stuck, went astray or takes too long
 *	record-get, waitpid, verdict
 *
 * A group serves one runner and all its runs; traps are registered once. What
 * the program was stuck in is read, and its record fetched, before it is killed:
 * in which order tasks die of SIGKILL is nobody's decision and must not be part
 * of the record.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "run/isolate.h"
#include "wait/look.h"
#include "module/nl.h"
#include "now.h"
#include "code/program.h"
#include "race/racing.h"
#include "run/runner_internal.h"
#include "code/sites.h"

#define RUN_TIMEOUT_MS	60000
#define OUTPUT_MAX	(1024 * 1024)

static void forget_later(struct chess_runner *r)
{
	size_t i;

	for (i = 0; r->later && r->later[i]; i++)
		free(r->later[i]);
	free(r->later);
	r->later = NULL;
	r->program.later = NULL;
}

static int keep_later(struct chess_runner *r, const char *const *files)
{
	char **copy;
	size_t n = 0, i;

	while (files && files[n])
		n++;
	copy = calloc(n + 1, sizeof(*copy));
	for (i = 0; copy && i < n; i++) {
		copy[i] = strdup(files[i]);
		if (!copy[i])
			break;
	}
	/* It may be of the old ones. */
	forget_later(r);
	r->later = copy;
	r->program.later = (const char *const *)copy;
	return copy && i == n ? 0 : chess_set_error(ENOMEM, "no memory for a list of files");
}

static int make_bare_group(struct chess_runner *r)
{
	struct chess_group_info info;
	int ret = chess_group_new(r->ctl, r->opts.quantum_us, r->opts.max_events, &r->group);

	if (!ret)
		ret = chess_group_get(r->ctl, r->group, &info);
	r->quantum_us = ret ? 0 : info.quantum_us;
	return ret;
}

static void delete_group(struct chess_runner *r)
{
	chess_kept_forget(r);
	chess_group_del(r->ctl, r->group);
	r->group = 0;
	r->has_plan = false;
}

/* With traps in all files of the program that are known of. */
static int make_group(struct chess_runner *r)
{
	int ret = make_bare_group(r);

	if (!ret && (r->opts.sync_points || r->opts.code))
		ret = chess_runner_note_files(r);
	if (!ret && r->opts.code)
		ret = chess_site_table_new(&r->program, r->path, r->opts.code, &r->sites);
	if (!ret)
		ret = chess_runner_add_traps(r);
	return ret;
}

struct chess_runner *chess_runner_new(struct chess_ctl *c, const struct chess_program *p,
				      const struct chess_runner_opts *o)
{
	struct chess_runner *r = calloc(1, sizeof(*r));
	int ret = 0;

	if (!r) {
		chess_set_error(ENOMEM, "no memory for a runner");
		return NULL;
	}
	r->ctl = c;
	r->program = *p;
	memcpy(&r->opts, o, o->sz < sizeof(r->opts) ? o->sz : sizeof(r->opts));
	r->program.later = NULL;
	chess_kept_init(r);
	r->patient = r->opts.run_timeout_ms;
	if (!r->patient)
		r->opts.run_timeout_ms = RUN_TIMEOUT_MS;
	r->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->null_fd < 0 || r->wake_fd < 0)
		ret = chess_set_error(errno, "/dev/null and an eventfd are needed: %m");
	if (!ret && p->uid != UINT32_MAX)
		ret = chess_runner_find_groups(r);
	if (!ret) {
		r->path = chess_program_find(p);
		if (!r->path)
			ret = -errno;
	}
	if (!ret) {
		r->isolate = chess_isolate_new(&r->opts);
		if (!r->isolate)
			ret = -errno;
	}
	if (!ret)
		ret = keep_later(r, p->later);
	if (!ret)
		ret = make_group(r);
	if (ret < 0) {
		chess_runner_free(r);
		errno = -ret;
		return NULL;
	}
	return r;
}

void chess_runner_free(struct chess_runner *r)
{
	if (!r)
		return;
	chess_kept_free(r);
	if (r->group)
		chess_group_del(r->ctl, r->group);
	if (r->null_fd >= 0)
		close(r->null_fd);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	chess_runner_forget_files(r);
	chess_look_free(r->look);
	chess_site_table_free(r->sites);
	chess_isolate_free(r->isolate);
	forget_later(r);
	free(r->groups);
	free(r->path);
	free(r);
}

int chess_runner_set_later(struct chess_runner *r, const char *const *files)
{
	int ret = keep_later(r, files);

	if (ret)
		return ret;
	delete_group(r);
	chess_runner_forget_files(r);
	chess_site_table_free(r->sites);
	r->sites = NULL;
	return make_group(r);
}

void chess_runner_set_long_rows(struct chess_runner *r, bool on)
{
	r->opts.long_rows = on;
}

int chess_runner_set_quantum(struct chess_runner *r, uint32_t us)
{
	int ret;

	r->opts.quantum_us = us;
	delete_group(r);
	ret = make_bare_group(r);
	return ret ? ret : chess_runner_add_traps(r);
}

uint32_t chess_runner_quantum(const struct chess_runner *r)
{
	return r->quantum_us;
}

const struct chess_site_table *chess_runner_sites(const struct chess_runner *r)
{
	return r->sites;
}

/* Code that is only there to put tasks in order has none; where a heap is given memory has. */
static bool may_be_point(const struct chess_site_table *t, uint32_t site)
{
	return site && (site <= chess_sites_total(t) ||
			(t && t->first_heap && site >= t->first_heap && site <= t->n));
}

int chess_runner_set_points(struct chess_runner *r, const uint32_t *sites, size_t n)
{
	size_t all = r->sites ? r->sites->n : 0, words = all / 64 + 1, i;
	uint64_t *map = calloc(words, sizeof(*map));
	int ret = map ? 0 : chess_set_error(ENOMEM, "no memory for %zu points", n);

	for (i = 0; i < n && !ret; i++) {
		if (!may_be_point(r->sites, sites[i]))
			ret = chess_set_error(EINVAL, "there is no access site %u, only 1 to %zu",
					      sites[i], chess_sites_total(r->sites));
		else
			map[sites[i] / 64] |= 1ULL << sites[i] % 64;
	}
	if (!ret) {
		chess_kept_forget(r);
		ret = chess_points_set(r->ctl, r->group, map, n ? words : 0);
	}
	free(map);
	return ret;
}

const char *chess_runner_missing(const struct chess_runner *r)
{
	return chess_isolate_missing(r->isolate);
}

unsigned int chess_runner_surroundings(const struct chess_runner *r)
{
	const struct chess_runner_opts *o = &r->opts;

	return (o->host_pids || chess_runner_missing(r) ? CHESS_SURROUNDINGS_HOST_PIDS : 0) |
	       (o->private_tmp ? CHESS_SURROUNDINGS_PRIVATE_TMP : 0) |
	       (o->overlay ? CHESS_SURROUNDINGS_OVERLAY : 0) |
	       (o->no_network ? CHESS_SURROUNDINGS_NO_NETWORK : 0);
}

int chess_runner_private_tmp(struct chess_runner *r, bool on)
{
	if (chess_runner_missing(r))
		return -EPERM;
	r->opts.private_tmp = on;
	chess_isolate_private_tmp(r->isolate, on);
	return 0;
}

bool chess_runner_left_files(const struct chess_runner *r)
{
	return r->left_files;
}

void chess_runner_set_expect(struct chess_runner *r, const struct chess_expect *x)
{
	r->opts.expect = *x;
}

void chess_runner_interrupt(struct chess_runner *r)
{
	uint64_t one = 1;
	int saved = errno;

	r->interrupted = 1;
	/* Full is fine: it is readable then. */
	if (write(r->wake_fd, &one, sizeof(one)) < 0)
		errno = saved;
}

/* A note of an interrupt is taken once. */
static bool take_interrupt(struct chess_runner *r)
{
	uint64_t count;

	if (!r->interrupted)
		return false;
	r->interrupted = 0;
	return read(r->wake_fd, &count, sizeof(count)) == sizeof(count) || errno == EAGAIN;
}

/* The last OUTPUT_MAX bytes of what was captured: messages of death come last. */
static char *read_output(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	off_t from = size > OUTPUT_MAX ? size - OUTPUT_MAX : 0;
	char *text = malloc(size - from + 1);
	ssize_t n = text && size > from ? pread(fd, text, size - from, from) : -1;

	*len = n > 0 ? n : 0;
	if (text)
		text[*len] = '\0';
	return text;
}

static int set_plan(struct chess_runner *r, const struct chess_plan *plan)
{
	bool empty = !plan->length && plan->policy == CHESS_POLICY_KIND_DEFAULT;
	int ret;

	if (empty && !r->has_plan)
		return 0;
	ret = chess_plan_set(r->ctl, r->group, plan);
	r->has_plan = ret || !empty;
	return ret;
}

static uint32_t flags_of_run(const struct chess_runner *r, size_t n)
{
	return (n || r->opts.maps ? CHESS_RUN_FLAGS_MAPS : 0) |
	       (r->opts.no_syscall_points ? CHESS_RUN_FLAGS_NO_SYSCALL_POINTS : 0) |
	       (r->opts.real_time ? 0 : CHESS_RUN_FLAGS_VIRTUAL_TIME) |
	       (r->opts.yield_trylock ? CHESS_RUN_FLAGS_YIELD_TRYLOCK : 0) |
	       (chess_runner_early_timers(r) ? CHESS_RUN_FLAGS_EARLY_TIMERS : 0) |
	       (r->opts.no_early ? CHESS_RUN_FLAGS_NO_EARLY : 0) |
	       (chess_runner_late_watchdogs(r) ? CHESS_RUN_FLAGS_LATE_WATCHDOGS : 0) |
	       (chess_runner_no_watchdogs(r) ? CHESS_RUN_FLAGS_NO_WATCHDOGS : 0) |
	       (chess_runner_late_limits(r) ? CHESS_RUN_FLAGS_LATE_LIMITS : 0) |
	       (r->opts.long_rows ? CHESS_RUN_FLAGS_LONG_ROWS : 0) |
	       (r->opts.wake_any ? CHESS_RUN_FLAGS_WAKE_ANY : 0) |
	       (r->opts.spurious ? CHESS_RUN_FLAGS_SPURIOUS : 0) |
	       (r->opts.whole_updates ? 0 : CHESS_RUN_FLAGS_SPLIT_UPDATES) |
	       (r->opts.whole_copies ? 0 : CHESS_RUN_FLAGS_SPLIT_COPIES) |
	       (r->opts.fewer_calls ? 0 : CHESS_RUN_FLAGS_MORE_CALLS) |
	       (r->opts.busy_awaits ? 0 : CHESS_RUN_FLAGS_YIELD_AWAIT) |
	       (r->opts.only_traps ? 0 : CHESS_RUN_FLAGS_FAST_POINTS) |
	       CHESS_RUN_FLAGS_FIXED_RANDOM;
}

static void start_clock(struct progress *w)
{
	w->end = chess_now_us() + w->r->opts.run_timeout_ms * 1000LL;
	w->next_check = chess_now_us() + CHECK_MS * 1000LL;
}

static int start_program(struct progress *w, struct launch *l, const uint32_t *seqs, size_t n,
			 pid_t *root)
{
	struct chess_runner *r = w->r;
	uint32_t flags = flags_of_run(r, n);
	int ret;

	chess_ctl_set_late(r->ctl, chess_runner_early_max(r), chess_runner_late_programs(r));
	if (!n && chess_kept_begin(w, l, flags, root)) {
		w->forked = true;
		start_clock(w);
		return 0;
	}
	if (r->program.capture) {
		l->out = memfd_create("stdout", MFD_CLOEXEC);
		l->err = memfd_create("stderr", MFD_CLOEXEC);
		if (l->out < 0 || l->err < 0)
			return chess_set_error(errno, "no memory file for the program's output: %m");
	}
	ret = chess_run_begin(r->ctl, r->group, flags, chess_runner_fair(r),
			      w->max_accesses, seqs, n, &w->run);
	if (ret)
		return ret;
	start_clock(w);
	return chess_runner_launch(l, root);
}

static int run_program(struct progress *w, struct launch *l, const uint32_t *seqs, size_t n)
{
	struct chess_runner *r = w->r;
	pid_t root = -1;
	int ret = start_program(w, l, seqs, n, &root);

	if (!ret) {
		ret = chess_runner_await(w);
		if (!ret)
			ret = chess_runner_reap(w, root);
	}
	if (ret) {
		/* Whatever went wrong, leave nothing running. */
		char sentence[1024];

		strncpy(sentence, chess_error(), sizeof(sentence) - 1);
		sentence[sizeof(sentence) - 1] = '\0';
		chess_run_stop(r->ctl, r->group, CHESS_STOP_FLAGS_KILL);
		if (root > 0) {
			kill(root, SIGKILL);
			waitpid(root, &w->facts.status, 0);
		}
		return chess_set_error(-ret, "%s", sentence);
	}
	/* A Ctrl-C of the terminal may have ended the program before it left our process group. */
	w->interrupted |= r->interrupted;
	if (w->interrupted)
		return chess_set_error(EINTR, "the run was interrupted");
	if (r->program.capture) {
		w->out->out = read_output(l->out, &w->out->out_len);
		w->out->err = read_output(l->err, &w->out->err_len);
		if (!w->out->out || !w->out->err)
			return chess_set_error(ENOMEM, "no memory for the program's output");
	}
	return chess_runner_judge(w);
}

int chess_runner_run_plan(struct chess_runner *r, const struct chess_plan *plan,
			  const uint32_t *stack_seqs, size_t n, struct chess_run_result *out)
{
	struct launch l = { .r = r, .out = -1, .err = -1 };
	struct progress w = { .r = r, .out = out };
	int64_t start = chess_now_us(), took;
	int ret;

	memset(out, 0, sizeof(*out));
	out->bad_task = -1;
	out->diverged_at = SIZE_MAX;
	if (take_interrupt(r))
		return chess_set_error(EINTR, "the run was interrupted");
	w.explains = n;
	w.max_accesses = plan->unrecorded ? 0 : r->opts.max_accesses;
	w.facts.length = chess_schedule_decisions(plan->prefix, plan->length);
	ret = set_plan(r, plan);
	if (!ret)
		ret = run_program(&w, &l, stack_seqs, n);
	if (l.out >= 0 && !l.kept)
		close(l.out);
	if (l.err >= 0 && !l.kept)
		close(l.err);
	r->left_files = chess_isolate_has_files(r->isolate);
	/* Its forks are born where the namespace was. */
	if (ret || w.facts.lost)
		chess_kept_forget(r);
	chess_isolate_end(r->isolate, ret || w.facts.lost);
	if (w.interrupted)
		take_interrupt(r);
	took = chess_now_us() - start;
	if (ret)
		chess_run_result_clear(out);
	else
		out->seconds = took / 1e6;
	if (!ret && !w.killed && r->longest_us < took)
		r->longest_us = took;
	if (!ret && l.kept)
		chess_kept_ended(r, out->record);
	else if (!ret && !n)
		chess_kept_consider(r, flags_of_run(r, 0), w.max_accesses, plan, out);
	return ret;
}

int chess_runner_run(struct chess_runner *r, const struct chess_schedule *prefix, size_t length,
		     const uint32_t *stack_seqs, size_t n, struct chess_run_result *out)
{
	const struct chess_plan plan = { .prefix = (struct chess_schedule *)prefix,
					 .length = prefix ? length : 0 };

	return chess_runner_run_plan(r, &plan, stack_seqs, n, out);
}

void chess_run_result_clear(struct chess_run_result *res)
{
	chess_record_free(res->record);
	chess_waits_free(res->waits, res->n_waits);
	free(res->unseen);
	free(res->out);
	free(res->err);
	free(res->maps);
	free(res->accesses);
	free(res->mapped);
	free(res->misuse);
	chess_run_races_free(res->races);
	memset(res, 0, sizeof(*res));
}
