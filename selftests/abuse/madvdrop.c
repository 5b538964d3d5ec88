// SPDX-License-Identifier: GPL-2.0-only
/*
 * Throws away the pages of libc's text while others execute them. Hard: traps stood in what is
 * thrown away.
 */
#include <dlfcn.h>

#include "abuse.h"

static char *code(void)
{
	return (char *)((unsigned long)dlsym(RTLD_DEFAULT, "pthread_mutex_lock") & ~4095UL);
}

int main(void)
{
	pthread_t threads[2];
	int i;

	for (i = 0; i < 3; i++) {
		pthread_create(&threads[0], NULL, count, NULL);
		pthread_create(&threads[1], NULL, count, NULL);
		madvise(code(), 4096, MADV_DONTNEED);
		madvise(code(), 4096, MADV_PAGEOUT);
		pthread_join(threads[0], NULL);
		pthread_join(threads[1], NULL);
	}
	say("counted %d\n", counted);
	return 0;
}
