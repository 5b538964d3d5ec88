// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bounded queue, a read-mostly cache and a ticket lock as tests of <chessctl/test.h>, each right
 * and with a bug. harness.sh holds the results, the numbers of runs, and the numbers of orders of
 * dependent operations (happens-before classes), which are derived here.
 */
#include <stdatomic.h>
#include <stdbool.h>

#include <chessctl/test.h>

/* With the bound 0: task switches where a sync function blocks, and nowhere else. */
#define CALLS	CHESS_OPTION("--points=sync")
#define BOUNDED	CHESS_OPTION("--strategy=icb")

/* ---- a queue with room for one item ---- */

static pthread_mutex_t queue_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int queue_item, queue_length;
static int taken[2];

static void put(int item, pthread_cond_t *room, pthread_cond_t *content)
{
	pthread_mutex_lock(&queue_lock);
	while (queue_length == 1)
		pthread_cond_wait(room, &queue_lock);
	queue_item = item;
	queue_length++;
	pthread_cond_signal(content);
	pthread_mutex_unlock(&queue_lock);
}

static int get(pthread_cond_t *room, pthread_cond_t *content)
{
	int item;

	pthread_mutex_lock(&queue_lock);
	while (!queue_length)
		pthread_cond_wait(content, &queue_lock);
	item = queue_item;
	queue_length--;
	pthread_cond_signal(room);
	pthread_mutex_unlock(&queue_lock);
	return item;
}

static void produce_two(void)
{
	put(1, &not_full, &not_empty);
	put(2, &not_full, &not_empty);
}

static void consume_two(void)
{
	taken[0] = get(&not_full, &not_empty);
	taken[1] = get(&not_full, &not_empty);
}

/*
 * put 1, get 1, put 2 and get 2 follow each other in this order. Each of the last three may be
 * tried too early and then waits, or not: 2 * 2 * 2 = 8 orders of the critical sections.
 */
CHESS_TEST(queue, 2)
{
	CHESS_THREADS(produce_two, consume_two);
	CHESS_ASSERT(taken[0] == 1 && taken[1] == 2);
}

/*
 * The first task waits for the producer. Either the producer begins or the consumer does. Then one
 * task can continue at a time, until the producer ends: the first task or the consumer continues.
 * 2 * 2 = 4 runs.
 */
CHESS_TEST(queue_without_preemption, 0, BOUNDED, CALLS)
{
	CHESS_THREADS(produce_two, consume_two);
	CHESS_ASSERT(taken[0] == 1 && taken[1] == 2);
}

static void put_one_shared(void) { put(1, &not_empty, &not_empty); }
static void put_two_shared(void) { put_one_shared(); put_one_shared(); }
static void get_one_shared(void) { get(&not_empty, &not_empty); }

/* One condition for both: a signal that is meant for a producer may wake a consumer. */
CHESS_TEST(queue_with_one_condition, 2, CHESS_EXPECT_DEADLOCK)
{
	CHESS_THREADS(get_one_shared, get_one_shared, put_two_shared);
}

/* ---- a cache that is filled once and then only read ---- */

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static bool cached;
static int cache_value, cache_fills;

static int look_up(bool check_again)
{
	bool hit;
	int value;

	pthread_rwlock_rdlock(&cache_lock);
	hit = cached;
	value = cache_value;
	pthread_rwlock_unlock(&cache_lock);
	if (hit)
		return value;
	pthread_rwlock_wrlock(&cache_lock);
	if (!check_again || !cached) {
		cache_value = 42;
		cache_fills++;
		cached = true;
	}
	value = cache_value;
	pthread_rwlock_unlock(&cache_lock);
	return value;
}

static void reader(void) { CHESS_ASSERT(look_up(true) == 42); }
static void hasty_reader(void) { CHESS_ASSERT(look_up(false) == 42); }

/*
 * If a reader fills the cache before the other one looks, the other one finds it: 2 orders, as
 * either may be first. Otherwise both miss. Taking the lock for reading and giving it back, by two
 * tasks, have 4 orders, as only two takings do not depend on each other; and either fills first:
 * 4 * 2. In all 10 orders.
 */
CHESS_TEST(cache, 2)
{
	CHESS_THREADS(reader, reader);
	CHESS_ASSERT(cache_fills == 1);
}

/*
 * Nothing blocks but the first task, which waits for the readers in turn. If the second reader
 * begins, the first one follows: 1 run. If the first begins, then at its end the first task or the
 * second reader continues: 2 runs.
 */
CHESS_TEST(cache_without_preemption, 0, BOUNDED, CALLS)
{
	CHESS_THREADS(reader, reader);
	CHESS_ASSERT(cache_fills == 1);
}

CHESS_TEST(cache_without_second_look, 1, CHESS_EXPECT_ASSERT)
{
	CHESS_THREADS(hasty_reader, hasty_reader);
	CHESS_ASSERT(cache_fills == 1);
}

/* ---- a ticket lock ---- */

static atomic_uint next_ticket, now_serving;
static int guarded;

static void with_ticket(bool at_once)
{
	unsigned int mine;

	if (at_once) {
		mine = atomic_fetch_add(&next_ticket, 1);
	} else {
		mine = atomic_load(&next_ticket);
		atomic_store(&next_ticket, mine + 1);
	}
	while (atomic_load(&now_serving) != mine)
		;
	guarded++;
	atomic_store(&now_serving, mine + 1);
}

static void customer(void) { with_ticket(true); }
static void customer_without_add(void) { with_ticket(false); }

CHESS_TEST(ticket_lock, 2)
{
	CHESS_THREADS(customer, customer);
	CHESS_ASSERT(guarded == 2);
}

/* As with the cache: 3 runs. */
CHESS_TEST(ticket_lock_without_preemption, 0, BOUNDED, CALLS)
{
	CHESS_THREADS(customer, customer);
	CHESS_ASSERT(guarded == 2);
}

/* Both may have the same ticket; the number of that ticket passes and the other one waits. */
CHESS_TEST(ticket_lock_without_add, 1, CHESS_EXPECT_LIVELOCK)
{
	CHESS_THREADS(customer_without_add, customer_without_add);
	CHESS_ASSERT(guarded == 2);
}

CHESS_TEST_MAIN
