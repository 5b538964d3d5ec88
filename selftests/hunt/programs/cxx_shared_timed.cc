// SPDX-License-Identifier: GPL-2.0-only
// a timed lock of a shared mutex gets it or gives up
// link: -std=c++20 -lpthread
#include <chrono>
#include <shared_mutex>
#include <thread>

int main()
{
	std::shared_timed_mutex m;
	int n = 0, got = 0;
	std::thread t([&] {
		if (m.try_lock_for(std::chrono::milliseconds(5))) {
			n++;
			got++;
			m.unlock();
		}
	});

	{
		std::shared_lock l(m);
		(void)n;
	}
	t.join();
	return n != got;
}
