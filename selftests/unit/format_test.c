// SPDX-License-Identifier: GPL-2.0-only
/* What calls of printf(3) and scanf(3) access by the arguments after their format. */
#include <string.h>
#include <linux/chess_access.h>
#include <linux/chess_operand.h>

#include "harness.h"
#include "internal.h"
#include "code/format.h"

#define ROOM	4
#define READ	(CHESS_OPERAND_READ | CHESS_OPERAND_PERHAPS)
#define SCANNED	CHESS_ACCESS_MAY_WRITE

struct expected {
	const char *format;
	unsigned int first;
	struct chess_memcall_use use[ROOM];
};

static void check(const struct expected *e, bool scans)
{
	struct chess_memcall_use got[ROOM] = { 0 };
	unsigned int n, i;

	n = chess_format_read(e->format, strlen(e->format) + 1, e->first, scans, got, ROOM);
	for (i = 0; i < ROOM && e->use[i].kind; i++)
		;
	EXPECT_EQ(i, n);
	EXPECT_EQ(0, memcmp(got, e->use, sizeof(got)));
	if (i != n || memcmp(got, e->use, sizeof(got)))
		printf("# '%s': %u, the first one of argument %u\n", e->format, n, got[0].of);
}

TEST(strings_are_printed)
{
	static const struct expected rows[] = {
		{ "%s", 2, { { READ, 2, 0, 1 } } },
		{ "%d %s %s", 3, { { READ, 4, 0, 1 }, { READ, 5, 0, 1 } } },
		{ "100%% of %-8s", 2, { { READ, 2, 0, 1 } } },
		{ "%*s %#llx %s", 2, { { READ, 3, 0, 1 }, { READ, 5, 0, 1 } } },
		{ "%.*s", 2, { { READ | CHESS_OPERAND_UPTO, 3, 2, 1 } } },
		{ "%*.*s", 2, { { READ | CHESS_OPERAND_UPTO, 4, 3, 1 } } },
		{ "%.3s", 2, { { READ, 2, 0, 1 } } },
		{ "%ls%S", 2, { { READ, 2, 0, 4 }, { READ, 3, 0, 4 } } },
		/* Numbers with a point are in registers of their own; %m has no argument. */
		{ "%f %5.2Lf %m %s", 2, { { READ, 2, 0, 1 } } },
		{ "%p%n%hhn", 2, { { CHESS_OPERAND_WRITE, 3, 0, 4 },
				   { CHESS_OPERAND_WRITE, 4, 0, 1 } } },
		/* The seventh argument is on the stack. */
		{ "%d %d %d %s %s", 2, { { READ, 5, 0, 1 }, { READ, 6, 0, 1 } } },
		{ "%d %d %d %d %d %s", 2, { { 0 } } },
		{ "%2$s %1$s", 2, { { 0 } } },
		{ "%s %y %s", 2, { { READ, 2, 0, 1 } } },
		{ "nothing", 2, { { 0 } } },
		{ "%s %", 2, { { READ, 2, 0, 1 } } },
		{ "", 2, { { 0 } } },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i], false);
}

TEST(what_is_scanned_is_perhaps_written)
{
	static const struct expected rows[] = {
		{ "%d", 3, { { SCANNED, 3, 0, 4 } } },
		{ "%hd %hhu %ld %zu", 3, { { SCANNED, 3, 0, 2 }, { SCANNED, 4, 0, 1 },
					   { SCANNED, 5, 0, 8 }, { SCANNED, 6, 0, 8 } } },
		{ "%f %lf %Lf", 3, { { SCANNED, 3, 0, 4 }, { SCANNED, 4, 0, 8 },
				     { SCANNED, 5, 0, 16 } } },
		{ "%*d %15s", 3, { { SCANNED | CHESS_OPERAND_PERHAPS, 3, 0, 1 } } },
		{ "%[^]]%c", 3, { { SCANNED | CHESS_OPERAND_PERHAPS, 3, 0, 1 },
				  { SCANNED, 4, 0, 1 } } },
		{ "%[]d]=%d", 3, { { SCANNED | CHESS_OPERAND_PERHAPS, 3, 0, 1 },
				   { SCANNED, 4, 0, 4 } } },
		{ "%[abc", 3, { { 0 } } },
		{ "%ms %p", 3, { { SCANNED, 3, 0, 8 }, { SCANNED, 4, 0, 8 } } },
		{ "%d %% %n", 3, { { SCANNED, 3, 0, 4 }, { SCANNED, 4, 0, 4 } } },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i], true);
}

TEST(a_format_without_an_end_says_nothing)
{
	struct chess_memcall_use got[ROOM];

	EXPECT_EQ(0U, chess_format_read("%s", 2, 2, false, got, ROOM));
	EXPECT_EQ(1U, chess_format_read("%s", 3, 2, false, got, ROOM));
	EXPECT_EQ(1U, chess_format_read("%s%s", 5, 2, false, got, 1));
}

TEST_HARNESS_MAIN
