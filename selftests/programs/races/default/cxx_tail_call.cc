// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last thing that clear() does is to call memset(): optimized, it jumps there. The main
 * thread fills in what another one clears. Mended: it does so afterwards.
 *
 * expect: verdict=exit
 */
#include <cstring>
#include <thread>

static char text[16];

__attribute__((noinline)) static void *clear(std::size_t n)
{
	return std::memset(text, 0, n);
}

int main(int argc, char **)
{
	std::thread t(clear, 15 + argc);

#ifdef MENDED
	t.join();
#endif
	std::memset(text, 1, 8 + argc);
#ifndef MENDED
	t.join();
#endif
	return text[3] != 1;
}
