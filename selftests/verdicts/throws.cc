// SPDX-License-Identifier: GPL-2.0-only
// An exception that no one catches, in a thread that is not the main one; and an addition that
// overflows, which UndefinedBehaviorSanitizer tells and lets go on.
#include <climits>
#include <cstring>
#include <stdexcept>
#include <thread>

int main(int argc, char **argv)
{
	if (argc > 1 && !std::strcmp(argv[1], "overflow")) {
		volatile int big = INT_MAX;

		big = big + argc;
		return 0;
	}
	std::thread worker([] { throw std::runtime_error("no such key"); });

	worker.join();
	return 0;
}
