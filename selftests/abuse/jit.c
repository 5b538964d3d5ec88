// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes functions and calls them, in two threads. Hard: text without a file.
 */
#include "abuse.h"

static void *generate(void *result)
{
	unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int i, sum = 0;

	for (i = 0; i < 200; i++) {
		code[0] = 0xb8;				/* mov $i,%eax; ret */
		memcpy(code + 1, &i, sizeof(i));
		code[5] = 0xc3;
		__builtin___clear_cache((char *)code, (char *)code + 8);
		sum += ((int (*)(void))code)();
		if (i % 50 == 0)
			sched_yield();
	}
	*(int *)result = sum;
	return NULL;
}

int main(void)
{
	int a, b;

	both(generate, &a, &b);
	say("sums %d %d\n", a, b);
	return 0;
}
