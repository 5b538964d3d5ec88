// SPDX-License-Identifier: GPL-2.0-only
/* A binary with GoogleTest: a case that is right, one that is wrong, one that is disabled. */
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

static std::mutex first, second;

static void lock_both(std::mutex &one, std::mutex &other)
{
	std::lock_guard<std::mutex> a(one);
	std::lock_guard<std::mutex> b(other);
}

TEST(Locks, InOneOrder)
{
	std::thread t([] { lock_both(first, second); });

	lock_both(first, second);
	t.join();
}

TEST(Locks, InTwoOrders)
{
	std::thread t([] { lock_both(second, first); });

	lock_both(first, second);
	t.join();
}

TEST(Locks, DISABLED_Never)
{
	FAIL();
}

class Sums : public testing::TestWithParam<int> {
};

TEST_P(Sums, AreNoRace)
{
	int sum = GetParam();

	std::thread t([&] {
		std::lock_guard<std::mutex> held(first);
		sum++;
	});
	{
		std::lock_guard<std::mutex> held(first);
		sum++;
	}
	t.join();
	EXPECT_EQ(GetParam() + 2, sum);
}

INSTANTIATE_TEST_SUITE_P(From, Sums, testing::Values(1, 5));

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	return RUN_ALL_TESTS();
}
