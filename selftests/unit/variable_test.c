// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that addresses of this very process are named: variables by symbol with an
 * offset, the heap, stacks, mappings.
 */
#include <sys/mman.h>

#include "harness.h"
#include "chessctl/races.h"

int variable_set[4] = { 1 };
static long variable_unset[8];
static const char variable_constant[] = "constant";

static struct chess_variable found;

static void find(const volatile void *at)
{
	static char maps[1 << 16];
	FILE *f = fopen("/proc/self/maps", "r");

	ASSERT_TRUE(f);
	maps[fread(maps, 1, sizeof(maps) - 1, f)] = '\0';
	fclose(f);
	chess_variable_find(maps, (uint64_t)at, &found);
}

TEST(variables_have_names)
{
	char path[256] = "";

	ASSERT_LT(0, readlink("/proc/self/exe", path, sizeof(path) - 1));
	find(&variable_set[2]);
	EXPECT_EQ(CHESS_VARIABLE_SYMBOL, found.kind);
	EXPECT_STREQ("variable_set", found.name);
	EXPECT_EQ(8UL, (unsigned long)found.offset);
	EXPECT_STREQ(path, found.path);
	/* uninitialised data: no file is mapped there */
	find(&variable_unset[3]);
	EXPECT_STREQ("variable_unset", found.name);
	EXPECT_EQ(24UL, (unsigned long)found.offset);
	find(&variable_constant[1]);
	EXPECT_STREQ("variable_constant", found.name);
}

TEST(libraries_have_names_too)
{
	find(&stdout);
	/* copied into the program, or in the C library */
	EXPECT_EQ(CHESS_VARIABLE_SYMBOL, found.kind);
	EXPECT_STREQ("stdout", found.name);
	find((const void *)stdout);
	EXPECT_NE(NULL, (void *)strstr(found.name, "stdout"));
	EXPECT_NE(NULL, (void *)strstr(found.path, "libc"));
}

TEST(other_memory_is_told_by_kind)
{
	char *heap = sbrk(4096), *mapped, local = 0;

	ASSERT_NE((void *)-1, (void *)heap);
	find(heap);
	EXPECT_EQ(CHESS_VARIABLE_HEAP, found.kind);
	find(&local);
	EXPECT_EQ(CHESS_VARIABLE_STACK, found.kind);
	mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	find(mapped + 4096);
	EXPECT_EQ(CHESS_VARIABLE_MEMORY, found.kind);
	munmap(mapped, 8192);
	find(NULL);
	EXPECT_EQ(CHESS_VARIABLE_UNKNOWN, found.kind);
	chess_variable_find("", 1, &found);
	EXPECT_EQ(CHESS_VARIABLE_UNKNOWN, found.kind);
	chess_variable_find("10-20 rw-p 0 00:00 0\n20-30 rw-s 0 00:01 7 /dev/shm/a b", 0x21, &found);
	EXPECT_EQ(CHESS_VARIABLE_FILE, found.kind);
	EXPECT_STREQ("/dev/shm/a b", found.path);
}

TEST_HARNESS_MAIN
