// SPDX-License-Identifier: GPL-2.0-only
// each release() ends one acquire()
// link: -std=c++20 -lpthread
#include <semaphore>
#include <thread>

int main()
{
	std::counting_semaphore<2> s{0};
	std::thread t([&] { s.acquire(); }), u([&] { s.acquire(); });

	s.release();
	s.release();
	t.join();
	u.join();
}
