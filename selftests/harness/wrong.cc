// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of <chessctl/test.h> in C++, each of which chessctl test must call wrong: an assert
 * that fails in some schedules, a signal that is lost, and an expectation that nothing meets.
 */
#include <condition_variable>
#include <mutex>

#include <chessctl/test.h>

static std::mutex lock;
static std::condition_variable changed;
static int balance;
static bool ready;

static void pay()
{
	int seen;

	{
		std::lock_guard<std::mutex> held(lock);
		seen = balance;
	}
	std::lock_guard<std::mutex> held(lock);
	balance = seen + 1;
}

static void announce()
{
	changed.notify_one();
	std::lock_guard<std::mutex> held(lock);
	ready = true;
}

static void await()
{
	std::unique_lock<std::mutex> held(lock);

	if (!ready)
		changed.wait(held);
}

static void nothing()
{
	std::lock_guard<std::mutex> held(lock);
}

CHESS_TEST(lost_update, 1)
{
	CHESS_THREADS(pay, pay);
	CHESS_ASSERT(balance == 2);
}

CHESS_TEST(lost_signal, 1)
{
	CHESS_THREADS(announce, await);
}

CHESS_TEST(no_deadlock_at_all, 0, CHESS_EXPECT_DEADLOCK)
{
	CHESS_THREADS(nothing, nothing);
}

CHESS_TEST_MAIN
