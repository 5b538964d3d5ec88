// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exceptions through frames that were entered by calls through memory: each has its return
 * address on the stack, which the unwinder looks up.
 */
#include <cstdio>
#include <stdexcept>

struct shape {
	virtual int size(int depth) = 0;
	virtual ~shape() {}
	static int alive;
};

int shape::alive;

struct guard {
	guard() { shape::alive++; }
	~guard() { shape::alive--; }
};

struct box : shape {
	shape *inner = this;

	int size(int depth) override
	{
		guard g;

		if (!depth)
			throw std::runtime_error("bottom");
		return inner->size(depth - 1) + 1;
	}
};

int main()
{
	int caught = 0;

	for (int i = 0; i < 20; i++) {
		box b;

		try {
			b.inner->size(i);
		} catch (const std::runtime_error &e) {
			caught += e.what()[0] == 'b';
		}
	}
	std::printf("%d caught, %d alive\n", caught, shape::alive);
}
