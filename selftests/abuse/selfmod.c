// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes an instruction of its own between calls. Hard: text that is not what the file has.
 */
#include "abuse.h"

static int __attribute__((noinline, noclone, aligned(4096))) value(void)
{
	int ret;

	asm volatile(".byte 0xb8, 1, 0, 0, 0" : "=a"(ret));
	return ret;
}

int main(void)
{
	unsigned char *code = (unsigned char *)value;
	int i, k, sum = 0;

	mprotect(code, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	for (i = 0; i < 10; i++) {
		for (k = 0; k < 16 && code[k] != 0xb8; k++)
			;
		code[k + 1] = (unsigned char)i;
		sum += value() & 255;
		sched_yield();
	}
	say("sum %d\n", sum);
	return 0;
}
