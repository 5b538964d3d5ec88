// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which instructions of a file are found: exactly those that stand after a label
 * in access_code.S, in this very program, and the same ones when it is stripped.
 */
#include <link.h>

#include "harness.h"
#include "code/access.h"
#include "internal.h"

extern const uint64_t access_expected[], access_expected_end[];
extern char access_plain[], access_framed[], access_table[], access_shifted[],
	access_unwindless[], access_call_memcpy[], access_call_strlen[], access_call_dprintf[],
	access_call_own[];

static const char *const tested[] = {
	"access_plain", "access_framed", "access_taken", "access_taken_rsp", "access_unframed",
	"access_skips_lock", "access_calls", "access_table", "access_shifted", NULL,
};

/* Where this program was loaded. */
static uint64_t bias(void)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	const ElfW(Ehdr) *eh = (const void *)__ehdr_start;

	return eh->e_type == ET_DYN ? (uint64_t)eh : 0;
}

static const struct chess_site *site_of(const struct chess_sites *s, uint64_t address)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->v[i].address == address)
			return &s->v[i];
	return NULL;
}

TEST(what_others_may_see_is_found_and_nothing_else)
{
	const uint64_t *e;
	struct chess_sites s;

	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", tested, &s));
	for (e = access_expected; e < access_expected_end; e++) {
		if (!site_of(&s, *e - bias())) {
			TH_LOG("label %ld is not found", (long)(e - access_expected));
			HARNESS_FAILED(0);
		}
	}
	EXPECT_EQ((size_t)(access_expected_end - access_expected), s.n);
	chess_sites_free(&s);
}

/*
 * On the stack: two mov, push, two pop and ret of access_plain, where push (%rdi) counts as
 * found; push, leave and ret of access_framed; push, mov, leave and ret of access_taken; mov
 * and ret of access_taken_rsp; push, pop and ret of access_unframed; ret of access_skips_lock;
 * three calls and ret of access_calls: 6 + 3 + 4 + 2 + 3 + 1 + 4. By rbp two of access_framed and
 * one of access_taken.
 */
TEST(what_is_left_out_is_counted_by_cause)
{
	struct chess_sites s;

	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", tested, &s));
	EXPECT_EQ(23UL, (unsigned long)s.left[CHESS_LEFT_STACK]);
	EXPECT_EQ(3UL, (unsigned long)s.left[CHESS_LEFT_FRAME]);
	EXPECT_EQ(3UL, (unsigned long)s.left[CHESS_LEFT_CONSTANT]);
	EXPECT_EQ(7UL, (unsigned long)s.left[CHESS_LEFT_HINT]);
	EXPECT_EQ(0UL, (unsigned long)s.left[CHESS_LEFT_OPAQUE]);
	EXPECT_EQ(1UL, (unsigned long)s.left[CHESS_LEFT_NO_SLOT]);	/* fnstenv */
	EXPECT_EQ(7UL, (unsigned long)s.functions);
	EXPECT_EQ(2UL, (unsigned long)s.strange);
	EXPECT_EQ(8UL + 13UL, (unsigned long)s.strange_bytes);
	chess_sites_free(&s);
}

/*
 * memcpy(rdi, rsi, rdx) writes and reads rdx bytes; of strlen(rdi) the first is certain; the string
 * of dprintf(edi, "%d %s", edx, rcx) is known from its format; a function of the program's own reads
 * the same one, perhaps.
 */
TEST(calls_access_for_their_caller)
{
	enum { RDX = 2 };
	const struct chess_site *copy, *length, *print, *own;
	struct chess_sites s;

	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", tested, &s));
	copy = site_of(&s, (uint64_t)access_call_memcpy - bias());
	length = site_of(&s, (uint64_t)access_call_strlen - bias());
	print = site_of(&s, (uint64_t)access_call_dprintf - bias());
	own = site_of(&s, (uint64_t)access_call_own - bias());
	ASSERT_TRUE(copy && length && print && own);
	ASSERT_EQ(2U, copy->n);
	EXPECT_EQ(CHESS_FORM_COUNTED, copy->operand[0].form);
	EXPECT_EQ(CHESS_OPERAND_WRITE, copy->operand[0].flags);
	EXPECT_EQ(CHESS_REG_RDI, copy->operand[0].base);
	EXPECT_EQ(RDX, copy->operand[0].mask);
	EXPECT_EQ(CHESS_FORM_COUNTED, copy->operand[1].form);
	EXPECT_EQ(CHESS_OPERAND_READ, copy->operand[1].flags);
	EXPECT_EQ(CHESS_REG_RSI, copy->operand[1].base);
	EXPECT_EQ(RDX, copy->operand[1].mask);
	EXPECT_EQ(CHESS_COPY_TO_START, copy->operand[0].copy);
	EXPECT_EQ(CHESS_COPY_TO_START, copy->operand[1].copy);
	ASSERT_EQ(1U, length->n);
	EXPECT_EQ(0, length->operand[0].copy);
	EXPECT_EQ(CHESS_FORM_PLAIN, length->operand[0].form);
	EXPECT_EQ(CHESS_OPERAND_READ | CHESS_OPERAND_PERHAPS, length->operand[0].flags);
	EXPECT_EQ(32U, length->operand[0].elements);
	EXPECT_EQ(CHESS_REG_RDI, length->operand[0].base);
	EXPECT_EQ(1U, length->operand[0].size);
	ASSERT_EQ(1U, print->n);
	EXPECT_EQ(CHESS_FORM_PLAIN, print->operand[0].form);
	EXPECT_EQ(CHESS_OPERAND_READ | CHESS_OPERAND_PERHAPS, print->operand[0].flags);
	EXPECT_EQ(CHESS_REG_RCX, print->operand[0].base);
	ASSERT_EQ(1U, own->n);
	EXPECT_EQ(CHESS_ACCESS_MAY_READ | CHESS_OPERAND_PERHAPS, own->operand[0].flags);
	EXPECT_EQ(CHESS_REG_RCX, own->operand[0].base);
	chess_sites_free(&s);
}

TEST(a_site_is_found_by_its_offset)
{
	const char *const one[] = { "access_unwindless", "access_alias", NULL };
	const struct chess_site *site;
	struct chess_sites s;
	char code[2];
	FILE *f;

	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", one, &s));
	ASSERT_EQ(2UL, (unsigned long)s.n);
	site = chess_sites_at(&s, s.v[1].offset);
	EXPECT_TRUE(site == &s.v[1]);
	EXPECT_EQ((uint64_t)access_unwindless + 2, site->address + bias());
	EXPECT_EQ(NULL, (void *)chess_sites_at(&s, s.v[1].offset + 1));
	EXPECT_EQ(NULL, (void *)chess_sites_at(&s, s.v[0].offset - 1));
	f = fopen("/proc/self/exe", "r");
	ASSERT_TRUE(f);
	ASSERT_EQ(0, fseek(f, site->offset, SEEK_SET));
	ASSERT_EQ(2UL, (unsigned long)fread(code, 1, 2, f));
	EXPECT_EQ(0, memcmp(code, "\x89\x06", 2));
	fclose(f);
	chess_sites_free(&s);
}

/* By the unwind table; what has no entry in it is no function known. */
TEST(stripped_files_have_the_same_sites)
{
	static const char copy[] = "/tmp/chess_access_test";
	struct chess_sites all, stripped;
	char command[128];
	size_t i;

	snprintf(command, sizeof(command), "strip -o %s.%d /proc/%d/exe 2>/dev/null", copy, getpid(),
		 getpid());
	if (system(command))
		SKIP_TEST("no strip");
	snprintf(command, sizeof(command), "%s.%d", copy, getpid());
	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", NULL, &all));
	ASSERT_EQ(0, chess_access_scan(command, NULL, &stripped));
	unlink(command);
	EXPECT_EQ(all.n, stripped.n + 2);
	EXPECT_LE(5UL, (unsigned long)(stripped.unknown_bytes - all.unknown_bytes));
	EXPECT_EQ(NULL, (void *)site_of(&stripped, (uint64_t)access_unwindless - bias()));
	for (i = 0; i < stripped.n; i++)
		ASSERT_TRUE(site_of(&all, stripped.v[i].address) != NULL);
	chess_sites_free(&all);
	chess_sites_free(&stripped);
}

/* Functions with an atomic instruction, whole: access_unwindless has moves only. */
TEST(functions_that_synchronize_are_told)
{
	struct chess_sites s;

	ASSERT_EQ(0, chess_access_scan_sync("/proc/self/exe", &s));
	EXPECT_TRUE(site_of(&s, (uint64_t)access_plain - bias()) != NULL);
	EXPECT_EQ(NULL, (void *)site_of(&s, (uint64_t)access_unwindless - bias()));
	chess_sites_free(&s);
}

TEST(errors_say_what_is_missing)
{
	const char *const none[] = { "no_such_function", NULL };
	struct chess_sites s;

	EXPECT_EQ(-ENOENT, chess_access_scan("/proc/self/exe", none, &s));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "no_such_function"));
	chess_sites_free(&s);
	EXPECT_EQ(-ENOENT, chess_access_scan("/nonexistent", NULL, &s));
	EXPECT_EQ(-ENOEXEC, chess_access_scan("/etc/passwd", NULL, &s));
	chess_sites_free(&s);
}

TEST_HARNESS_MAIN
