// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of a seed, executed: program_subject SEED [DROPPED,...]. Prints what each
 * thread noted at its steps, in the order of threads. With "leaf N" it exits with N and
 * does nothing, for programs that execute one. program_fuzz.c starts it.
 *
 * program_subject batch LIST [DROPPED,...]: many of them (see program_list()), one after
 * the other, each in a process of its own. The output of each stands between two lines,
 * "=== SEED" and, at the end of one more line, "=== SEED STATUS". What is dropped is of the
 * last one. The environment's SPOIL=SEED makes that one wrong in a batch, to see that it is
 * found.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

struct shared {
	struct slot slot[MAX_STEPS];
	struct ctx ctx[MAX_THREADS];
};

static struct program program;
static struct shared *shared;

static void do_step(unsigned int me, unsigned int i)
{
	const struct step *s = &program.step[i];
	const struct op *op = op_number(s->op);
	struct ctx *c = &shared->ctx[me];
	char head[64];

	c->me = me;
	c->second = op->party == PAIR && me == s->second;
	c->parties = program.threads;
	c->slot = &shared->slot[i];
	c->fd[0] = STEP_FD + 2 * i;
	c->fd[1] = STEP_FD + 2 * i + 1;
	c->random = s->seed;
	snprintf(head, sizeof(head), "%u.%u %s", me, i, op->name);
	note_text(c, head);
	if (op->party == CHILD)
		run_child(c, op->fn);
	else
		note(c, op->fn(c));
	note_text(c, "\n");
}

static bool takes_part(unsigned int me, const struct step *s)
{
	const struct op *op = op_number(s->op);

	return !s->dropped && (op->party == ALL || s->first == me ||
			       (op->party == PAIR && s->second == me));
}

static void *thread(void *arg)
{
	unsigned int me = (uintptr_t)arg, i;

	for (i = 0; i < program.n; i++)
		if (takes_part(me, &program.step[i]))
			do_step(me, i);
	return arg;
}

/* Thread number @home is the main one of process number @home. */
static void process(unsigned int home)
{
	pthread_t threads[MAX_THREADS];
	unsigned int i;
	void *ret;

	for (i = program.processes; i < program.threads; i++)
		if (program.home[i] == home &&
		    pthread_create(&threads[i], NULL, thread, (void *)(uintptr_t)i))
			_exit(99);
	thread((void *)(uintptr_t)home);
	for (i = program.processes; i < program.threads; i++)
		if (program.home[i] == home && pthread_join(threads[i], &ret))
			_exit(98);
}

/* How processes end, but for the first. */
static void end(unsigned int how)
{
	char *argv[] = { own_path, "leaf", "7", NULL };

	if (how == 1)
		execv(own_path, argv);
	else if (how == 2)
		raise(SIGTERM);
	else if (how == 3)
		exit(5);
	_exit(6);
}

/* At fixed numbers: what an op gets then is the same in all schedules. */
static void place(int from, int to)
{
	if (from < 0 || dup2(from, to) != to)
		exit(97);
	close(from);
}

static void prepare_fds(unsigned int i, enum needs needs)
{
	int fd[2] = { -1, -1 }, ret = 0;

	if (needs == A_PIPE)
		ret = pipe(fd);
	else if (needs == A_SOCKET)
		ret = socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
	else if (needs == AN_EVENTFD)
		fd[0] = eventfd(0, EFD_SEMAPHORE);
	else
		fd[0] = memfd_create("step", 0);
	if (ret)
		exit(96);
	place(fd[0], STEP_FD + 2 * i);
	if (fd[1] >= 0)
		place(fd[1], STEP_FD + 2 * i + 1);
}

static void prepare(void)
{
	pthread_barrierattr_t barrier;
	pthread_rwlockattr_t rwlock;
	pthread_mutexattr_t mutex;
	pthread_condattr_t cond;
	unsigned int i;

	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_condattr_init(&cond);
	pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED);
	pthread_rwlockattr_init(&rwlock);
	pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	for (i = 0; i < program.n; i++) {
		const struct op *op = op_number(program.step[i].op);
		struct slot *s = &shared->slot[i];

		if (program.step[i].dropped)
			continue;
		if (op->needs)
			prepare_fds(i, op->needs);
		if (op->party < PAIR)
			continue;
		pthread_mutex_init(&s->mutex, &mutex);
		pthread_cond_init(&s->cond, &cond);
		pthread_rwlock_init(&s->rwlock, &rwlock);
		pthread_barrier_init(&s->barrier, &barrier,
				     op->party == ALL ? program.threads : 2);
		sem_init(&s->sem, 1, 0);
		sem_init(&s->back, 1, 0);
	}
}

/* The program of a seed, in this process; its exit status */
static int run_program(uint64_t seed, const char *drop)
{
	pid_t pid[MAX_PROCESSES];
	int status, sig;
	unsigned int i;
	sigset_t rt;

	program_make(&program, seed, drop);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		return 2;
	/* Those sent to one thread are waited for; the others stay as they are. */
	sigemptyset(&rt);
	for (sig = SIGRTMIN; sig < SIGRTMIN + MAX_THREADS; sig++)
		sigaddset(&rt, sig);
	sigprocmask(SIG_BLOCK, &rt, NULL);
	prepare();
	for (i = 1; i < program.processes; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		process(i);
		end(program.last[i]);
	}
	process(0);
	for (i = 1; i < program.processes; i++) {
		if (TEMP_FAILURE_RETRY(waitpid(pid[i], &status, 0)) != pid[i])
			return 3;
		printf("process %u %d\n", i, status_number(status));
	}
	for (i = 0; i < program.threads; i++)
		printf("%s", shared->ctx[i].log);
	return fflush(stdout) ? 4 : 0;
}

/* A child that begins as what is executed alone does: a process group of its own. */
static int run_apart(uint64_t seed, const char *drop)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		exit(run_program(seed, drop));
	}
	if (pid < 0)
		return -1;
	setpgid(pid, pid);
	if (TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) != pid)
		return -1;
	kill(-pid, SIGKILL);
	return status;
}

static int run_batch(const char *list, const char *drop)
{
	static uint64_t seeds[MAX_BATCH];
	const char *spoil = getenv("SPOIL");
	unsigned int n = program_list(list, seeds), i;
	int status;

	for (i = 0; i < n; i++) {
		dprintf(1, "=== %lu\n", (unsigned long)seeds[i]);
		status = run_apart(seeds[i], i == n - 1 ? drop : NULL);
		if (spoil && seeds[i] == strtoull(spoil, NULL, 0))
			dprintf(1, "spoilt");
		dprintf(1, "\n=== %lu %d\n", (unsigned long)seeds[i], status);
	}
	return !n;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "leaf"))
		return atoi(argv[2]);
	/* Executed with a descriptor that ought to be closed, or kept: is it open? */
	if (argc == 3 && !strcmp(argv[1], "open"))
		return fcntl(atoi(argv[2]), F_GETFD) < 0 ? 1 : 2;
	if (argc < 2 || readlink("/proc/self/exe", own_path, sizeof(own_path) - 1) < 0)
		return 2;
	if (argc > 2 && !strcmp(argv[1], "batch"))
		return run_batch(argv[2], argc > 3 ? argv[3] : NULL);
	return run_program(strtoull(argv[1], NULL, 0), argc > 2 ? argv[2] : NULL);
}
