// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Several runs at a time. The search asks for one run after another, in an order that
 * does not depend on how fast runs are; the pool has worker processes, and those that
 * would be idle make the runs that the search will ask for next, as far as it can tell
 * (struct chess_executor, @ahead). When it asks for one of them, the result is there.
 *
 *	search --plan--> pool --> is it made, or being made? --> result
 *	       <-peek--   |
 *	                  +--> worker 0, worker 1, ..: plans in, results out
 *
 * So a search with many jobs is the search with one: the same runs in the same order, the
 * same bug. A guess that was wrong costs a run that nobody asks for.
 *
 * Workers are processes, for a model of a program may have one set of global variables,
 * and a runner has signals, children and namespaces. They are forked before anything of
 * that is there and open what they need when they get their first plan.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "array.h"
#include "internal.h"
#include "run/pack.h"

/* How far is looked ahead, and how many results may wait, for each worker. */
#define AHEAD		64
/* How much they may need. */
#define MEMORY_MAX	(256UL << 20)
/* How soon an interrupt is noticed that came just before we began to wait. */
#define POLL_MS		100
/* For a worker to end a run and close what it has. */
#define CLOSE_MS	10000

/**
 * struct job - a run that is being made or waits to be asked for
 * @key: of its plan
 * @worker: who makes it; -1: it is made
 * @res: packed
 * @pass: the look ahead that came across it last
 */
struct job {
	uint64_t key;
	int worker;
	struct chess_pack res;
	uint64_t pass;
};

struct worker {
	pid_t pid;
	int fd;
	bool busy;
};

/* In front of each message. @ret: of the run, -errno with a sentence after it. */
struct head {
	uint32_t size;
	int32_t ret;
};

struct chess_pool {
	struct chess_pool_opts o;
	struct worker *worker;
	unsigned int n_workers;
	struct job *job;
	size_t n_jobs, room;
	size_t memory;
	uint64_t pass;
	chess_peek *peek;
	void *search;
};

/* --- messages -------------------------------------------------------------- */

static bool send_all(int fd, const void *data, size_t n)
{
	const char *at = data;
	ssize_t done;

	for (; n; at += done, n -= done) {
		done = send(fd, at, n, MSG_NOSIGNAL);
		if (done < 0 && errno != EINTR)
			return false;
		done = done < 0 ? 0 : done;
	}
	return true;
}

static bool receive_all(int fd, void *data, size_t n)
{
	char *at = data;
	ssize_t done;

	for (; n; at += done, n -= done) {
		done = read(fd, at, n);
		if (!done || (done < 0 && errno != EINTR))
			return false;
		done = done < 0 ? 0 : done;
	}
	return true;
}

static bool send_message(int fd, int ret, const struct chess_pack *p)
{
	const struct head head = { .size = p->n, .ret = ret };

	return send_all(fd, &head, sizeof(head)) && send_all(fd, p->data, p->n);
}

/* @to: free() it. */
static bool receive_message(int fd, int *ret, struct chess_pack *to)
{
	struct head head;

	*to = (struct chess_pack) { 0 };
	if (!receive_all(fd, &head, sizeof(head)))
		return false;
	*ret = head.ret;
	to->data = malloc(head.size + 1);
	to->n = head.size;
	if (to->data && receive_all(fd, to->data, head.size))
		return true;
	free(to->data);
	return false;
}

/* --- in a worker ----------------------------------------------------------- */

static int run_one(const struct chess_executor *x, const struct chess_pack *message,
		   struct chess_pack *answer)
{
	struct chess_unpack u = { .at = message->data, .left = message->n };
	struct chess_run_result res = {
		.diverged_at = SIZE_MAX, .outside_task = CHESS_TASK_NONE,
	};
	struct chess_plan plan = { 0 };
	int ret = chess_unpack_plan(&u, &plan);

	if (ret)
		return ret;
	ret = x->run(x->ctx, &plan, &res);
	chess_plan_clear(&plan);
	if (ret)
		return ret;
	chess_pack_result(answer, &res);
	if (x->drop)
		x->drop(x->ctx, &res);
	else
		chess_run_result_clear(&res);
	return answer->failed ? chess_set_error(ENOMEM, "no memory for the result of a run") : 0;
}

/* Until the other end is closed. */
static void work(const struct chess_pool_opts *o, unsigned int number, int fd)
{
	struct chess_pack message, answer;
	struct chess_executor x = { 0 };
	bool opened = false, good = true;
	int ret;

	while (good && receive_message(fd, &ret, &message)) {
		answer = (struct chess_pack) { 0 };
		ret = opened ? 0 : o->open(o->arg, number, &x);
		opened |= !ret;
		if (!ret)
			ret = run_one(&x, &message, &answer);
		if (ret) {
			answer.n = 0;
			chess_pack_string(&answer, chess_error());
		}
		good = send_message(fd, ret, &answer);
		free(answer.data);
		free(message.data);
	}
	if (opened && o->close)
		o->close(o->arg, number);
}

static _Noreturn void become_worker(const struct chess_pool *pool, unsigned int number, int fd,
				    pid_t parent)
{
	unsigned int i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	/* Ctrl-C is for the search, which then ends us. */
	signal(SIGINT, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	for (i = 0; i < number; i++)
		close(pool->worker[i].fd);
	work(&pool->o, number, fd);
	_exit(0);
}

/* --- in the search --------------------------------------------------------- */

static int start_worker(struct chess_pool *pool)
{
	unsigned int number = pool->n_workers;
	struct worker *w = &pool->worker[number];
	pid_t parent = getpid();
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return chess_set_error(errno, "no socket for a worker of the search: %m");
	w->pid = fork();
	if (w->pid < 0) {
		close(pair[0]);
		close(pair[1]);
		return chess_set_error(errno, "worker %u of the search cannot be started: %m",
				       number + 1);
	}
	if (!w->pid) {
		close(pair[0]);
		become_worker(pool, number, pair[1], parent);
	}
	close(pair[1]);
	w->fd = pair[0];
	pool->n_workers++;
	return 0;
}

static void wait_for_end(pid_t pid)
{
	struct timespec nap = { .tv_nsec = 1000000 };
	unsigned int i;

	for (i = 0; i < CLOSE_MS; i++) {
		if (waitpid(pid, NULL, WNOHANG))
			return;
		nanosleep(&nap, NULL);
	}
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

struct chess_pool *chess_pool_new(const struct chess_pool_opts *o)
{
	struct chess_pool *pool = calloc(1, sizeof(*pool));
	int ret = 0;

	if (!pool) {
		chess_set_error(ENOMEM, "no memory for %u jobs", o->jobs);
		return NULL;
	}
	memcpy(&pool->o, o, o->sz < sizeof(pool->o) ? o->sz : sizeof(pool->o));
	pool->worker = calloc(pool->o.jobs, sizeof(*pool->worker));
	if (!pool->worker)
		ret = chess_set_error(ENOMEM, "no memory for %u jobs", pool->o.jobs);
	while (!ret && pool->n_workers < pool->o.jobs)
		ret = start_worker(pool);
	if (!ret)
		return pool;
	chess_pool_free(pool);
	errno = -ret;
	return NULL;
}

static void job_drop(struct chess_pool *pool, struct job *job)
{
	if (job->worker < 0)
		pool->memory -= job->res.n;
	free(job->res.data);
	*job = pool->job[--pool->n_jobs];
}

void chess_pool_free(struct chess_pool *pool)
{
	unsigned int i;

	if (!pool)
		return;
	for (i = 0; i < pool->n_workers; i++) {
		if (pool->worker[i].busy)
			kill(pool->worker[i].pid, SIGTERM);
		close(pool->worker[i].fd);
	}
	for (i = 0; i < pool->n_workers; i++)
		wait_for_end(pool->worker[i].pid);
	while (pool->n_jobs)
		job_drop(pool, pool->job);
	free(pool->job);
	free(pool->worker);
	free(pool);
}

static int find_idle(const struct chess_pool *pool)
{
	unsigned int i;

	for (i = 0; i < pool->n_workers; i++)
		if (!pool->worker[i].busy)
			return i;
	return -1;
}

/* One that the look ahead @pass did not come across before: plans may be equal. */
static struct job *find_job(struct chess_pool *pool, uint64_t key, uint64_t pass)
{
	size_t i;

	for (i = 0; i < pool->n_jobs; i++)
		if (pool->job[i].key == key && pool->job[i].pass != pass)
			return &pool->job[i];
	return NULL;
}

static int tell_lost(const struct chess_pool *pool, int worker)
{
	return chess_set_error(EPIPE, "worker %d of the search (pid %d) has ended; begin again with fewer jobs",
			       worker + 1, (int)pool->worker[worker].pid);
}

static int start_job(struct chess_pool *pool, int worker, const struct chess_plan *plan,
		     uint64_t key)
{
	struct chess_pack p = { 0 };
	bool sent;

	if (chess_array_room(&pool->job, &pool->room, pool->n_jobs + 1, sizeof(*pool->job)))
		return chess_set_error(ENOMEM, "no memory for a list of runs");
	chess_pack_plan(&p, plan);
	if (p.failed) {
		free(p.data);
		return chess_set_error(ENOMEM, "no memory for a plan");
	}
	sent = send_message(pool->worker[worker].fd, 0, &p);
	free(p.data);
	if (!sent)
		return tell_lost(pool, worker);
	pool->worker[worker].busy = true;
	pool->job[pool->n_jobs++] = (struct job) {
		.key = key, .worker = worker, .pass = pool->pass,
	};
	return 0;
}

/* Results that nobody will ask for soon, if at all. */
static void forget(struct chess_pool *pool)
{
	size_t i = 0;

	while (i < pool->n_jobs) {
		if (pool->job[i].worker < 0 && pool->job[i].pass != pool->pass)
			job_drop(pool, &pool->job[i]);
		else
			i++;
	}
}

static bool is_full(const struct chess_pool *pool)
{
	return pool->n_jobs >= (size_t)AHEAD * pool->n_workers || pool->memory > MEMORY_MAX;
}

/* The plan that comes @k after the one in work. Return: 1; 0: not known; -errno. */
static int look_at_plan(struct chess_pool *pool, size_t k, int idle)
{
	struct chess_plan plan = { 0 };
	int ret = pool->peek(pool->search, k, &plan), err = 0;
	struct job *job;
	uint64_t key;

	if (ret > 0) {
		err = chess_plan_key(&plan, &key);
		job = err ? NULL : find_job(pool, key, pool->pass);
		if (job)
			job->pass = pool->pass;
		else if (!err && !is_full(pool))
			err = start_job(pool, idle, &plan, key);
	}
	chess_plan_clear(&plan);
	return err ? err : ret;
}

/* Give idle workers what the search will ask for after what it @wanted. */
static int look_ahead(struct chess_pool *pool, uint64_t wanted)
{
	size_t k, far = (size_t)AHEAD * pool->n_workers;
	struct job *job = find_job(pool, wanted, UINT64_MAX);
	int ret = 1, idle;

	if (!pool->peek)
		return 0;
	pool->pass++;
	if (job)
		job->pass = pool->pass;
	for (k = 0; k < far && ret > 0; k++) {
		idle = find_idle(pool);
		if (idle < 0)
			return 0;
		ret = look_at_plan(pool, k, idle);
	}
	if (is_full(pool))
		forget(pool);
	return ret < 0 ? ret : 0;
}

/* What a worker has to say. A run that failed is made again should it be asked for. */
static int receive(struct chess_pool *pool, int worker, uint64_t wanted)
{
	struct chess_pack answer;
	struct chess_unpack u;
	char *sentence;
	size_t i;
	int ret;

	if (!receive_message(pool->worker[worker].fd, &ret, &answer))
		return tell_lost(pool, worker);
	pool->worker[worker].busy = false;
	for (i = 0; pool->job[i].worker != worker; i++)
		;
	pool->job[i].worker = -1;
	pool->job[i].res = answer;
	pool->memory += answer.n;
	if (!ret)
		return 0;
	u = (struct chess_unpack) { .at = answer.data, .left = answer.n };
	sentence = chess_unpack_string(&u);
	if (sentence)
		chess_set_error(-ret, "%s", sentence);
	free(sentence);
	if (pool->job[i].key != wanted)
		ret = 0;
	job_drop(pool, &pool->job[i]);
	return ret;
}

static int wait_for_workers(struct chess_pool *pool, uint64_t wanted)
{
	struct pollfd fds[pool->n_workers];
	unsigned int i;
	int ret = 0;

	for (i = 0; i < pool->n_workers; i++)
		fds[i] = (struct pollfd) { .fd = pool->worker[i].fd, .events = POLLIN };
	if (poll(fds, pool->n_workers, POLL_MS) < 0 && errno != EINTR)
		return chess_set_error(errno, "workers of the search cannot be waited for: %m");
	for (i = 0; i < pool->n_workers && !ret; i++)
		if (fds[i].revents)
			ret = receive(pool, i, wanted);
	return ret;
}

static int pool_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct chess_pool *pool = ctx;
	struct chess_unpack u;
	struct job *job;
	uint64_t key;
	int ret = chess_plan_key(plan, &key), idle;

	while (!ret) {
		if (pool->o.interrupted && pool->o.interrupted(pool->o.arg))
			return chess_set_error(EINTR, "the run was interrupted");
		job = find_job(pool, key, UINT64_MAX);
		if (job && job->worker < 0)
			break;
		idle = find_idle(pool);
		if (!job && idle >= 0)
			ret = start_job(pool, idle, plan, key);
		if (!ret)
			ret = look_ahead(pool, key);
		if (!ret)
			ret = wait_for_workers(pool, key);
	}
	if (ret)
		return ret;
	u = (struct chess_unpack) { .at = job->res.data, .left = job->res.n };
	ret = chess_unpack_result(&u, out);
	job_drop(pool, job);
	return ret;
}

static void pool_ahead(void *ctx, chess_peek *peek, void *search)
{
	struct chess_pool *pool = ctx;

	pool->peek = peek;
	pool->search = search;
}

struct chess_executor chess_pool_executor(struct chess_pool *pool)
{
	return (struct chess_executor) { .run = pool_run, .ctx = pool, .ahead = pool_ahead };
}
