// SPDX-License-Identifier: GPL-2.0-only
// a wait that can be stopped ends, its callback ran or was removed
// link: -std=c++20 -lpthread
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
	std::mutex m;
	std::condition_variable_any c;
	std::jthread t([&](std::stop_token s) {
		std::unique_lock l(m);
		c.wait(l, s, [] { return false; });
	});
	std::stop_callback back(t.get_stop_token(), [] {});
}
