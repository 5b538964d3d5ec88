// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the flags after cmpxchg16b, when the processor says that it has the instruction. Exit 0
 * if they are flags, 1 if bits are set that no processor sets. QEMU 7.2 translates it so that
 * they are what a comparison before it left (vm.c). vm_test.sh builds it and runs it in the VM.
 */
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>

/* Bits 3, 5, 15 and those above 21 read as zero. */
#define NEVER_SET	0xffc08028

static uint64_t flags_behind(void)
{
	static _Alignas(16) uint64_t words[2] = { 1, 2 };
	uint64_t flags, low = 9, high = 9;

	/* What is compared is what comes out. Both must be in one block of the translation. */
	asm volatile("pushfq\n\tpopfq\n\t"
		     "mov $0x7fc7e6a0, %%ebx\n\t"
		     "mov $0x7fc7ffff, %%esi\n\t"
		     "jmp 1f\n"
		     "1:\tcmp %%rbx, %%rsi\n\t"
		     "cmpxchg16b %0\n\t"
		     "pushfq\n\tpop %1"
		     : "+m"(words), "=r"(flags), "+a"(low), "+d"(high)
		     : "c"(5ULL) : "rbx", "rsi", "cc", "memory");
	return flags;
}

int main(void)
{
	unsigned int a, b, c, d;
	uint64_t flags;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_CMPXCHG16B)) {
		puts("no cmpxchg16b");
		return 0;
	}
	flags = flags_behind();
	printf("%llx\n", (unsigned long long)flags);
	return (flags & NEVER_SET) != 0;
}
