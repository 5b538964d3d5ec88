// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: std::atomic on the stack, on the heap and in it std::atomic_flag, handed over
 * by release stores and acquire loads, which are plain moves. None has a type at its
 * address; the functions of <atomic> that are inlined tell.
 */
#include <atomic>
#include <thread>

struct node {
	std::atomic<node *> next{nullptr};
	std::atomic_flag seen = ATOMIC_FLAG_INIT;
	int payload = 0;
};

static int set;

int main()
{
	std::atomic<bool> done{false};
	auto *head = new node, *tail = new node;
	int sum;

	std::thread t([&] {
		tail->payload = 9;
		head->next.store(tail, std::memory_order_release);
		while (!head->seen.test(std::memory_order_acquire))
			std::this_thread::yield();
		set = head->payload;
		done.store(true, std::memory_order_release);
	});
	while (!head->next.load(std::memory_order_acquire))
		std::this_thread::yield();
	sum = head->next.load(std::memory_order_acquire)->payload;
	head->payload = 4;
	head->seen.test_and_set(std::memory_order_release);
	while (!done.load(std::memory_order_acquire))
		std::this_thread::yield();
	sum += set;
	t.join();
	delete head;
	delete tail;
	return sum != 13;
}
