// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads put a name each into a map: both may find the same place for it. With
 * optimization it is the C++ library that links it in there. Mended: with a lock.
 *
 * expect: verdict=exit
 */
#include <map>
#include <mutex>
#include <thread>

static std::map<int, int> places;
static std::mutex lock;

static void put(int name)
{
#ifdef MENDED
	std::lock_guard<std::mutex> guard(lock);
#endif
	places.emplace(name, name);
}

int main()
{
	std::thread t(put, 1);

	put(2);
	t.join();
	return places.count(1) + places.count(2) != 2;
}
