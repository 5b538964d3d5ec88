// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that each op of the user-space model means what sim.h says, in both senses
 * of "enabled". Bodies write what happens to a log, a prefix chooses the order, and
 * the log is compared. Without fairness, so that a yield passes on in turn.
 */
#include <string.h>

#include "sim.h"
#include "../harness.h"

static struct sim_mutex m;
static struct sim_rwlock rw;
static struct sim_cond c;
static struct sim_sem sem;
static struct sim_barrier barrier;
static struct sim_event event;
static struct sim_var v;
static char log_text[256];

static void reset(void)
{
	memset(&m, 0, sizeof(m));
	memset(&rw, 0, sizeof(rw));
	memset(&sem, 0, sizeof(sem));
	memset(&barrier, 0, sizeof(barrier));
	memset(&event, 0, sizeof(event));
	memset(&v, 0, sizeof(v));
	log_text[0] = '\0';
}

/* The task's number and one letter. */
static void say(char what)
{
	size_t n = strlen(log_text);

	if (n + 4 < sizeof(log_text))
		sprintf(log_text + n, "%s%d%c", n ? " " : "", sim_self(), what);
}

static enum chess_verdict run_as(enum sim_enabled enabled, void (*body)(void *arg),
				 const char *prefix)
{
	const struct sim_program p = { .name = "test", .reset = reset, .main = body };
	const struct sim_opts how = { .enabled = enabled, .unfair = true };
	struct chess_run_result res = sim_run_once(&p, &how, prefix);
	enum chess_verdict verdict = res.verdict;

	chess_run_result_clear(&res);
	return verdict;
}

/* Both senses must give the same log. */
#define EXPECT_LOG(log, body, schedule) do {						\
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, body, schedule));		\
	EXPECT_STREQ(log, log_text);							\
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_CHESS, body, schedule));		\
	EXPECT_STREQ(log, log_text);							\
} while (0)

#define EXPECT_VERDICT(verdict, body, schedule) do {					\
	EXPECT_EQ(CHESS_VERDICT_##verdict, (int)run_as(SIM_KERNEL, body, schedule));	\
	EXPECT_EQ(CHESS_VERDICT_##verdict, (int)run_as(SIM_CHESS, body, schedule));	\
} while (0)

static void hold(void *arg)
{
	(void)arg;
	sim_lock(&m);
	say('+');
	sim_load(&v);
	say('-');
	sim_unlock(&m);
}

static void two_hold(void *arg)
{
	sim_create(hold, NULL);
	hold(arg);
}

/* T1 comes while T0 holds the mutex: its turn comes when T0 has given it back. */
TEST(a_mutex_excludes)
{
	EXPECT_LOG("0+ 0- 1+ 1-", two_hold, "T0*2 T1");
	EXPECT_LOG("1+ 1- 0+ 0-", two_hold, "T0 T1");
}

static void give(void *arg)
{
	(void)arg;
	sim_unlock(&m);
}

static void given_by_another(void *arg)
{
	(void)arg;
	sim_create(give, NULL);
	sim_lock(&m);
	sim_load(&v);
}

TEST(a_mutex_is_given_back_by_who_has_it)
{
	EXPECT_VERDICT(ASSERT, give, "");
	EXPECT_VERDICT(ASSERT, given_by_another, "T0*2 T1");
}

static void take_twice(void *arg)
{
	(void)arg;
	sim_lock(&m);
	sim_lock(&m);
}

TEST(a_mutex_taken_twice_is_a_deadlock)
{
	EXPECT_VERDICT(DEADLOCK, take_twice, "");
}

static void try(void *arg)
{
	(void)arg;
	say(sim_trylock(&m) ? 'y' : 'n');
}

static void hold_and_try(void *arg)
{
	sim_create(try, NULL);
	hold(arg);
}

TEST(trylock_takes_a_free_mutex_and_never_waits)
{
	EXPECT_LOG("0+ 1n 0-", hold_and_try, "T0*2 T1*2 T0");
	EXPECT_LOG("0+ 0- 1y", hold_and_try, "");
}

static void try_long(void *arg)
{
	(void)arg;
	say(sim_timedlock(&m) ? 'y' : 'n');
}

static void hold_and_try_long(void *arg)
{
	sim_create(try_long, NULL);
	hold(arg);
}

/* T1's deadline passes while T0 is enabled, by a choice of T1; in CHESS's sense that
 * is just T1's turn. Where T0 goes on first, T1 is woken in time.
 */
TEST(timedlock_fails_when_its_deadline_passes)
{
	EXPECT_EQ(CHESS_VERDICT_OK,
		  (int)run_as(SIM_KERNEL, hold_and_try_long, "T0*2 T1*3 T0"));
	EXPECT_STREQ("0+ 1n 0-", log_text);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, hold_and_try_long, "T0*2 T1*2 T0"));
	EXPECT_STREQ("0+ 0- 1y", log_text);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_CHESS, hold_and_try_long, "T0*2 T1*2 T0"));
	EXPECT_STREQ("0+ 1n 0-", log_text);
}

static void lock_lost(void *arg)
{
	(void)arg;
	sim_lock(&m);
	say(sim_timedlock(&m) ? 'y' : 'n');
}

TEST(a_deadline_passes_when_nobody_can_go_on)
{
	EXPECT_LOG("0n", lock_lost, "");
}

static void read_lock(void *arg)
{
	(void)arg;
	sim_rdlock(&rw);
	say('r');
	sim_load(&v);
	say('.');
	sim_rwunlock(&rw);
}

static void write_lock(void *arg)
{
	(void)arg;
	sim_wrlock(&rw);
	say('w');
	sim_load(&v);
	say('.');
	sim_rwunlock(&rw);
}

static void two_read(void *arg)
{
	sim_create(read_lock, NULL);
	read_lock(arg);
}

static void read_and_write(void *arg)
{
	sim_create(write_lock, NULL);
	read_lock(arg);
}

static void write_and_read(void *arg)
{
	sim_create(read_lock, NULL);
	write_lock(arg);
}

TEST(readers_share_a_lock_and_writers_do_not)
{
	EXPECT_LOG("0r 1r 1. 0.", two_read, "T0*2 T1*3 T0");
	EXPECT_LOG("0r 0. 1w 1.", read_and_write, "T0*2 T1");
	EXPECT_LOG("1w 1. 0r 0.", read_and_write, "T0 T1*2");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, read_and_write, "T0 T1*2 T0"));
	EXPECT_STREQ("1w 1. 0r 0.", log_text);
	EXPECT_LOG("0w 0. 1r 1.", write_and_read, "T0*2 T1");
}

static void not_read(void *arg)
{
	(void)arg;
	sim_rwunlock(&rw);
}

TEST(a_lock_that_nobody_reads_is_not_given_back)
{
	EXPECT_VERDICT(ASSERT, not_read, "");
}

static void cond_wait(void *arg)
{
	(void)arg;
	sim_lock(&m);
	sim_wait(&c, &m);
	say('w');
	sim_unlock(&m);
}

static void wake_one_of_two(void *arg)
{
	(void)arg;
	sim_create(cond_wait, NULL);
	sim_create(cond_wait, NULL);
	sim_load(&v);
	sim_signal(&c);
	say('s');
	sim_load(&v);
	sim_signal(&c);
	say('s');
}

/* T2 waits first, T1 second, who cannot be chosen before the second signal. */
TEST(signal_wakes_who_has_waited_longest)
{
	EXPECT_LOG("0s 2w 0s 1w", wake_one_of_two, "T0*2 T2*3 T1*3 T0*2 T2*3 T0");
	EXPECT_VERDICT(DIVERGED, wake_one_of_two, "T0*2 T2*3 T1*3 T0*2 T1");
}

static void signal_first(void *arg)
{
	(void)arg;
	sim_create(cond_wait, NULL);
	sim_signal(&c);
}

TEST(a_signal_without_a_waiter_is_lost)
{
	EXPECT_VERDICT(DEADLOCK, signal_first, "");
	EXPECT_VERDICT(OK, signal_first, "T0 T1*3 T0");
}

static void wake_all(void *arg)
{
	(void)arg;
	sim_create(cond_wait, NULL);
	sim_create(cond_wait, NULL);
	sim_load(&v);
	sim_broadcast(&c);
	say('b');
}

TEST(broadcast_wakes_all)
{
	EXPECT_LOG("0b 1w 2w", wake_all, "T0*2 T1*3 T2*3 T0");
}

static void wait_unlocked(void *arg)
{
	(void)arg;
	sim_wait(&c, &m);
}

TEST(a_wait_needs_the_mutex)
{
	EXPECT_VERDICT(ASSERT, wait_unlocked, "");
}

static void wait_long(void *arg)
{
	(void)arg;
	sim_lock(&m);
	say(sim_timedwait(&c, &m) ? 'y' : 'n');
	sim_unlock(&m);
}

static void signal_late(void *arg)
{
	(void)arg;
	sim_create(wait_long, NULL);
	sim_signal(&c);
}

TEST(timedwait_ends_with_a_signal_or_its_deadline)
{
	EXPECT_LOG("0n", wait_long, "");
	EXPECT_LOG("1n", signal_late, "");
	EXPECT_LOG("1y", signal_late, "T0 T1*3 T0");
}

static void wait_long_twice(void *arg)
{
	(void)arg;
	sim_lock(&m);
	say(sim_timedwait(&c, &m) ? 'y' : 'n');
	say(sim_timedwait(&c, &m) ? 'y' : 'n');
	sim_unlock(&m);
}

static void signal_once(void *arg)
{
	sim_create(wait_long_twice, arg);
	sim_signal(&c);
}

/* T1 waits until its deadline passes early; when it waits again T0 signals. */
TEST(a_deadline_that_passed_is_forgotten)
{
	EXPECT_LOG("1n 1y", signal_once, "T0 T1*5 T0");
}

static void sem_take(void *arg)
{
	(void)arg;
	sim_sem_wait(&sem);
	say('w');
}

static void sem_try(void *arg)
{
	(void)arg;
	say(sim_sem_trywait(&sem) ? 'y' : 'n');
}

static void sem_give(void *arg)
{
	(void)arg;
	sim_create(sem_take, NULL);
	sim_create(sem_try, NULL);
	sim_load(&v);
	sim_sem_post(&sem);
	say('p');
}

TEST(a_semaphore_counts)
{
	EXPECT_VERDICT(DEADLOCK, sem_take, "");
	/* T1 comes first and waits, T2 tries before and after there is something */
	EXPECT_LOG("2n 0p 1w", sem_give, "T0*2 T2*3 T0");
	EXPECT_LOG("0p 1w 2n", sem_give, "T0*2 T1 T0*3 T1");
	/* T1 is woken, but T2 is faster */
	EXPECT_EQ(CHESS_VERDICT_DEADLOCK,
		  (int)run_as(SIM_KERNEL, sem_give, "T0*2 T1*2 T0*3 T2"));
	EXPECT_STREQ("0p 2y", log_text);
}

static void meet(void *arg)
{
	(void)arg;
	sim_barrier_wait(&barrier);
	say('1');
	sim_barrier_wait(&barrier);
	say('2');
}

static void two_meet(void *arg)
{
	barrier.needed = 2;
	sim_create(meet, NULL);
	meet(arg);
}

static void meet_alone(void *arg)
{
	barrier.needed = 2;
	meet(arg);
}

/* T0 waits, T1 arrives last and goes on at once, waits in the second round. */
TEST(a_barrier_lets_go_when_all_are_there)
{
	EXPECT_LOG("11 01 02 12", two_meet, "");
	EXPECT_VERDICT(DEADLOCK, meet_alone, "");
}

static void event_wait(void *arg)
{
	(void)arg;
	sim_event_wait(&event);
	say('w');
}

static void set_once(void *arg)
{
	(void)arg;
	sim_create(event_wait, NULL);
	sim_create(event_wait, NULL);
	sim_event_set(&event);
	say('s');
}

static void set_manual(void *arg)
{
	event.manual = true;
	set_once(arg);
}

TEST(an_event_lets_one_through_and_a_manual_one_all)
{
	EXPECT_VERDICT(DEADLOCK, set_once, "");
	EXPECT_STREQ("0s 1w", log_text);
	EXPECT_VERDICT(DEADLOCK, set_once, "T0*2 T2 T0");
	EXPECT_LOG("0s 1w 2w", set_manual, "");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, set_manual, "T0*2 T1*2 T2*2 T0"));
	EXPECT_STREQ("0s 1w 2w", log_text);
}

static void set_and_reset(void *arg)
{
	(void)arg;
	event.manual = true;
	sim_event_set(&event);
	sim_event_reset(&event);
	say(sim_event_timedwait(&event) ? 'y' : 'n');
	sim_event_set(&event);
	say(sim_event_timedwait(&event) ? 'y' : 'n');
	say(sim_event_timedwait(&event) ? 'y' : 'n');
}

TEST(an_event_can_be_reset_and_waited_for_with_a_deadline)
{
	EXPECT_LOG("0n 0y 0y", set_and_reset, "");
}

static void variables(void *arg)
{
	(void)arg;
	sim_store(&v, 5);
	sim_assert(sim_load(&v) == 5);
	sim_assert(sim_add(&v, 2) == 7);
	sim_assert(sim_exchange(&v, 1) == 7);
	sim_assert(!sim_cas(&v, 2, 3));
	sim_assert(sim_load(&v) == 1);
	sim_assert(sim_cas(&v, 1, 4));
	sim_assert(sim_load(&v) == 4);
}

TEST(variables_hold_what_was_stored)
{
	EXPECT_VERDICT(OK, variables, "");
}

static void turns(void *arg)
{
	(void)arg;
	say('a');
	sim_yield();
	say('b');
}

static void three_take_turns(void *arg)
{
	sim_create(turns, NULL);
	sim_create(turns, NULL);
	turns(arg);
}

/* Ids in turn: T0 yields to T1, T1 to T2, T2 to T0, which goes on to its end. */
TEST(a_yield_passes_to_the_next_id)
{
	EXPECT_LOG("0a 1a 2a 0b 1b 2b", three_take_turns, "");
	EXPECT_LOG("0a 0b", turns, "");
}

static void nap_short(void *arg)
{
	(void)arg;
	sim_sleep(1000000);
	say('s');
}

static void nap_long(void *arg)
{
	sim_create(nap_short, arg);
	sim_sleep(2000000000);
	say('l');
}

/* As in CHESS a sleep is a yield and nothing else. */
TEST(sleeps_end_in_the_order_of_their_deadlines)
{
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, nap_long, ""));
	EXPECT_STREQ("1s 0l", log_text);
	/* T0 sleeps, T1 sleeps, T0's deadline passes early */
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, nap_long, "T0*2 T1*2 T0"));
	EXPECT_STREQ("0l 1s", log_text);
}

static void nap_and_set(void *arg)
{
	(void)arg;
	sim_sleep(1000000);
	say('s');
	v.value = 1;
}

static void poll_v(void *arg)
{
	(void)arg;
	while (!v.value)
		sim_yield();
}

static void two_poll(void *arg)
{
	sim_create(nap_and_set, NULL);
	sim_create(poll_v, NULL);
	poll_v(arg);
}

/* Nobody is ever alone, so it is the yields that move the clock. */
TEST(time_passes_while_tasks_take_turns_in_yielding)
{
	EXPECT_LOG("1s", two_poll, "");
}

static void child(void *arg)
{
	(void)arg;
	sim_load(&v);
	say('c');
}

static void parent(void *arg)
{
	int t = sim_create(child, NULL);

	(void)arg;
	sim_join(t);
	say('j');
}

TEST(join_waits_for_the_end)
{
	EXPECT_LOG("1c 0j", parent, "");
	EXPECT_EQ(CHESS_VERDICT_OK, (int)run_as(SIM_KERNEL, parent, "T0 T1*2 T0"));
	EXPECT_STREQ("1c 0j", log_text);
	EXPECT_VERDICT(DIVERGED, parent, "T0*2 T1*2 T0*2");
}

static void fail(void *arg)
{
	(void)arg;
	sim_create(child, NULL);
	sim_assert(false);
}

static void leave(void *arg)
{
	(void)arg;
	sim_create(child, NULL);
	sim_exit(3);
}

static void leave_well(void *arg)
{
	(void)arg;
	sim_create(take_twice, NULL);
	sim_yield();
	sim_exit(0);
}

TEST(assert_and_exit_end_the_run_whatever_others_do)
{
	EXPECT_VERDICT(ASSERT, fail, "");
	EXPECT_STREQ("", log_text);
	EXPECT_VERDICT(EXIT, leave, "");
	EXPECT_STREQ("", log_text);
	EXPECT_VERDICT(OK, leave_well, "");
}

static void load(void *arg)
{
	(void)arg;
	sim_load(&v);
}

static void load_alone(void *arg)
{
	int task;

	load(arg);
	task = sim_create(load, NULL);
	load(arg);
	sim_join(task);
}

static int points_of(bool alone_free)
{
	const struct sim_program p = { .name = "test", .reset = reset, .main = load_alone };
	const struct sim_opts how = { .enabled = SIM_KERNEL, .alone_free = alone_free };
	struct chess_run_result res = sim_run_once(&p, &how, "");
	int points = chess_record_points(res.record);

	chess_run_result_clear(&res);
	return points;
}

/*
 * Three loads: by T0 alone, by T0 while T1 could go on, by T1 while T0 waits. The others are
 * the creation, the join and two ends.
 */
TEST(a_variable_is_no_point_for_who_is_alone)
{
	EXPECT_EQ(3 + 4, points_of(false));
	EXPECT_EQ(1 + 4, points_of(true));
}

TEST_HARNESS_MAIN
