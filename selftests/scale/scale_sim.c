// SPDX-License-Identifier: GPL-2.0-only
/*
 * A search on many machines, without them: events in simulated time, for 10 to 100,000 workers
 * that take long to begin, are lost, or are slow. What is not simulated is the search: its runs are
 * made, by the simulator of selftests/simulator, its shards are cut by chess_frontier_split(), and
 * submit_plan() decides as it does in chessctl shard submit. So each line also shows that no run
 * is missing and none is made twice.
 *
 *	scale_sim [TASKS OPS BOUND] [workers LIST] [run SEC] [start SEC] [rate N] [share SEC]
 *		[lost PERCENT] [slow PERCENT] [stands N] [seed N]
 *
 * The program has TASKS tasks with OPS points each. By "run" that takes so long, beginning a
 * shard "start", and the scheduler begins "rate" shards a second. Of the shards that are handed
 * out "lost" do not come back, after a time by chance; of the workers "slow" take four times as
 * long. A run that is made "stands" for so many, so that a large search takes minutes: what is cut
 * is coarser by that. Exits with 1 where runs are missing, or where up to 1,000 workers are less
 * than 0.8 times as fast as they are many in a search of 10^7 runs or more.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chessctl/chessctl.h"
#include "cli.h"
#include "shard/submit_plan.h"
#include "sim.h"

#define TASKS_MAX	8
#define SLOWNESS	4
/* Seconds until a scheduler knows that a node is gone. */
#define LOSS_NOTICED	60
/* In what steps a worker's runs are made, which is how exact the time is of what it hands back. */
#define STEPS		200
#define STEP_MIN	5.0
#define WANTED_RUNS	10000000
#define WANTED		0.8
#define WANTED_WORKERS	1000

/* --- the program ------------------------------------------------------------ */

static struct sim_var counter;
static int tasks = 4, ops = 3;

static void reset(void)
{
	counter.value = 0;
}

static void work(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < ops; i++)
		sim_add(&counter, 1);
}

static void program_main(void *arg)
{
	int i;

	for (i = 1; i < tasks; i++)
		sim_create(work, arg);
	work(arg);
}

static const struct sim_program program = {
	.name = "scale", .reset = reset, .main = program_main, .plain_end = true,
};

/* --- what was asked for ------------------------------------------------------ */

static struct {
	unsigned int bound;
	double run, start, rate, share, share_max, lost, slow, stands;
	uint64_t seed;
	const char *workers;
} opt = {
	.bound = 3, .run = 0.1, .start = 8, .rate = 100, .share = 15, .share_max = 1800,
	.lost = 1, .slow = 2, .stands = 1, .workers = "10,100,1000,10000,100000",
};

static struct chess_executor executor;

/* Of 2^64; splitmix64 */
static uint64_t draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static double draw_one(uint64_t *state)
{
	return (draw(state) >> 11) * 0x1p-53;
}

/* A shard as shard run runs it, but for where its runs are made. */
static uint64_t run_part(const struct chess_frontier *from, struct chess_frontier *rest,
			 uint64_t max_runs, uint64_t enough)
{
	struct chess_explore_opts o = {
		.sz = sizeof(o), .strategy = "icb", .bound = opt.bound, .keep_going = true,
		.from = from, .rest = rest, .max_runs = max_runs,
		.enough = enough,
	};
	struct chess_explore_result res;
	uint64_t runs;

	if (chess_explore(&executor, &o, &res)) {
		fprintf(stderr, "scale_sim: %s\n", chess_error());
		exit(1);
	}
	runs = res.runs;
	chess_explore_result_clear(&res);
	return runs;
}

/* --- the cluster -------------------------------------------------------------- */

/**
 * struct shard - prefixes that wait
 * @f: them
 * @w: what submit_plan() is to know of them
 */
struct shard {
	struct chess_frontier *f;
	struct submit_waiting w;
};

/**
 * struct handed - a shard that a worker has
 * @next: when it is seen to again
 * @began: when its first run was made
 * @f: what waits in it
 * @worker: who
 * @left: seconds until the time of a shard is over
 * @called: it is to be handed back
 * @lost: the worker is gone
 * @dies: when it will be
 */
struct handed {
	double next, began, left, dies;
	struct chess_frontier *f;
	unsigned int worker;
	bool called, lost;
};

/**
 * struct cluster - a search on it
 * @workers: how many there are
 * @now: simulated time
 * @waiting: @n shards
 * @out: @running of them that workers have, a heap, the next one to be seen to is first
 * @step: a worker's runs are made for so many seconds at a time
 * @idle: workers without one, @n_idle of them
 * @dispatched: until when the scheduler is busy with what it was given
 * @runs: that were made
 * @worked: seconds that workers had a shard
 * @handed: how often one was handed out
 * @lost: of these, how many were in vain
 * @bytes: of the files of shards
 */
struct cluster {
	size_t workers;
	double now;
	struct shard *waiting;
	size_t n, room;
	struct handed *out;
	size_t running;
	unsigned int *idle;
	size_t n_idle;
	double dispatched;
	uint64_t runs;
	double worked, step;
	uint64_t handed, lost, cuts, bytes;
	uint64_t chance;
};

static struct submit_waiting describe(const struct chess_frontier *f)
{
	return (struct submit_waiting){
		.level = chess_frontier_level(f), .weight = chess_frontier_weight(f),
		.prefixes = chess_frontier_count(f),
	};
}

static void wait_again(struct cluster *c, struct chess_frontier *f)
{
	if (!chess_frontier_count(f)) {
		chess_frontier_free(f);
		return;
	}
	if (c->n == c->room) {
		c->room = c->room ? 2 * c->room : 1024;
		c->waiting = cli_realloc(c->waiting, c->room, sizeof(*c->waiting));
	}
	c->waiting[c->n++] = (struct shard){ .f = f, .w = describe(f) };
}

static void heap_up(struct cluster *c, struct handed h, size_t at)
{
	size_t up;

	for (; at && c->out[up = (at - 1) / 2].next > h.next; at = up)
		c->out[at] = c->out[up];
	c->out[at] = h;
}

static struct handed heap_pop(struct cluster *c)
{
	struct handed first = c->out[0], last = c->out[--c->running];
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < c->running; at = child) {
		child += child + 1 < c->running && c->out[child + 1].next < c->out[child].next;
		if (c->out[child].next >= last.next)
			break;
		c->out[at] = c->out[child];
	}
	if (c->running)
		c->out[at] = last;
	return first;
}

/* Which workers are slow is the same all the time. */
static bool is_slow(const struct cluster *c, unsigned int worker)
{
	uint64_t state = opt.seed + 7919 * (uint64_t)worker + c->workers;

	return draw_one(&state) * 100 < opt.slow;
}

static double cost_of(const struct cluster *c, unsigned int worker)
{
	return opt.run * opt.stands * (is_slow(c, worker) ? SLOWNESS : 1);
}

static void hand_out(struct cluster *c, struct shard shard)
{
	struct handed h = {
		.worker = c->idle[--c->n_idle], .f = shard.f, .left = opt.share_max,
		.dies = HUGE_VAL,
	};

	c->handed++;
	if (c->dispatched < c->now)
		c->dispatched = c->now;
	c->dispatched += 1 / opt.rate;
	h.next = h.began = c->dispatched + opt.start;
	if (draw_one(&c->chance) * 100 < opt.lost)
		h.dies = h.began + draw_one(&c->chance) * 2 * opt.share;
	c->worked += opt.start;
	heap_up(c, h, c->running++);
}

/* A worker's next runs. Return: it still has the shard */
static bool go_on(struct cluster *c, struct handed *h)
{
	double cost = cost_of(c, h->worker), most = h->left < c->step ? h->left : c->step;
	struct chess_frontier *rest;
	uint64_t runs;

	if (h->called || h->left < cost || !chess_frontier_count(h->f))
		return false;
	/* Runs are in the journal, and who has the shard next knows them from there. */
	if (h->next >= h->dies) {
		h->lost = true;
		h->called = true;
		h->next += LOSS_NOTICED;
		c->lost++;
		return true;
	}
	rest = chess_frontier_new();
	runs = run_part(h->f, rest, most > cost ? most / cost : 1, 0);
	chess_frontier_free(h->f);
	h->f = rest;
	h->next += runs * cost;
	h->left -= runs * cost;
	c->runs += runs;
	c->worked += runs * cost;
	return true;
}

/* What is put together and cut again goes through files, as chessctl has it. */
static void cut(struct cluster *c, const struct submit_plan *p)
{
	struct chess_frontier *all = chess_frontier_new(), **piece;
	unsigned char *bytes = NULL;
	size_t i, n = 0;

	for (i = 0; i < p->n_again; i++) {
		struct shard *s = &c->waiting[p->again[i]];

		if (chess_frontier_append(all, s->f))
			exit(1);
		chess_frontier_free(s->f);
		s->f = NULL;
	}
	for (i = 0; i < c->n; i++)
		if (c->waiting[i].f)
			c->waiting[n++] = c->waiting[i];
	c->n = n;
	piece = cli_alloc(p->pieces, sizeof(*piece));
	for (i = 0; i < p->pieces; i++)
		piece[i] = chess_frontier_new();
	if (chess_frontier_split(all, piece, p->pieces))
		exit(1);
	chess_frontier_free(all);
	for (i = 0; i < p->pieces; i++) {
		if (chess_frontier_pack(piece[i], &bytes, &n))
			exit(1);
		chess_frontier_free(piece[i]);
		piece[i] = chess_frontier_unpack(bytes, n);
		c->bytes += n;
		free(bytes);
		wait_again(c, piece[i]);
	}
	free(piece);
	c->cuts++;
}

/* Return: whether something was cut, so that there is more to plan. */
static bool plan(struct cluster *c)
{
	struct submit_waiting *w = cli_alloc(c->n + 1, sizeof(*w));
	double *age = cli_alloc(c->running + 1, sizeof(*age));
	struct submit_state s = {
		.workers = c->workers, .running = c->running, .age = age, .waiting = w, .n = c->n,
		.bound = opt.bound, .stop = UINT32_MAX, .share = opt.share,
	};
	struct submit_plan p;
	size_t i, n = 0;
	bool cuts;

	for (i = 0; i < c->n; i++)
		w[i] = c->waiting[i].w;
	for (i = 0; i < c->running; i++)
		age[i] = c->out[i].called ? -1 : c->now - c->out[i].began;
	submit_plan(&s, &p);
	cuts = p.n_again;
	if (cuts)
		cut(c, &p);
	for (i = 0; i < p.n_call; i++)
		c->out[p.call[i]].called = true;
	for (i = 0; i < p.n_run; i++) {
		struct shard shard = c->waiting[p.run[i]];

		c->waiting[p.run[i]].f = NULL;
		hand_out(c, shard);
	}
	for (i = 0; i < c->n && p.n_run; i++)
		if (c->waiting[i].f)
			c->waiting[n++] = c->waiting[i];
	c->n = p.n_run ? n : c->n;
	submit_plan_clear(&p);
	free(age);
	free(w);
	return cuts;
}

static void collect(struct cluster *c)
{
	struct handed h;

	while (c->running && c->out[0].next <= c->now) {
		h = heap_pop(c);
		if (go_on(c, &h)) {
			heap_up(c, h, c->running++);
			continue;
		}
		c->idle[c->n_idle++] = h.worker;
		wait_again(c, h.f);
	}
}

/* Return: is it as it has to be? */
static bool simulate(size_t workers, uint64_t runs)
{
	struct cluster c = {
		.workers = workers, .chance = opt.seed + workers,
		.out = cli_alloc(workers, sizeof(*c.out)),
		.idle = cli_alloc(workers, sizeof(*c.idle)),
	};
	double alone = opt.start + runs * opt.stands * opt.run, faster;
	struct chess_frontier *root = chess_frontier_new();
	bool good;

	for (; c.n_idle < workers; c.n_idle++)
		c.idle[c.n_idle] = workers - 1 - c.n_idle;
	/* As many steps whatever the number of workers, since each takes the search apart. */
	c.step = alone / workers / STEPS > STEP_MIN ? alone / workers / STEPS : STEP_MIN;
	/* On one machine, which is to be over soon. */
	c.runs = run_part(NULL, root, 0, workers);
	c.now = opt.start + c.runs * opt.run;
	wait_again(&c, root);
	while (c.n || c.running) {
		while (plan(&c))
			;
		/* It looks each second. */
		c.now += 1;
		collect(&c);
	}
	faster = alone / c.now;
	good = c.runs == runs &&
	       (runs * opt.stands < WANTED_RUNS || workers > WANTED_WORKERS ||
		faster >= WANTED * workers);
	printf("| %6zu | %9.0f s | %8.1f | %.3f | %7lu | %5lu | %5.1f %% | %6.1f MB | %s |\n", workers,
	       c.now, faster, faster / workers, (unsigned long)c.handed, (unsigned long)c.lost,
	       100 * (c.worked / (runs * opt.stands * opt.run) - 1), c.bytes / 1e6,
	       c.runs == runs ? "equal" : "NOT EQUAL");
	fflush(stdout);
	free(c.waiting);
	free(c.out);
	free(c.idle);
	return good;
}

static bool read_words(int argc, char **argv)
{
	static const struct {
		const char *name;
		double *to;
	} words[] = {
		{ "run", &opt.run }, { "start", &opt.start }, { "rate", &opt.rate },
		{ "share", &opt.share }, { "stands", &opt.stands }, { "lost", &opt.lost },
		{ "slow", &opt.slow },
	};
	size_t k;
	int i;

	for (i = 0; i + 1 < argc; i += 2) {
		for (k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			if (!strcmp(argv[i], words[k].name))
				break;
		if (k < sizeof(words) / sizeof(words[0]))
			*words[k].to = atof(argv[i + 1]);
		else if (!strcmp(argv[i], "workers"))
			opt.workers = argv[i + 1];
		else if (!strcmp(argv[i], "seed"))
			opt.seed = strtoull(argv[i + 1], NULL, 10);
		else
			return false;
	}
	return i == argc && opt.run > 0 && opt.rate > 0 && opt.share > 0 &&
	       opt.stands > 0;
}

int main(int argc, char **argv)
{
	struct sim_opts how = { .enabled = SIM_KERNEL };
	const char *at;
	struct sim *sim;
	uint64_t runs;
	char *end;
	bool good = true;
	int first = 1;

	if (argc > 3 && atoi(argv[1])) {
		tasks = atoi(argv[1]);
		ops = atoi(argv[2]);
		opt.bound = atoi(argv[3]);
		first = 4;
	}
	if (tasks < 1 || tasks > TASKS_MAX || ops < 1 || !read_words(argc - first, argv + first)) {
		fprintf(stderr, "usage: scale_sim [TASKS OPS BOUND] [workers N,...] [run|start|share SEC] [rate N] [lost|slow PERCENT] [stands N] [seed N]\n");
		return 2;
	}
	sim = sim_new(&program, &how);
	executor = sim_executor(sim);
	runs = run_part(NULL, NULL, 0, 0);
	printf("%d tasks with %d points, bound %u: %lu runs, which stand for %.0f of %g s; one worker takes %.0f s\n\n",
	       tasks, ops, opt.bound, (unsigned long)runs, runs * opt.stands, opt.run,
	       opt.start + runs * opt.stands * opt.run);
	printf("| workers | took | times as fast | efficiency | shards handed out | lost | more work | files | runs |\n");
	printf("|---|---|---|---|---|---|---|---|---|\n");
	for (at = opt.workers; *at; at = *end ? end + 1 : end) {
		size_t workers = strtoul(at, &end, 10);

		if (!workers || end == at)
			return 2;
		good &= simulate(workers, runs);
	}
	sim_free(sim);
	return good ? 0 : 1;
}
