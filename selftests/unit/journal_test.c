// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that a search whose process was killed goes on from its journal to the end it
 * would have had: killed after each run, with the file cut at each byte, and at random
 * moments; with each strategy and with several jobs; and that no run is made twice but
 * those that had not been written. Damaged journals are refused, whatever byte it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "internal.h"
#include "run/pack.h"
#include "run_order.h"
#include "sim.h"
#include "../harness.h"

/* --- programs ------------------------------------------------------------ */

static struct sim_var x;
static struct sim_mutex a, b;

static void reset(void)
{
	x.value = 0;
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
}

static void lock_ba(void *arg)
{
	(void)arg;
	sim_lock(&b);
	sim_lock(&a);
	sim_store(&x, 1);
	sim_unlock(&a);
	sim_unlock(&b);
}

/* Deadlock with one preemption. */
static void abba(void *arg)
{
	sim_create(lock_ba, arg);
	sim_lock(&a);
	sim_lock(&b);
	sim_store(&x, 2);
	sim_unlock(&b);
	sim_unlock(&a);
}

static const struct sim_program program = { .name = "test", .reset = reset, .main = abba };
static const struct sim_opts how = { .enabled = SIM_KERNEL };

/* --- searches ------------------------------------------------------------ */

/**
 * struct life - a search, or a part of it
 * @order: its runs; first, so that it is the executor's context as well
 * @sim: the program, in this process
 * @j: the journal; NULL: none
 * @made: runs that were made, in all lives; in shared memory
 * @kill_at: SIGKILL when so many were made in this life; 0: never
 * @nap_us: each run takes so long
 * @stray: runs of this number are reported to have strayed
 */
struct life {
	struct run_order order;
	struct sim *sim;
	struct chess_journal *j;
	unsigned int *made;
	unsigned int kill_at, made_here, nap_us, stray;
};

static char path[64];

static int take_or_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct life *l = ctx;
	int ret = l->j ? chess_journal_take(l->j, plan, out) : 0;

	if (!ret) {
		usleep(l->nap_us);
		ret = l->order.x.run(l->order.x.ctx, plan, out);
		if (ret)
			return ret;
		++*l->made;
		if (*l->made == l->stray)
			out->verdict = CHESS_VERDICT_DIVERGED;
		if (l->j)
			ASSERT_EQ(0, chess_journal_add(l->j, plan, out));
		if (++l->made_here == l->kill_at)
			raise(SIGKILL);
	} else if (ret < 0) {
		return ret;
	}
	return run_order_add(&l->order, out);
}

static int open_sim(void *arg, unsigned int worker, struct chess_executor *out)
{
	(void)arg;
	(void)worker;
	*out = sim_executor(sim_new(&program, &how));
	return 0;
}

static void live(struct life *l, struct chess_explore_opts o, unsigned int jobs)
{
	struct chess_executor exec = { .run = take_or_run, .ctx = l, .ahead = run_order_ahead };
	struct chess_pool_opts po = { .sz = sizeof(po), .jobs = jobs, .open = open_sim };
	struct chess_pool *pool = jobs ? chess_pool_new(&po) : NULL;

	l->sim = sim_new(&program, &how);
	l->order.x = pool ? chess_pool_executor(pool) : sim_executor(l->sim);
	o.sz = sizeof(o);
	l->order.ret = chess_explore(&exec, &o, &l->order.res);
	chess_pool_free(pool);
	sim_free(l->sim);
	chess_journal_close(l->j);
	l->j = NULL;
}

static struct life *new_life(void)
{
	static unsigned int *made;
	struct life *l = calloc(1, sizeof(*l));

	ASSERT_TRUE(l);
	if (!made)
		made = mmap(NULL, sizeof(*made), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	l->made = made;
	return l;
}

static void end_life(struct life *l)
{
	chess_explore_result_clear(&l->order.res);
	free(l);
}

static void new_journal(void)
{
	char *about[] = { (char *)"one", (char *)"", NULL };

	*new_life()->made = 0;
	snprintf(path, sizeof(path), "/tmp/chess-journal.%d", getpid());
	unlink(path);
	ASSERT_EQ(0, chess_journal_create(path, about));
}

static struct chess_journal *open_journal(void)
{
	struct chess_journal *j = chess_journal_open(path);

	if (!j)
		printf("# %s\n", chess_error());
	ASSERT_TRUE(j);
	chess_journal_set_pause(j, 0);
	return j;
}

static struct life *without_journal(struct chess_explore_opts o)
{
	struct life *l = new_life();

	live(l, o, 0);
	ASSERT_EQ(0, l->order.ret);
	return l;
}

/* One life in a process of its own. @ms: killed after so long; 0: it kills itself. */
static void live_and_die(struct chess_explore_opts o, struct life *l, unsigned int jobs,
			 unsigned int us)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		l->j = open_journal();
		if (us)
			chess_journal_set_pause(l->j, 5);
		live(l, o, jobs);
		_exit(0);
	}
	usleep(us);
	if (us)
		kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
}

/* Killed after run @k; then another life goes on to the end. */
static void die_at(struct chess_explore_opts o, const struct life *whole, unsigned int k,
		   unsigned int jobs, unsigned int jobs_then)
{
	struct life *first = new_life(), *second = new_life();

	new_journal();
	first->kill_at = k;
	live_and_die(o, first, jobs, 0);
	second->j = open_journal();
	EXPECT_EQ(k, chess_journal_runs(second->j));
	EXPECT_FALSE(chess_journal_was_cut(second->j));
	live(second, o, jobs_then);
	run_order_expect_same(&whole->order, &second->order);
	EXPECT_EQ(whole->order.n, *second->made);
	free(first);
	end_life(second);
	unlink(path);
}

static const struct chess_explore_opts all = { .strategy = "icb", .bound = 2, .keep_going = true };

TEST(killed_behind_each_run)
{
	struct life *whole = without_journal(all);
	unsigned int k;

	EXPECT_LT(20U, whole->order.n);
	for (k = 1; k < whole->order.n; k++)
		die_at(all, whole, k, 0, 0);
	end_life(whole);
}

TEST(each_strategy_goes_on)
{
	static const char *const strategies[] = {
		"dfs", "delay", "random", "pct", "pos", "surw", "rr",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(strategies); i++) {
		const struct chess_explore_opts o = {
			.strategy = strategies[i], .bound = 2, .max_runs = 60, .seed = 3,
			.keep_going = true,
		};
		struct life *whole = without_journal(o);
		unsigned int k;

		for (k = 1; k < whole->order.n; k += 7)
			die_at(o, whole, k, 0, 0);
		end_life(whole);
	}
}

TEST(jobs_may_be_others_afterwards)
{
	struct life *whole = without_journal(all);
	unsigned int k;

	for (k = 1; k < whole->order.n; k += 9) {
		die_at(all, whole, k, 2, 0);
		die_at(all, whole, k, 0, 4);
		die_at(all, whole, k, 4, 2);
	}
	end_life(whole);
}

/* It ends at the first bug; the run that showed it may be in the journal already. */
TEST(killed_before_the_bug_is_told)
{
	struct chess_explore_opts o = all;
	struct life *whole;
	unsigned int k;

	o.keep_going = false;
	whole = without_journal(o);
	EXPECT_TRUE(whole->order.res.verdict == CHESS_VERDICT_DEADLOCK);
	for (k = 1; k <= whole->order.n; k++)
		die_at(o, whole, k, 0, 0);
	end_life(whole);
}

/* Run 9 strays in the first life: it is tried again in the second one, and only there. */
TEST(tries_of_a_plan_are_kept)
{
	struct life *whole, *first = new_life(), *second = new_life();

	whole = new_life();
	*whole->made = 0;
	whole->stray = 9;
	live(whole, all, 0);
	EXPECT_EQ(1U, whole->order.res.retries);
	new_journal();
	first->stray = 9;
	first->kill_at = 9;
	live_and_die(all, first, 0, 0);
	second->j = open_journal();
	live(second, all, 0);
	run_order_expect_same(&whole->order, &second->order);
	unlink(path);
}

/* 20 times at moments drawn from a seed, each life goes on where the last one ended. */
TEST(killed_at_random_moments)
{
	struct life *whole = without_journal(all), *l;
	unsigned int i, jobs;

	for (jobs = 0; jobs < 4; jobs += 2) {
		srand(5 + jobs);
		new_journal();
		for (i = 0; i < 20; i++) {
			l = new_life();
			l->nap_us = 2000;
			live_and_die(all, l, jobs, 1 + rand() % 30000);
			free(l);
		}
		l = new_life();
		l->j = open_journal();
		live(l, all, jobs);
		run_order_expect_same(&whole->order, &l->order);
		end_life(l);
		unlink(path);
	}
	end_life(whole);
}

/* --- files --------------------------------------------------------------- */

static size_t read_file(unsigned char **bytes)
{
	int fd = open(path, O_RDONLY);
	struct stat st;

	ASSERT_EQ(0, fstat(fd, &st));
	*bytes = malloc(st.st_size);
	ASSERT_EQ((ssize_t)st.st_size, read(fd, *bytes, st.st_size));
	close(fd);
	return st.st_size;
}

static void write_file(const void *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ASSERT_EQ((ssize_t)n, write(fd, bytes, n));
	close(fd);
}

/* The journal of a search to its end, a block for each of @runs runs. */
static size_t whole_journal(unsigned char **bytes, unsigned int runs)
{
	struct chess_explore_opts o = all;
	struct life *l = new_life();

	o.max_runs = runs;
	new_journal();
	l->j = open_journal();
	chess_journal_note(l->j, "a note");
	live(l, o, 0);
	end_life(l);
	return read_file(bytes);
}

static size_t size_of_empty(void)
{
	unsigned char *bytes;
	size_t n;

	new_journal();
	n = read_file(&bytes);
	free(bytes);
	return n;
}

/* Wherever it is cut, after what create() wrote, the search comes to the same end. */
TEST(cut_at_each_byte)
{
	size_t begin = size_of_empty(), n, cut;
	struct life *whole, *l;
	struct chess_explore_opts o = all;
	unsigned char *bytes;

	o.max_runs = 8;
	whole = without_journal(o);
	n = whole_journal(&bytes, 8);
	EXPECT_LT(begin, n);
	for (cut = begin; cut <= n; cut++) {
		write_file(bytes, cut);
		l = new_life();
		l->j = open_journal();
		live(l, o, 0);
		run_order_expect_same(&whole->order, &l->order);
		end_life(l);
		/* And it is as good as new. */
		l = new_life();
		l->j = open_journal();
		EXPECT_FALSE(chess_journal_was_cut(l->j));
		EXPECT_EQ(8U, chess_journal_runs(l->j));
		live(l, o, 0);
		run_order_expect_same(&whole->order, &l->order);
		end_life(l);
	}
	free(bytes);
	unlink(path);
}

TEST(each_wrong_byte_is_noticed)
{
	unsigned char *bytes;
	size_t n = whole_journal(&bytes, 3), i;

	for (i = 0; i < n; i++) {
		bytes[i] ^= 0x10;
		write_file(bytes, n);
		errno = 0;
		EXPECT_TRUE(!chess_journal_open(path));
		if (i >= strlen("chess search journal 1\n"))
			EXPECT_EQ(EBADMSG, errno);
		EXPECT_TRUE(strstr(chess_error(), path));
		bytes[i] ^= 0x10;
	}
	free(bytes);
	unlink(path);
}

/* As in journal.c, with sums that are right: somebody made it so. */
static size_t block(unsigned char *to, uint32_t kind, uint32_t size, uint32_t says,
		    const void *bytes, size_t n)
{
	uint32_t head[6] = { kind, 0, size, says };

	head[4] = crc32(0, bytes, n);
	head[5] = crc32(0, (void *)head, 20);
	memcpy(to, head, sizeof(head));
	memcpy(to + sizeof(head), bytes, n);
	return sizeof(head) + n;
}

/* @size: what a block after a good beginning says of its bytes; as long as it is in the file. */
static void expect_refused(uint32_t size, uint32_t packed, size_t there)
{
	struct rlimit limit = { 1 << 30, 1 << 30 };
	unsigned char *bytes, *after;
	size_t n;

	new_journal();
	n = read_file(&bytes);
	bytes = realloc(bytes, n + 24 + there);
	ASSERT_TRUE(bytes);
	memset(bytes + n + 24, 'A', there);
	n += block(bytes + n, 2, size, packed, bytes + n + 24, there);
	write_file(bytes, n);
	/* Nor does it ask for so much. */
	ASSERT_EQ(0, setrlimit(RLIMIT_AS, &limit));
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(EBADMSG, errno);
	EXPECT_EQ(n, read_file(&after));
	EXPECT_EQ(0, memcmp(bytes, after, n));
	free(bytes);
	free(after);
	unlink(path);
}

TEST(blocks_that_cannot_be_so_large_are_refused)
{
	expect_refused(UINT32_MAX, 100, 100);
	expect_refused(UINT32_MAX - 1, 100, 100);
	expect_refused(200000, 100, 100);
}

/* At the beginning it is no block that had not been written to its end. */
TEST(first_block_that_is_longer_than_the_file)
{
	static unsigned char bytes[200000], made[sizeof(bytes) + 64], *after;
	size_t n = strlen("chess search journal 1\n");

	snprintf(path, sizeof(path), "/tmp/chess-journal.%d", getpid());
	memcpy(made, "chess search journal 1\n", n);
	n += block(made + n, 1, 4, UINT32_MAX, bytes, sizeof(bytes));
	write_file(made, n);
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(EBADMSG, errno);
	EXPECT_EQ(n, read_file(&after));
	free(after);
	unlink(path);
}

/* Where the words and bytes of a result stand: see chess_pack_result(). */
#define VERDICT_AT	0
#define COMM_AT		32
#define SECONDS_AT	48

static struct chess_pack packed_result(uint16_t chosen)
{
	struct chess_event e = { .seq = 1, .type = CHESS_EVENT_POINT, .chosen = chosen };
	struct chess_run_result res = { .verdict = CHESS_VERDICT_OK };
	struct chess_pack p = { 0 };

	strcpy(res.outside_comm, "name");
	res.record = chess_record_new();
	ASSERT_EQ(0, chess_record_push(res.record, &e, 1));
	chess_pack_result(&p, &res);
	chess_run_result_clear(&res);
	return p;
}

static int unpacked(struct chess_pack *p)
{
	struct chess_unpack u = { .at = p->data, .left = p->n };
	struct chess_run_result res;
	int ret = chess_unpack_result(&u, &res);

	if (!ret)
		chess_run_result_clear(&res);
	free(p->data);
	return ret;
}

TEST(results_that_no_run_can_have_are_refused)
{
	struct chess_pack p = packed_result(0);
	double never = -1;

	EXPECT_EQ(0, unpacked(&p));
	p = packed_result(0);
	EXPECT_EQ(0, memcmp(p.data + COMM_AT, "name", 5));
	memset(p.data + COMM_AT, 'x', 16);
	EXPECT_EQ(-EINVAL, unpacked(&p));
	p = packed_result(0);
	p.data[VERDICT_AT] = CHESS_VERDICT_INCOMPLETE + 1;
	EXPECT_EQ(-EINVAL, unpacked(&p));
	p = packed_result(0);
	memcpy(p.data + SECONDS_AT, &never, sizeof(never));
	EXPECT_EQ(-EINVAL, unpacked(&p));
	/* A task that nobody made. */
	p = packed_result(1024);
	EXPECT_EQ(-EINVAL, unpacked(&p));
}

TEST(files_that_are_no_journal_are_refused)
{
	snprintf(path, sizeof(path), "/tmp/chess-journal.%d", getpid());
	write_file("", 0);
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(EINVAL, errno);
	write_file("chess search journal 2\nwhatever", 31);
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(EPROTONOSUPPORT, errno);
	EXPECT_TRUE(strstr(chess_error(), "another version"));
	write_file("chess search journal 1\n", 23);
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(EBADMSG, errno);
	unlink(path);
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(ENOENT, errno);
}

TEST(one_at_a_time)
{
	struct chess_journal *j;

	new_journal();
	j = open_journal();
	EXPECT_TRUE(!chess_journal_open(path));
	EXPECT_EQ(EBUSY, errno);
	chess_journal_close(j);
	chess_journal_close(open_journal());
	unlink(path);
}

TEST(name_that_is_taken_is_left_alone)
{
	char *about[] = { (char *)"two", NULL };
	struct chess_journal *j;

	new_journal();
	EXPECT_EQ(-EEXIST, chess_journal_create(path, about));
	j = open_journal();
	EXPECT_STREQ("one", chess_journal_about(j)[0]);
	EXPECT_STREQ("", chess_journal_about(j)[1]);
	EXPECT_TRUE(!chess_journal_about(j)[2]);
	chess_journal_close(j);
	unlink(path);
}

TEST(journal_of_another_search_is_refused)
{
	struct chess_explore_opts o = {
		.strategy = "random", .max_runs = 5, .seed = 1, .keep_going = true,
	};
	struct life *l = new_life();

	new_journal();
	l->j = open_journal();
	live(l, o, 0);
	end_life(l);
	l = new_life();
	l->j = open_journal();
	o.seed = 2;
	live(l, o, 0);
	EXPECT_EQ(-ESTALE, l->order.ret);
	EXPECT_TRUE(strstr(chess_error(), "other runs"));
	free(l);
	unlink(path);
}

/* Notes that are made while runs are taken do not get lost, nor do runs. */
TEST(notes_come_back_in_order)
{
	struct life *whole = without_journal(all), *l;
	struct chess_journal *j;
	unsigned char *bytes;

	whole_journal(&bytes, 8);
	free(bytes);
	j = open_journal();
	EXPECT_EQ(0, chess_journal_note(j, "another"));
	l = new_life();
	l->j = j;
	live(l, all, 0);
	run_order_expect_same(&whole->order, &l->order);
	end_life(l);
	j = open_journal();
	EXPECT_STREQ("a note", chess_journal_notes(j)[0]);
	EXPECT_STREQ("another", chess_journal_notes(j)[1]);
	EXPECT_TRUE(!chess_journal_notes(j)[2]);
	EXPECT_EQ(whole->order.n, chess_journal_runs(j));
	chess_journal_close(j);
	unlink(path);
}

static double seconds(void *arg)
{
	return chess_journal_seconds(((struct life *)arg)->j);
}

/* Runs of 10 ms or more: 10 in the first life, at most 16 more until 150 ms are over. */
TEST(time_of_earlier_lives_counts)
{
	struct chess_explore_opts o = {
		.strategy = "random", .max_runs = 10, .keep_going = true,
	};
	struct life *l = new_life();
	double first;

	new_journal();
	l->j = open_journal();
	l->nap_us = 10000;
	o.seconds = seconds;
	o.seconds_arg = l;
	live(l, o, 0);
	first = l->order.res.seconds;
	EXPECT_LT(0.1, first);
	end_life(l);
	l = new_life();
	l->j = open_journal();
	l->nap_us = 10000;
	o.seconds_arg = l;
	o.max_runs = 1000;
	/* The first life took as long as the machine made it, 100 ms or more. */
	o.max_seconds = first + 0.15;
	live(l, o, 0);
	EXPECT_LT(10U, l->order.res.runs);
	EXPECT_LT(l->order.res.runs, 27U);
	EXPECT_LT(o.max_seconds, l->order.res.seconds);
	EXPECT_LT(l->made_here, 17U);
	end_life(l);
	unlink(path);
}

/*
 * What docs/strategies.md says of growth. A run of this program has some 20 events of 64 bytes;
 * in blocks of many runs less than a tenth of that is written.
 */
TEST(runs_are_written_small)
{
	struct chess_explore_opts o = {
		.strategy = "random", .max_runs = 10000, .keep_going = true,
	};
	struct life *l = new_life();
	unsigned char *bytes;
	size_t n;

	new_journal();
	l->j = open_journal();
	chess_journal_set_pause(l->j, 1000);
	live(l, o, 0);
	n = read_file(&bytes);
	printf("# %zu bytes for %zu runs of up to %zu points\n", n, l->order.n, l->order.res.max_points);
	EXPECT_LT(n / l->order.n, 130U);
	free(bytes);
	end_life(l);
	unlink(path);
}

TEST_HARNESS_MAIN
