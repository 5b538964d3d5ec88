// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves in which loops tasks wait, and where these are left to: exactly what await_code.S says, in
 * this very program.
 */
#include <link.h>

#include "harness.h"
#include "code/access.h"
#include "internal.h"

extern const uint64_t await_expected[][4], await_expected_end[][4];
extern const uint64_t await_ends[], await_ends_end[];

static const char *const tested[] = {
	"await_flag", "await_rotated", "await_exchange", "await_exchange_entered",
	"await_exchange_back", "await_compare", "await_update", "await_exchange_byte", "await_add",
	"await_or", "await_counted", "await_counted_slot", "await_limited", "await_slots",
	"await_slot_taken", "await_slot_taken_rsp", "await_both", "await_sum", "await_each",
	"await_worker", "await_twice", "await_many", "await_nothing", "await_list", "await_call", "await_store",
	"await_clock", "await_vector", "await_leaves", "await_high", NULL,
};

/* Where this program was loaded. */
static uint64_t bias(void)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	const ElfW(Ehdr) *eh = (const void *)__ehdr_start;

	return eh->e_type == ET_DYN ? (uint64_t)eh : 0;
}

static const uint64_t *expected_at(uint64_t address)
{
	const uint64_t (*e)[4];

	for (e = await_expected; e < await_expected_end; e++)
		if ((*e)[0] - bias() == address)
			return *e;
	return NULL;
}

TEST(loops_that_wait_are_found_and_no_others)
{
	struct chess_sites s;
	const uint64_t *e;
	size_t i, found = 0;

	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", tested, &s));
	for (i = 0; i < s.n; i++) {
		const struct chess_site *site = &s.v[i];
		const struct chess_operand *op = site->operand;

		e = expected_at(site->address);
		found += !!op->awaits;
		if (op->awaits == (e ? e[1] : 0) && op->await_op == (e ? e[2] : 0) &&
		    op->await_source == (e ? e[3] : 0))
			continue;
		TH_LOG("0x%llx (label %ld): %u turns, op %u, source %u",
		       (unsigned long long)site->address,
		       e ? (long)((const uint64_t (*)[4])e - await_expected) : -1L, op->awaits,
		       op->await_op, op->await_source);
		HARNESS_FAILED(0);
	}
	EXPECT_EQ((size_t)(await_expected_end - await_expected), found);
	chess_sites_free(&s);
}

TEST(all_ways_out_are_found)
{
	const size_t n = await_ends_end - await_ends;
	struct chess_sites s;
	const uint64_t *e;
	size_t i;

	ASSERT_EQ(0, chess_access_scan("/proc/self/exe", tested, &s));
	chess_sites_sort(&s);
	EXPECT_EQ(n, s.ends);
	/* Offsets and addresses of text differ by the same. */
	for (e = await_ends; e < await_ends_end; e++) {
		uint64_t offset = *e - bias() - s.v[0].address + s.v[0].offset;

		for (i = 0; i < s.ends && s.end[i] != offset;)
			i++;
		if (i == s.ends) {
			TH_LOG("way out %ld is not found", (long)(e - await_ends));
			HARNESS_FAILED(0);
		}
	}
	chess_sites_free(&s);
}

TEST_HARNESS_MAIN
