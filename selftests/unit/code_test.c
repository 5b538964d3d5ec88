// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that instructions no schedule decides are found with their function,
 * that nothing else is taken for one, and what is not an ELF file of ours is refused.
 * The file that is read is the test itself.
 */
#include <errno.h>
#include <string.h>

#include "chessctl/chessctl.h"
#include "../harness.h"

/* These get traps. */
__attribute__((noinline, used)) void reads_counter(void)
{
	asm volatile("rdtsc" ::: "eax", "edx");
	asm volatile("rdtscp" ::: "eax", "ecx", "edx");
}

/* Of no function, so that nobody knows where an instruction begins. */
asm(".pushsection .text; rdtsc; rdtscp; ret; .popsection");

__attribute__((noinline, used)) static void reads_noise(void)
{
	asm volatile("rdrand %%rax; rdseed %%ecx" ::: "rax", "rcx", "cc");
}

__attribute__((noinline, used)) static void asks_processor(void)
{
	asm volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
}

/* The bytes of rdtsc and cpuid inside a constant, a displacement and a jump. */
__attribute__((noinline, used)) static void looks_like_it(void)
{
	asm volatile("movl $0xa20f310f, %%eax; movabs $0x310f310f310f310f, %%rcx" ::: "eax",
		     "rcx");
}

static unsigned int count(const struct chess_code_site *v, int n, const char *function,
			  const char *instruction)
{
	unsigned int found = 0;
	int i;

	for (i = 0; i < n; i++)
		found += !strcmp(v[i].function ? v[i].function : "", function) &&
			 !strcmp(v[i].instruction, instruction);
	return found;
}

TEST(each_instruction_is_found_in_its_function)
{
	struct chess_code_site *v;
	int n = chess_code_scan("/proc/self/exe", &v), i;

	ASSERT_EQ(5, n);
	EXPECT_EQ(0U, count(v, n, "reads_counter", "rdtsc"));
	EXPECT_EQ(0U, count(v, n, "reads_counter", "rdtscp"));
	EXPECT_EQ(1U, count(v, n, "", "rdtsc"));
	EXPECT_EQ(1U, count(v, n, "", "rdtscp"));
	EXPECT_EQ(1U, count(v, n, "reads_noise", "rdrand"));
	EXPECT_EQ(1U, count(v, n, "reads_noise", "rdseed"));
	EXPECT_EQ(1U, count(v, n, "asks_processor", "cpuid"));
	for (i = 0; i < n; i++) {
		EXPECT_TRUE(!v[i].function || strcmp(v[i].function, "looks_like_it"));
		if (v[i].function && !strcmp(v[i].instruction, "rdseed"))
			EXPECT_LT((uint64_t)0, v[i].offset);
	}
	chess_code_sites_free(v, n);
}

TEST(what_is_no_program_is_refused)
{
	struct chess_code_site *v;

	EXPECT_EQ(-ENOENT, chess_code_scan("/nowhere/at-all", &v));
	EXPECT_EQ(NULL, (void *)v);
	EXPECT_EQ(-ENOEXEC, chess_code_scan("/proc/self/cmdline", &v));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "not an ELF file"));
}

TEST_HARNESS_MAIN
