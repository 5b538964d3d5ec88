// SPDX-License-Identifier: GPL-2.0-only
/*
 * Threads of OpenMP add to one sum: the critical section is forgotten.
 *
 * race: sum A.r A.w
 * race: sum A.w A.w
 */
static long sum;

int main(void)
{
#pragma omp parallel num_threads(2)
	sum += 1;	/* A */
	return sum > 2;
}
