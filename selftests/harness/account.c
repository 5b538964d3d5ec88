// SPDX-License-Identifier: GPL-2.0-only
/* Two accounts and their locks: the example of docs/harness.md. */
#include <chessctl/test.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int balance_a = 10, balance_b = 10;

static void transfer(pthread_mutex_t *first, pthread_mutex_t *second, int amount)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	balance_a -= amount;
	balance_b += amount;
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void to_b(void) { transfer(&a, &b, 3); }
static void to_a(void) { transfer(&a, &b, -2); }
static void to_a_reversed(void) { transfer(&b, &a, -2); }

CHESS_TEST(transfers_add_up, 2)
{
	CHESS_THREADS(to_b, to_a);
	CHESS_ASSERT(balance_a == 9 && balance_b == 11);
}

CHESS_TEST(reversed_locks, 1, CHESS_EXPECT_DEADLOCK, CHESS_OPTION("--points=sync"))
{
	CHESS_THREADS(to_b, to_a_reversed);
}

CHESS_TEST_MAIN
