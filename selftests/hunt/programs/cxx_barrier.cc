// SPDX-License-Identifier: GPL-2.0-only
// two phases of a barrier and a latch
// link: -std=c++20 -lpthread
#include <barrier>
#include <latch>
#include <thread>

int main()
{
	int phases = 0;
	auto count = [&]() noexcept { phases++; };
	std::barrier b(2, count);
	std::latch l(2);
	auto task = [&] { l.arrive_and_wait(); b.arrive_and_wait(); b.arrive_and_wait(); };
	std::thread t(task);

	task();
	t.join();
	return phases != 2;
}
