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
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "isolate.h"
#include "livelock.h"
#include "look.h"
#include "nl.h"
#include "partial.h"
#include "program.h"
#include "racing.h"
#include "sites.h"
#include "verdict.h"
#include "wait.h"

#define RUN_TIMEOUT_MS	60000
/* Tasks that were sent SIGKILL are gone at once unless a device holds them. */
#define KILL_MS		10000
/* An idle program that waits for something outside is looked at again this soon,
 * then half as often each time.
 */
#define IDLE_MS		10
#define IDLE_MAX_MS	1000
/* How often locks are looked at while a run goes on. */
#define LOOK_MS		500
#define OUTPUT_MAX	(1024 * 1024)

/* A file that traps are registered for, as it was then. */
struct traced {
	char *path;
	struct stat st;
};

struct chess_runner {
	struct chess_ctl *ctl;
	uint32_t group, quantum_us;
	struct chess_program program;
	struct chess_runner_opts opts;
	struct chess_isolate *isolate;
	char *path;
	gid_t *groups;			/* supplementary ones of program.uid */
	int n_groups;
	int null_fd, wake_fd;
	volatile sig_atomic_t interrupted;
	struct traced *traced;
	size_t n_traced;
	bool has_plan;			/* the module holds one that is not empty */
	struct chess_site_table *sites;	/* of opts.code, or NULL */
	struct chess_look *look;	/* loaded when first needed */
};

static uint32_t fair_of(const struct chess_runner *r)
{
	if (r->opts.unfair)
		return 0;
	return r->opts.fair_k ? r->opts.fair_k : 1;
}

/* The module's record does not say it. */
static void set_yields(const struct chess_runner *r, struct chess_record *record)
{
	chess_record_set_fair(record, fair_of(r));
	chess_record_set_yield_trylock(record, r->opts.yield_trylock);
}

static int64_t now_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000LL + ts.tv_nsec / 1000;
}

/*
 * The module arms by inode. Where a path leads to another one afterwards (a library
 * that is built again during the search) it sees a file nobody registered and has
 * nothing to tell; so we look.
 */
static int note_files(struct chess_runner *r)
{
	char *image = chess_program_image(&r->program, r->path);
	char **files = image ? chess_symbols_files_of(&r->program, image) : NULL;
	size_t n = 0, i;

	free(image);
	if (!files)
		return -errno;
	while (files[n])
		n++;
	r->traced = calloc(n ? n : 1, sizeof(*r->traced));
	for (i = 0; i < n; i++) {
		if (r->traced && !stat(files[i], &r->traced[r->n_traced].st))
			r->traced[r->n_traced++].path = files[i];
		else
			free(files[i]);
	}
	free(files);
	return r->traced ? 0 : chess_set_error(ENOMEM, "no memory for a list of files");
}

static const char *find_replaced(const struct chess_runner *r)
{
	struct stat st;
	size_t i;

	for (i = 0; i < r->n_traced; i++) {
		const struct stat *old = &r->traced[i].st;

		if (stat(r->traced[i].path, &st) || st.st_dev != old->st_dev ||
		    st.st_ino != old->st_ino || st.st_size != old->st_size ||
		    st.st_mtim.tv_sec != old->st_mtim.tv_sec ||
		    st.st_mtim.tv_nsec != old->st_mtim.tv_nsec)
			return r->traced[i].path;
	}
	return NULL;
}

/* The groups a login of the user would have; just its own where it has no name. */
static int find_groups(struct chess_runner *r)
{
	struct passwd *pw = getpwuid(r->program.uid);
	gid_t gid = r->program.gid != UINT32_MAX ? r->program.gid : pw ? pw->pw_gid : getgid();
	int n = 64;

	r->groups = malloc(n * sizeof(*r->groups));
	if (r->groups && pw && getgrouplist(pw->pw_name, gid, r->groups, &n) < 0) {
		free(r->groups);
		r->groups = malloc(n * sizeof(*r->groups));
		if (r->groups && getgrouplist(pw->pw_name, gid, r->groups, &n) < 0)
			n = 0;
	} else if (r->groups && !pw) {
		r->groups[0] = gid;
		n = 1;
	}
	if (!r->groups)
		return chess_set_error(ENOMEM, "no memory for a list of groups");
	r->n_groups = n;
	return 0;
}

struct chess_runner *chess_runner_new(struct chess_ctl *c, const struct chess_program *p,
				      const struct chess_runner_opts *o)
{
	struct chess_runner *r = calloc(1, sizeof(*r));
	struct chess_group_info info;
	int ret = 0;

	if (!r) {
		chess_set_error(ENOMEM, "no memory for a runner");
		return NULL;
	}
	r->ctl = c;
	r->program = *p;
	memcpy(&r->opts, o, o->sz < sizeof(r->opts) ? o->sz : sizeof(r->opts));
	if (!r->opts.run_timeout_ms)
		r->opts.run_timeout_ms = RUN_TIMEOUT_MS;
	r->null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (r->null_fd < 0 || r->wake_fd < 0)
		ret = chess_set_error(errno, "/dev/null and an eventfd are needed: %m");
	if (!ret && p->uid != UINT32_MAX)
		ret = find_groups(r);
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
		ret = chess_group_new(c, r->opts.quantum_us, r->opts.max_events, &r->group);
	if (!ret)
		ret = chess_group_get(c, r->group, &info);
	r->quantum_us = ret ? 0 : info.quantum_us;
	if (!ret && (r->opts.sync_points || r->opts.code))
		ret = note_files(r);
	if (!ret && r->opts.code)
		ret = chess_site_table_new(&r->program, r->path, r->opts.code, &r->sites);
	if (!ret && r->opts.code)
		ret = chess_site_table_add(r->sites, c, r->group, r->opts.sync_points);
	else if (!ret && r->opts.sync_points)
		ret = chess_probe_add_program(c, r->group, &r->program, r->path);
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
	if (r->group)
		chess_group_del(r->ctl, r->group);
	if (r->null_fd >= 0)
		close(r->null_fd);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
	while (r->n_traced)
		free(r->traced[--r->n_traced].path);
	free(r->traced);
	chess_look_free(r->look);
	chess_site_table_free(r->sites);
	chess_isolate_free(r->isolate);
	free(r->groups);
	free(r->path);
	free(r);
}

uint32_t chess_runner_quantum(const struct chess_runner *r)
{
	return r->quantum_us;
}

const struct chess_site_table *chess_runner_sites(const struct chess_runner *r)
{
	return r->sites;
}

int chess_runner_set_points(struct chess_runner *r, const uint32_t *sites, size_t n)
{
	size_t all = r->sites ? r->sites->n : 0, words = all / 64 + 1, i;
	uint64_t *map = calloc(words, sizeof(*map));
	int ret = map ? 0 : chess_set_error(ENOMEM, "no memory for %zu points", n);

	for (i = 0; i < n && !ret; i++) {
		if (!sites[i] || sites[i] > all)
			ret = chess_set_error(EINVAL, "there is no access site %u, only 1 to %zu",
					      sites[i], all);
		else
			map[sites[i] / 64] |= 1ULL << sites[i] % 64;
	}
	if (!ret)
		ret = chess_points_set(r->ctl, r->group, map, n ? words : 0);
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

/**
 * struct launch - what parent and child share until the child executes
 * @r: the runner
 * @parent: pid of the parent, as the child sees it
 * @out: for stdout when captured
 * @err: for stderr when captured
 * @what: the call that failed in the child, or NULL
 * @error: its errno
 */
struct launch {
	struct chess_runner *r;
	pid_t parent;
	int out, err;
	const char *volatile what;
	volatile int error;
};

/*
 * In the child, which shares our memory until it executes: no malloc'ed memory
 * may be left behind, and the libc must not be told of new ids (its setuid()
 * would signal "all threads of the process", which are ours).
 */
static const char *prepare_child(const struct launch *l)
{
	const struct chess_runner *r = l->r;
	const struct chess_program *p = &r->program;
	struct sigaction dfl = { .sa_handler = SIG_DFL };
	struct sched_param batch = { 0 };
	const char *what;
	sigset_t none;
	int sig;

	for (sig = 1; sig < NSIG; sig++)
		sigaction(sig, &dfl, NULL);
	if (p->capture) {
		/* Ctrl-C is for us; we end the run and tell what was found so far. */
		setpgid(0, 0);
		if (dup2(r->null_fd, 0) < 0 || dup2(l->out, 1) < 0 || dup2(l->err, 2) < 0)
			return "dup2";
	}
	what = chess_isolate_enter(r->isolate);
	if (what)
		return what;
	if (p->cwd && chdir(p->cwd))
		return "chdir";
	/* Addresses are part of the record. */
	if (personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE) < 0)
		return "personality";
	/*
	 * A woken task must not preempt the one that has the token: it could only
	 * park. With SCHED_BATCH it does not, which saves three of five context
	 * switches of a round trip. Where it is refused, runs are slower.
	 */
	if (sched_getscheduler(0) == SCHED_OTHER)
		sched_setscheduler(0, SCHED_BATCH, &batch);
	/* Before we give up the right to ask for it. */
	if (chess_task_add(r->ctl, r->group, getpid()))
		return "task-add";
	if (p->uid != UINT32_MAX && syscall(SYS_setgroups, r->n_groups, r->groups))
		return "setgroups";
	if (p->gid != UINT32_MAX && syscall(SYS_setresgid, p->gid, p->gid, p->gid))
		return "setgid";
	if (p->uid != UINT32_MAX && syscall(SYS_setresuid, p->uid, p->uid, p->uid))
		return "setuid";
	/* After the ids: changing them clears it. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL))
		return "prctl";
	if (getppid() != l->parent)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(r->path, p->argv, p->envp ? p->envp : environ);
	return "execve";
}

static int become_program(void *arg)
{
	struct launch *l = arg;

	l->what = prepare_child(l);
	l->error = errno;
	_exit(127);
}

static pid_t launch_child(struct launch *l)
{
	sigset_t all, old;
	pid_t pid;

	/* Our handlers must not run in the child, on our memory. */
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old);
	pid = chess_isolate_spawn(l->r->isolate, become_program, l);
	if (pid < 0) {
		l->what = "clone";
		l->error = errno;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

static int start_program(struct launch *l, pid_t *root)
{
	const struct chess_runner *r = l->r;
	int status;

	*root = -1;
	status = chess_isolate_begin(r->isolate, r->program.cwd);
	if (status)
		return status;
	l->parent = chess_isolate_parent(r->isolate);
	*root = launch_child(l);
	if (!l->what)
		return 0;
	if (*root > 0)
		while (waitpid(*root, &status, 0) < 0 && errno == EINTR)
			;
	*root = -1;
	/* The module's own sentence says more than a number. */
	if (!strcmp(l->what, "task-add"))
		return chess_set_error(l->error, "%s could not be put under control: %s",
				       r->program.argv[0], chess_error());
	if (!strcmp(l->what, "chdir"))
		return chess_set_error(l->error, "the working directory %s cannot be entered: %s",
				       r->program.cwd, strerror(l->error));
	return chess_set_error(l->error, "%s could not be started: %s: %s", r->program.argv[0],
			       l->what, strerror(l->error));
}

/**
 * struct watch - a run on its way
 * @r: the runner
 * @out: where results go
 * @facts: for the verdict
 * @run: its number
 * @end: time in microseconds when patience ends
 * @look_at: when locks are looked at next
 * @killed: SIGKILL was sent to all its tasks
 * @interrupted: by chess_runner_interrupt()
 * @explains: the run is made for a report, so it may take longer
 */
struct watch {
	struct chess_runner *r;
	struct chess_run_result *out;
	struct chess_facts facts;
	uint32_t run;
	int64_t end, look_at;
	bool killed, interrupted, explains;
};

static int kill_run(struct watch *w)
{
	int ret;

	if (w->killed)
		return 0;
	w->killed = true;
	w->end = now_us() + KILL_MS * 1000LL;
	ret = chess_run_stop(w->r->ctl, w->r->group, CHESS_STOP_FLAGS_KILL);
	/* It may have ended while we made up our mind; then END is under way. */
	return ret == -ENOENT ? 0 : ret;
}

static int keep_record(struct watch *w)
{
	if (w->out->record)
		return 0;
	w->out->record = chess_record_get(w->r->ctl, w->r->group);
	if (!w->out->record)
		return -errno;
	set_yields(w->r, w->out->record);
	return 0;
}

static int look_at_tasks(struct watch *w, struct chess_wait *waits, size_t n)
{
	struct chess_task_info *tasks;
	int ret = chess_task_list(w->r->ctl, w->r->group, &tasks);

	if (ret < 0)
		return ret;
	ret = chess_waits_look(w->r->look, tasks, ret, waits, n);
	free(tasks);
	return ret;
}

/*
 * What the kernel knows of what they wait on, and where they sleep. A report without that
 * is still one.
 */
static void look_into_kernel(struct watch *w, struct chess_wait *waits, size_t n)
{
	if (!w->explains || w->r->opts.no_bpf || w->out->unseen)
		return;
	if (!w->r->look)
		w->r->look = chess_look_new();
	if (!w->r->look || look_at_tasks(w, waits, n))
		w->out->unseen = strdup(chess_error());
}

/*
 * Is it stuck for good? What the tasks wait in is looked up without stopping
 * anybody, so the answer only counts if nothing happened meanwhile.
 */
static int look_at_idle(struct watch *w)
{
	struct chess_group_info before, after;
	struct chess_run_result *out = w->out;
	struct chess_wait *waits;
	size_t n;
	bool stuck;
	int ret;

	ret = chess_group_get(w->r->ctl, w->r->group, &before);
	if (ret || before.state != CHESS_GROUP_STATE_RUNNING || before.token != CHESS_TASK_NONE)
		return ret;
	ret = keep_record(w);
	if (!ret)
		ret = chess_waits_collect(w->r->ctl, w->r->group, out->record,
					  w->r->opts.real_time, &waits, &n, &stuck);
	if (ret)
		return ret;
	if (stuck) {
		look_into_kernel(w, waits, n);
		ret = chess_group_get(w->r->ctl, w->r->group, &after);
	}
	if (!ret && stuck && after.events == before.events &&
	    after.state == CHESS_GROUP_STATE_RUNNING && after.token == CHESS_TASK_NONE) {
		w->facts.deadlock = true;
		out->waits = waits;
		out->n_waits = n;
		return kill_run(w);
	}
	chess_waits_free(waits, n);
	chess_record_free(out->record);
	out->record = NULL;
	return ret;
}

/*
 * Do some of its tasks wait for each other's locks for ever while others go on? Then
 * the run is over at the event that made it so: what came behind it, until we looked,
 * is not the same in another run.
 */
static int find_partial(struct watch *w, const struct chess_record *r)
{
	struct chess_partial partial;
	struct chess_record *cut;
	int ret = chess_partial_find(r, w->r->opts.no_syscall_points, &partial);

	if (ret || !partial.at)
		return ret;
	cut = chess_record_cut(r, partial.at);
	if (!cut) {
		chess_waits_free(partial.waits, partial.n);
		return -errno;
	}
	w->facts.deadlock = true;
	/* All up to there is in the record. */
	w->facts.overflow = w->facts.timeout = false;
	chess_record_free(w->out->record);
	w->out->record = cut;
	chess_waits_free(w->out->waits, w->out->n_waits);
	w->out->waits = partial.waits;
	w->out->n_waits = partial.n;
	return 0;
}

/* The run is over where it had so many points, however long it went on until we looked. */
static int find_livelock(struct watch *w, const struct chess_record *r)
{
	size_t max = w->r->opts.max_points ? w->r->opts.max_points : CHESS_MAX_POINTS;
	size_t at = fair_of(w->r) ? chess_livelock_find(r, max) : 0;
	struct chess_record *cut;

	if (!at)
		return 0;
	cut = chess_record_cut(r, at);
	if (!cut)
		return -errno;
	w->facts.livelock = true;
	w->facts.overflow = w->facts.timeout = false;
	chess_record_free(w->out->record);
	w->out->record = cut;
	return 0;
}

/* While the run goes on. A record may be long: most of the time is left to the run. */
static int look_at_locks(struct watch *w)
{
	int64_t start = now_us();
	struct chess_record *r;
	int ret;

	w->look_at = INT64_MAX;
	if (w->killed)
		return 0;
	r = chess_record_get(w->r->ctl, w->r->group);
	if (!r)
		return -errno;
	set_yields(w->r, r);
	ret = find_partial(w, r);
	if (!ret && !w->facts.deadlock)
		ret = find_livelock(w, r);
	chess_record_free(r);
	if (!ret && (w->facts.deadlock || w->facts.livelock))
		ret = kill_run(w);
	w->look_at = now_us() + LOOK_MS * 1000LL + 4 * (now_us() - start);
	return ret;
}

static int give_up(struct watch *w)
{
	bool stuck;
	int ret;

	if (w->killed)
		return chess_set_error(ETIMEDOUT,
				       "tasks of %s were sent SIGKILL and did not end within %d s",
				       w->r->program.argv[0], KILL_MS / 1000);
	w->facts.timeout = true;
	ret = keep_record(w);
	if (!ret)
		ret = chess_waits_collect(w->r->ctl, w->r->group, w->out->record,
					  w->r->opts.real_time, &w->out->waits,
					  &w->out->n_waits, &stuck);
	if (ret)
		return ret;
	look_into_kernel(w, w->out->waits, w->out->n_waits);
	return kill_run(w);
}

static int take_notice(struct watch *w, const struct chess_run_notice *n, bool *idle)
{
	switch (n->notice) {
	case CHESS_NOTICE_IDLE:
		*idle = !w->killed;
		return w->killed ? 0 : look_at_idle(w);
	case CHESS_NOTICE_DIVERGENCE:
		w->facts.diverged = true;
		return kill_run(w);
	case CHESS_NOTICE_OVERFLOW:
		/* Behind the end of what was found already it does not matter. */
		w->facts.overflow |= !w->facts.deadlock && !w->facts.livelock;
		return kill_run(w);
	default:
		return 0;
	}
}

/* Until the last task is gone. */
static int watch_run(struct watch *w)
{
	int64_t left, look, pause = IDLE_MS;
	struct chess_run_notice n;
	bool idle = false;
	int ret;

	for (;;) {
		left = (w->end - now_us() + 999) / 1000;
		if (left <= 0) {
			ret = give_up(w);
			if (ret)
				return ret;
			idle = false;
			continue;
		}
		if (now_us() >= w->look_at) {
			ret = look_at_locks(w);
			if (ret)
				return ret;
		}
		look = w->look_at / 1000 - now_us() / 1000 + 1;
		if (left > look)
			left = look > 0 ? look : 0;
		if (idle && left > pause)
			left = pause;
		if (left > INT_MAX)
			left = INT_MAX;
		ret = chess_notice_wait_fd(w->r->ctl, left,
					   w->interrupted ? -1 : w->r->wake_fd, &n);
		if (ret == -ECANCELED) {
			w->interrupted = true;
			ret = kill_run(w);
		} else if (ret == -ETIMEDOUT) {
			ret = idle ? look_at_idle(w) : 0;
			pause = pause * 2 < IDLE_MAX_MS ? pause * 2 : IDLE_MAX_MS;
		} else if (ret == -EINTR) {
			ret = 0;
		} else if (!ret && n.group == w->r->group && n.run == w->run) {
			if (n.notice == CHESS_NOTICE_END)
				return 0;
			pause = IDLE_MS;
			ret = take_notice(w, &n, &idle);
		}
		if (ret)
			return ret;
	}
}

/* The tasks under control are gone. The root is too, unless it left control. */
static int reap(struct watch *w, pid_t root)
{
	struct timespec nap = { .tv_nsec = 200000 };
	pid_t pid;

	for (;;) {
		pid = waitpid(root, &w->facts.status, WNOHANG);
		if (pid == root)
			return 0;
		if (pid < 0 && errno != EINTR)
			return chess_set_error(errno, "waitpid: %m");
		if (w->r->interrupted || now_us() > w->end) {
			w->facts.timeout |= !w->killed && !w->r->interrupted;
			kill(root, SIGKILL);
		}
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < 20000000)
			nap.tv_nsec *= 2;
	}
}

/* The last OUTPUT_MAX bytes of what was captured: messages of death come last. */
static char *read_output(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	off_t from = size > OUTPUT_MAX ? size - OUTPUT_MAX : 0;
	char *text = malloc(size - from + 1);
	ssize_t n = text ? pread(fd, text, size - from, from) : -1;

	*len = n > 0 ? n : 0;
	if (text)
		text[*len] = '\0';
	return text;
}

static int judge(struct watch *w)
{
	struct chess_judgement j;
	struct chess_group_info info;
	const char *maps;
	int ret = keep_record(w);
	bool found;

	if (!ret)
		ret = chess_group_get(w->r->ctl, w->r->group, &info);
	found = w->facts.deadlock || w->facts.livelock || w->facts.diverged;
	if (!ret && !found && !info.lost)
		ret = find_partial(w, w->out->record);
	/* What did not fit into the record counts as lost: it is behind what is looked at. */
	if (!ret && !found && !w->facts.deadlock && (!info.lost || w->facts.overflow))
		ret = find_livelock(w, w->out->record);
	if (ret)
		return ret;
	maps = chess_record_maps(w->out->record);
	if (maps)
		w->out->maps = strdup(maps);
	if (w->r->opts.max_accesses) {
		ret = chess_access_get(w->r->ctl, w->r->group, &w->out->accesses,
				       &w->out->n_accesses, &w->out->lost_accesses);
		if (ret)
			return ret;
	}
	w->facts.record = w->out->record;
	w->facts.err = w->out->err;
	w->facts.lost = info.lost;
	w->facts.replaced = find_replaced(w->r);
	chess_verdict_judge(&w->facts, &j);
	w->out->verdict = j.verdict;
	w->out->status = w->facts.status;
	w->out->bad_task = j.bad_task;
	w->out->bad_status = j.bad_status;
	w->out->diverged_at = j.diverged_at;
	w->out->outside_task = info.outside_task;
	w->out->outside_pid = info.outside_pid;
	memcpy(w->out->outside_comm, info.outside_comm, sizeof(info.outside_comm));
	return 0;
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

static int run_program(struct watch *w, struct launch *l, const uint32_t *seqs, size_t n)
{
	struct chess_runner *r = w->r;
	uint32_t flags = (n || r->opts.maps ? CHESS_RUN_FLAGS_MAPS : 0) |
			 (r->opts.no_syscall_points ? CHESS_RUN_FLAGS_NO_SYSCALL_POINTS : 0) |
			 (r->opts.real_time ? 0 : CHESS_RUN_FLAGS_VIRTUAL_TIME) |
			 (r->opts.yield_trylock ? CHESS_RUN_FLAGS_YIELD_TRYLOCK : 0) |
			 CHESS_RUN_FLAGS_FIXED_RANDOM;
	pid_t root;
	int ret;

	if (r->program.capture) {
		l->out = memfd_create("stdout", MFD_CLOEXEC);
		l->err = memfd_create("stderr", MFD_CLOEXEC);
		if (l->out < 0 || l->err < 0)
			return chess_set_error(errno, "no memory file for the program's output: %m");
	}
	ret = chess_run_begin(r->ctl, r->group, flags, fair_of(r), r->opts.max_accesses, seqs, n,
			      &w->run);
	if (ret)
		return ret;
	w->end = now_us() + r->opts.run_timeout_ms * 1000LL;
	w->look_at = now_us() + LOOK_MS * 1000LL;
	ret = start_program(l, &root);
	if (!ret) {
		ret = watch_run(w);
		if (!ret)
			ret = reap(w, root);
	}
	if (ret) {
		/* Whatever went wrong, leave nothing behind that runs. */
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
	if (w->interrupted)
		return chess_set_error(EINTR, "the run was interrupted");
	if (r->program.capture) {
		w->out->out = read_output(l->out, &w->out->out_len);
		w->out->err = read_output(l->err, &w->out->err_len);
		if (!w->out->out || !w->out->err)
			return chess_set_error(ENOMEM, "no memory for the program's output");
	}
	return judge(w);
}

int chess_runner_run_plan(struct chess_runner *r, const struct chess_plan *plan,
			  const uint32_t *stack_seqs, size_t n, struct chess_run_result *out)
{
	struct launch l = { .r = r, .out = -1, .err = -1 };
	struct watch w = { .r = r, .out = out };
	int64_t start = now_us();
	int ret;

	memset(out, 0, sizeof(*out));
	out->bad_task = -1;
	out->diverged_at = SIZE_MAX;
	if (take_interrupt(r))
		return chess_set_error(EINTR, "the run was interrupted");
	w.explains = n;
	w.facts.length = chess_schedule_decisions(plan->prefix, plan->length);
	ret = set_plan(r, plan);
	if (!ret)
		ret = run_program(&w, &l, stack_seqs, n);
	if (l.out >= 0)
		close(l.out);
	if (l.err >= 0)
		close(l.err);
	chess_isolate_end(r->isolate, ret || w.facts.lost);
	if (w.interrupted)
		take_interrupt(r);
	if (ret)
		chess_run_result_clear(out);
	else
		out->seconds = (now_us() - start) / 1e6;
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
	chess_run_races_free(res->races);
	memset(res, 0, sizeof(*res));
}
