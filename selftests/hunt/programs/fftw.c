// SPDX-License-Identifier: GPL-2.0-only
/*
 * a transform by two threads gives the sum
 * link: -lfftw3_threads -lfftw3 -lm -lpthread
 */
#include <fftw3.h>

int main(void)
{
	fftw_complex *x = fftw_alloc_complex(4096);
	fftw_plan p;
	int i;

	fftw_init_threads();
	fftw_plan_with_nthreads(2);
	p = fftw_plan_dft_1d(4096, x, x, FFTW_FORWARD, FFTW_ESTIMATE);
	for (i = 0; i < 4096; i++)
		x[i][0] = 1, x[i][1] = 0;
	fftw_execute(p);
	fftw_destroy_plan(p);
	i = x[0][0] != 4096;
	fftw_cleanup_threads();
	return i;
}
