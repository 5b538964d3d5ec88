// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads write to one stream of C++, which takes no lock: what they write is torn. That
 * std::cerr may be shared is no race. Mended: with a lock.
 *
 * expect: verdict=exit
 */
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>

static std::ostringstream report;
static std::mutex lock;

static void say(int number)
{
	std::cerr << number << '\n';
#ifdef MENDED
	std::lock_guard<std::mutex> guard(lock);
#endif
	report << '<' << number << '>';
}

int main()
{
	std::thread t(say, 1);

	say(2);
	t.join();

	std::string text = report.str();

	return text != "<1><2>" && text != "<2><1>";
}
