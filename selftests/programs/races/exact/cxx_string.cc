// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: a string, a list and a map that a lock protects, and a string that both read.
 * Much of what they do is done by functions of the C++ library.
 */
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;
static std::string text, fixed = "a text that is too long to be kept in the string itself";
static std::list<int> numbers;
static std::map<int, std::string> names;

static size_t work(int me)
{
	std::lock_guard<std::mutex> guard(lock);

	text += "ab";
	text.append(fixed);
	numbers.push_back(me);
	names[me] = text;
	if (me)
		names.erase(names.begin());
	numbers.remove(me);
	return text.size();
}

int main()
{
	size_t sum = 0, other = 0;

	std::thread t([&] { other = work(1) + fixed[3] + fixed.find("itself"); });
	sum = work(0) + fixed[4];
	t.join();
	return sum + other == 0;
}
