// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that atomic variables are known by their types, from the debug information of
 * this very program, and that without it nothing is.
 */
#include <link.h>
#include <stdatomic.h>

#include "harness.h"
#include "code/atomic.h"
#include "internal.h"

typedef _Atomic int shared_int;

static atomic_long plain_atomic;
static shared_int by_typedef[3];
static volatile struct {
	int before;
	_Atomic unsigned char in_struct;
	struct {
		long other;
		union {
			atomic_int word;
			short half;
		} u;
	} nested[2];
} mixed;
static long not_atomic;
static _Atomic(int *) pointer;

static uint64_t value(const volatile void *at)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	const ElfW(Ehdr) * eh = (const void *)__ehdr_start;

	return (uint64_t)at - (eh->e_type == ET_DYN ? (uint64_t)eh : 0);
}

TEST(types_tell_what_is_atomic)
{
	static atomic_int in_function;
	struct chess_atomics a;

	atomic_store(&plain_atomic, 1);
	by_typedef[0] = 1;
	mixed.in_struct = 1;
	mixed.nested[1].u.word = 1;
	not_atomic++;
	atomic_store(&pointer, NULL);
	in_function++;

	ASSERT_EQ(0, chess_atomics_read("/proc/self/exe", &a));
	if (!a.known)
		SKIP_TEST("built without debug information");
	EXPECT_TRUE(chess_atomics_has(&a, value(&plain_atomic), 8));
	EXPECT_TRUE(chess_atomics_has(&a, value(&plain_atomic) + 4, 4));
	EXPECT_FALSE(chess_atomics_has(&a, value(&plain_atomic) + 4, 8));
	EXPECT_TRUE(chess_atomics_has(&a, value(&by_typedef[2]), 4));
	EXPECT_FALSE(chess_atomics_has(&a, value(&mixed.before), 4));
	EXPECT_TRUE(chess_atomics_has(&a, value(&mixed.in_struct), 1));
	EXPECT_FALSE(chess_atomics_has(&a, value(&mixed.nested[1].other), 8));
	EXPECT_TRUE(chess_atomics_has(&a, value(&mixed.nested[0].u.word), 4));
	EXPECT_TRUE(chess_atomics_has(&a, value(&mixed.nested[1].u.word), 4));
	EXPECT_FALSE(chess_atomics_has(&a, value(&not_atomic), 8));
	EXPECT_TRUE(chess_atomics_has(&a, value(&pointer), 8));
	EXPECT_TRUE(chess_atomics_has(&a, value(&in_function), 4));
	EXPECT_FALSE(chess_atomics_has(&a, 0, 1));
	chess_atomics_clear(&a);
}

/* As gcc 12, clang and rustc name them. */
TEST(names_of_operations_on_atomics)
{
	static const char *const yes[] = {
		"_ZNKSt13__atomic_baseIiE4loadESt12memory_order",
		"_ZNVSt6atomicIbE5storeEbSt12memory_order",
		"_ZNVKSt11atomic_flag4testESt12memory_order",
		"_ZNSt13__atomic_impl4loadIiEENSt15remove_volatileIT_E4typeEPKS2_St12memory_order",
		"_ZNSt16_Sp_counted_baseILN9__gnu_cxx12_Lock_policyE2EE10_M_releaseEv",
		"_ZN9__gnu_cxx27__exchange_and_add_dispatchEPii",
		"_ZN9__gnu_cxxL18__exchange_and_addEPVii",
		"_ZNSt23__atomic_futex_unsignedILj2147483648EE13_M_load_and_test_untilE",
		"_ZNSt8__detail13__waiter_baseINS_13__waiter_poolEE9_M_notifyEPKibb",
		"_ZSt21__atomic_wait_addressIiZNKSt5latch4waitEvEUlvE_EvPKT_T0_",
		"_ZNSt3__117__cxx_atomic_loadIiEET_PKNS_22__cxx_atomic_base_implIS1_EENS_12memory_orderE",
		"_ZNKSt3__113__atomic_baseIiLb0EE4loadENS_12memory_orderE",
		"_ZN4core4sync6atomic11atomic_load17h0123456789abcdefE",
		"_RNvMs_NtNtCs5iT_4core4sync6atomic11AtomicUsize4load",
	};
	static const char *const no[] = {
		"main", "atomic", "_ZNSt6vectorIiSaIiEE9push_backEOi", "_ZNSt6thread4joinEv",
		"_ZNSt8__detail10_Hash_nodeIiLb0EE7_M_nextEv", "_ZN6atomicI3fooE3getEv", "_Z",
		"_ZNSt10shared_ptrIiEaSERKS0_", "_ZN9__gnu_cxx13new_allocatorIiE8allocateEmPKv",
		"_RNvCs5iT_5hello4main", "_ZNSt5mutex4lockEv",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(yes); i++)
		if (!chess_atomic_name(yes[i])) {
			TH_LOG("%s", yes[i]);
			EXPECT_TRUE(false);
		}
	for (i = 0; i < ARRAY_SIZE(no); i++)
		if (chess_atomic_name(no[i])) {
			TH_LOG("%s", no[i]);
			EXPECT_TRUE(false);
		}
}

/* The C library has no debug information here, or it has: known is of no interest. */
TEST(a_process_has_those_of_its_files)
{
	static char maps[1 << 16];
	struct chess_atomics a;
	FILE *f = fopen("/proc/self/maps", "r");

	ASSERT_TRUE(f);
	maps[fread(maps, 1, sizeof(maps) - 1, f)] = '\0';
	fclose(f);
	ASSERT_EQ(0, chess_atomics_of_process(maps, &a));
	EXPECT_TRUE(chess_atomics_has(&a, (uint64_t)&plain_atomic, 8));
	EXPECT_FALSE(chess_atomics_has(&a, (uint64_t)&not_atomic, 8));
	chess_atomics_clear(&a);
	ASSERT_EQ(0, chess_atomics_of_process("", &a));
	EXPECT_EQ(0UL, (unsigned long)a.n);
}

TEST(without_debug_information_nothing_is_known)
{
	struct chess_atomics a;
	char command[128];

	snprintf(command, sizeof(command), "strip -g -o /tmp/chess_atomic_test.%d /proc/%d/exe",
		 getpid(), getpid());
	if (system(command))
		SKIP_TEST("no strip");
	snprintf(command, sizeof(command), "/tmp/chess_atomic_test.%d", getpid());
	EXPECT_EQ(0, chess_atomics_read(command, &a));
	unlink(command);
	EXPECT_FALSE(a.known);
	EXPECT_EQ(0UL, (unsigned long)a.n);
	EXPECT_EQ(-ENOENT, chess_atomics_read("/nonexistent", &a));
	EXPECT_EQ(0, chess_atomics_read("/etc/passwd", &a));
	EXPECT_FALSE(a.known);
}

TEST_HARNESS_MAIN
