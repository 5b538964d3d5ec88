// SPDX-License-Identifier: GPL-2.0-only
// a parallel sum of four numbers by two workers
// link: -ltbb
#include <tbb/global_control.h>
#include <tbb/parallel_reduce.h>
#include <tbb/blocked_range.h>

int main()
{
	tbb::task_scheduler_handle end{tbb::attach{}};
	int sum;
	{
		tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);

		sum = tbb::parallel_reduce(tbb::blocked_range<int>(0, 4, 1), 0,
			[](const tbb::blocked_range<int> &r, int n) {
				for (int i = r.begin(); i != r.end(); i++)
					n += i;
				return n;
			}, [](int a, int b) { return a + b; });
	}
	tbb::finalize(end, std::nothrow);
	return sum != 6;
}
