// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sum is changed under a lock and read without one; a relaxed store orders nothing
 * that comes before it. The flag itself is atomic.
 *
 * race: - A.w B.r
 * race: told C.w D.r
 *
 * fast: - A.u B.r
 * fast: told C.w D.r
 * Optimized, the sum is one instruction.
 */
#include <atomic>
#include <mutex>
#include <thread>

class account {
	std::mutex lock;
	long sum = 0;
public:
	void add(long n)
	{
		std::lock_guard<std::mutex> held(lock);

		sum += n;	/* A */
	}
	long get() const { return sum; }	/* B */
};

static volatile int told;
static std::atomic<int> flag;

int main()
{
	auto *a = new account;
	volatile long seen;
	int was;
	std::thread t([&] {
		a->add(1);
		told = 1;	/* C */
		flag.store(1, std::memory_order_relaxed);
	});

	seen = a->get();
	was = told;	/* D */
	(void)seen;
	t.join();
	delete a;
	return was + flag.load() > 2;
}
