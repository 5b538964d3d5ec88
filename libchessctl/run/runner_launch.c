// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the runner to the program: a child that puts itself under control, becomes who
 * the program is to be and executes it. See runner_internal.h.
 */
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"
#include "run/isolate.h"
#include "run/runner_internal.h"

/* The groups a login of the user would have; just its own where it has no name. */
int chess_runner_find_groups(struct chess_runner *r)
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

/*
 * In the child, which shares our memory until it executes: no malloc'ed memory
 * may be left behind, and the libc must not know of new ids (its setuid()
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
		/* Ctrl-C is for us; we end the run and report what was found so far. */
		setpgid(0, 0);
		if (dup2(r->null_fd, 0) < 0 || dup2(l->out, 1) < 0 || dup2(l->err, 2) < 0)
			return "dup2";
	}
	what = l->kept ? chess_isolate_enter_kept(r->isolate) : chess_isolate_enter(r->isolate);
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
	pid = l->kept ? chess_isolate_spawn_kept(l->r->isolate, become_program, l) :
	      chess_isolate_spawn(l->r->isolate, become_program, l);
	if (pid < 0) {
		l->what = "clone";
		l->error = errno;
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return pid;
}

int chess_runner_launch(struct launch *l, pid_t *root)
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
