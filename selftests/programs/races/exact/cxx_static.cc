// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: whoever is first constructs the static variable, the others wait. They look at
 * its guard with a plain move; libstdc++ sets it.
 */
#include <thread>
#include <vector>

struct table {
	int base = 7;
	std::vector<int> squares;
	table()
	{
		for (int i = 0; i < 4; i++)
			squares.push_back(i * i);
	}
};

static const table &get()
{
	static const table t;

	return t;
}

int main()
{
	int a = 0, b = 0;
	std::thread t([&] { a = get().base + get().squares[2]; });
	std::thread u([&] { b = get().base + get().squares[3]; });

	t.join();
	u.join();
	return a + b != 27;
}
