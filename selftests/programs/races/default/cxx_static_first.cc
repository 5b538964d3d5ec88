// SPDX-License-Identifier: GPL-2.0-only
/*
 * A static variable of a function is what its first caller makes it, who opens a file there.
 * The others wait inside the C++ library, until it is made. Mended: main is first.
 *
 * expect: verdict=exit
 */
#include <fcntl.h>
#include <thread>
#include <unistd.h>

struct sink {
	int owner, fd;

	explicit sink(int by) : owner(by), fd(open("/dev/null", O_WRONLY))
	{
		if (write(fd, "x", 1) != 1)
			owner = -1;
	}
	~sink()
	{
		close(fd);
	}
};

static int owner_of_sink(int caller)
{
	static sink only(caller);

	return only.owner;
}

int main()
{
#ifdef MENDED
	owner_of_sink(0);
#endif
	std::thread t([] { owner_of_sink(1); });
	int owner = owner_of_sink(0);

	t.join();
	return owner;
}
