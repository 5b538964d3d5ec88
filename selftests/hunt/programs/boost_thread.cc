// SPDX-License-Identifier: GPL-2.0-only
// an interrupted wait ends, a future gives its value
// link: -lboost_thread -lboost_system
#define BOOST_THREAD_PROVIDES_FUTURE
#include <boost/thread.hpp>
#include <boost/thread/future.hpp>

int main()
{
	boost::mutex m;
	boost::condition_variable c;
	bool interrupted = false;
	boost::thread t([&] {
		boost::unique_lock<boost::mutex> l(m);
		try {
			for (;;)
				c.wait(l);
		} catch (boost::thread_interrupted &) {
			interrupted = true;
		}
	});

	t.interrupt();
	t.join();
	return !interrupted;
}
