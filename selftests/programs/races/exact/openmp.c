// SPDX-License-Identifier: GPL-2.0-only
/*
 * Race-free: a parallel region of OpenMP with a loop whose sums are added up, a critical
 * section, a barrier and what one thread does. The run-time library waits with atomics and
 * futexes of its own; a lock is let go by a plain move there.
 */
#define N 16

static int square[N];
static long sum, count;

int main(void)
{
	long total = 0;

#pragma omp parallel num_threads(3)
	{
#pragma omp for
		for (int i = 0; i < N; i++)
			square[i] = i * i;
#pragma omp for reduction(+ : total)
		for (int i = 0; i < N; i++)
			total += square[N - 1 - i];
#pragma omp critical
		count++;
#pragma omp barrier
#pragma omp single
		sum = total * count;
	}
	return sum != 1240 * count;
}
