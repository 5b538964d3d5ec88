// SPDX-License-Identifier: GPL-2.0-only
// async, a promise and call_once
// link: -std=c++20 -lpthread
#include <future>
#include <mutex>

int main()
{
	std::once_flag once;
	int n = 0;
	auto task = [&] { std::call_once(once, [&] { n++; }); return 1; };
	auto f = std::async(std::launch::async, task);

	task();
	return f.get() != 1 || n != 1;
}
