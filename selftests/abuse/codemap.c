// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes the text of libc writable, and moves a copy of a page over itself, while others are in
 * it. Hard: traps stand in that page.
 */
#include <dlfcn.h>

#include "abuse.h"

static char *code(void)
{
	return (char *)((unsigned long)dlsym(RTLD_DEFAULT, "pthread_mutex_lock") & ~4095UL);
}

int main(void)
{
	char *page = code(), *copy, *moved;
	pthread_t threads[2];
	int ret;

	ret = mprotect(page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
	pthread_create(&threads[0], NULL, count, NULL);
	pthread_create(&threads[1], NULL, count, NULL);
	ret |= mprotect(page, 4096, PROT_READ | PROT_EXEC);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	copy = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(copy, page, 4096);
	mprotect(copy, 4096, PROT_READ | PROT_EXEC);
	moved = mremap(copy, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, page);
	both(count, NULL, NULL);
	say("counted %d, protected %d, moved %d\n", counted, ret, moved == page);
	return 0;
}
