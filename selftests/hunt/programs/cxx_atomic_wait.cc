// SPDX-License-Identifier: GPL-2.0-only
// atomic wait() ends after notify_one()
// link: -std=c++20 -lpthread
#include <atomic>
#include <thread>

int main()
{
	std::atomic<int> a{0};
	std::atomic<long> b{0};
	std::thread t([&] { a.store(1); a.notify_one(); b.wait(0); });

	a.wait(0);
	b.store(1);
	b.notify_all();
	t.join();
}
