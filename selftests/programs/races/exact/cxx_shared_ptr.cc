// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: whoever lets go of a shared object last destroys it, behind all who used it.
 * The count of libstdc++ is an int that atomic instructions change, and plain moves read.
 */
#include <memory>
#include <thread>

struct object {
	int value = 3;
	~object() { value = 0; }
};

int main()
{
	auto p = std::make_shared<object>();
	int a = 0, b = 0;
	std::thread t([p, &a]() mutable { a = p->value; p.reset(); });
	std::thread u([p, &b]() mutable { b = p->value; p.reset(); });

	p.reset();
	t.join();
	u.join();
	return a + b != 6;
}
