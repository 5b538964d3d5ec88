// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that addresses are named only after files with code: data that was mapped when the
 * maps were saved may be gone.
 */
#include "../../cli/report/code_maps.c"
#include "harness.h"

#define PROGRAM \
	"400000-401000 r--p 00000000 00:00 7 /bin/a b\n" \
	"401000-402000 r-xp 00001000 00:00 7 /bin/a b\n" \
	"402000-403000 rw-p 00002000 00:00 7 /bin/a b\n"
#define CACHE	"7ffff7fb9000-7ffff7fc4000 r--p 00000000 00:00 819211 /etc/ld.so.cache\n"
#define HEAP	"7f0000000000-7f0000001000 rw-p 00000000 00:00 0\n"
#define VDSO	"7f0000002000-7f0000003000 r--p 00000000 00:00 0          [vvar]\n"

void *cli_alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		abort();
	return p;
}

TEST(files_without_code_are_left_out)
{
	static const char *const rows[][2] = {
		{ PROGRAM, PROGRAM }, { "", "" }, { "", CACHE },
		{ PROGRAM HEAP VDSO, PROGRAM CACHE HEAP VDSO },
		{ PROGRAM, CACHE PROGRAM }, { HEAP, HEAP },
		/* the end of another path, and a last line without its newline */
		{ PROGRAM, PROGRAM "500000-501000 rw-p 00000000 00:00 8 /x/bin/a b\n" },
		{ "1000-2000 r-xp 0 0:0 1 /a", "1000-2000 r-xp 0 0:0 1 /a" },
		{ "no line of maps\n", "no line of maps\n" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *left = code_maps(rows[i][1]);

		EXPECT_STREQ(rows[i][0], left);
		free(left);
	}
}

TEST_HARNESS_MAIN
