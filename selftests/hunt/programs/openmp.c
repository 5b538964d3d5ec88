// SPDX-License-Identifier: GPL-2.0-only
/*
 * a reduction, a critical section and a task by two threads
 * link: -fopenmp
 */
#include <omp.h>

int main(void)
{
	int sum = 0, n = 0, i, done = 0;

	omp_set_num_threads(2);
#pragma omp parallel for reduction(+:sum) schedule(dynamic)
	for (i = 0; i < 4; i++) {
		sum += i;
#pragma omp critical
		n++;
	}
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(done)
		done = 1;
#pragma omp taskwait
	}
	return sum != 6 || n != 4 || !done;
}
