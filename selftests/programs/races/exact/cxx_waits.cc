// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: what C++20 has to wait with. Latch, semaphore, barrier and atomic wait are
 * atomics and futexes by hand; the condition variable that takes any lock and the
 * shared mutex are the C library's.
 */
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

static int by_latch, by_semaphore, by_barrier, by_condition, by_wait;
static bool ready;

int main()
{
	std::latch latch(1);
	std::binary_semaphore semaphore(0);
	std::barrier<> barrier(2);
	std::shared_mutex shared;
	std::mutex lock;
	std::condition_variable_any changed;
	std::atomic<int> flag{0};
	int bad;

	std::thread t([&] {
		by_latch = 1;
		latch.count_down();
		semaphore.acquire();
		by_semaphore++;
		barrier.arrive_and_wait();
		by_barrier = 4;
		barrier.arrive_and_wait();
		{
			std::unique_lock<std::mutex> held(lock);

			changed.wait(held, [&] { return ready; });
		}
		{
			std::unique_lock<std::shared_mutex> held(shared);

			by_condition++;
		}
		by_wait = 6;
		flag.store(1, std::memory_order_release);
		flag.notify_one();
	});
	latch.wait();
	by_latch++;
	by_semaphore = 2;
	semaphore.release();
	barrier.arrive_and_wait();
	barrier.arrive_and_wait();
	by_barrier++;
	{
		std::unique_lock<std::shared_mutex> held(shared);

		by_condition = 1;
	}
	{
		std::unique_lock<std::mutex> held(lock);

		ready = true;
	}
	changed.notify_one();
	flag.wait(0, std::memory_order_acquire);
	bad = by_latch != 2 || by_semaphore != 3 || by_barrier != 5 || by_wait != 6;
	t.join();
	return bad || by_condition != 2;
}
