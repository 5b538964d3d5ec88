// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: data that a promise hands over, and what std::async() returns.
 */
#include <future>

int main()
{
	std::promise<int> promise;
	auto future = promise.get_future();
	auto *data = new int(0);
	std::thread t([&] { *data = 5; promise.set_value(1); });
	int got = future.get() + *data;
	auto more = std::async(std::launch::async, [&] { return ++*data; });

	got += more.get() + *data;
	t.join();
	delete data;
	return got != 18;
}
