// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which functions of C are known to access an atomic member through a pointer, by the
 * debug information of this very program, optimized and not. Each stands in a section of
 * its own, which has a begin and an end.
 */
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>

#include "harness.h"
#include "code/atomic.h"
#include "internal.h"

struct leaf {
	long plain;
	atomic_int word[2];
	_Atomic(struct leaf *) next;
};

struct tree {
	struct leaf *leaf;
	union {
		long other;
		atomic_long counter;
	} u;
};

static struct leaf *volatile some_leaf;
static struct tree *volatile global;

#define LOAD(from)	atomic_load_explicit(from, memory_order_acquire)
#define STORE(to, what)	atomic_store_explicit(to, what, memory_order_release)

#define FUNCTION(name, level, result, argument, body) \
	__attribute__((noinline, noclone, used, section("in_" #name), optimize(#level))) \
	static result name(argument) { body }
#define BOTH(name, result, argument, body) \
	FUNCTION(name##_fast, O2, result, argument, body) \
	FUNCTION(name##_slow, O0, result, argument, body)

BOTH(member, int, struct leaf *l, return LOAD(&l->word[0]);)
BOTH(element, int, struct leaf *l, return LOAD(&l->word[l->plain & 1]);)
BOTH(behind, int, struct tree *t, return LOAD(&t->leaf->word[1]);)
BOTH(behind_atomic, int, struct leaf *l, return LOAD(&LOAD(&l->next)->word[1]);)
BOTH(in_union, void, struct tree *t, STORE(&t->u.counter, 1);)
BOTH(by_pointer, void, atomic_int *p, STORE(p, 1);)
BOTH(by_global, int, void, return LOAD(&global->leaf->word[0]);)
BOTH(in_loop, int, struct leaf *l, int n = 0; while ((l = LOAD(&l->next))) n++; return n;)
BOTH(on_stack, int, void, struct leaf own; some_leaf = &own; return LOAD(&own.word[1]);)

BOTH(plain_member, long, struct leaf *l, return l->plain;)
BOTH(plain_pointer, void *, struct tree *t, return t->leaf;)
BOTH(plain_behind, long, struct tree *t, return t->leaf->plain;)
/* four bytes of eight: no access to an atomic variable is that */
BOTH(half, int, struct tree *t, return ((volatile struct { int low, high; } *)t)[1].low;)
/* nobody says what it points to */
BOTH(no_type, int, char *p, return *(volatile int *)(p + 8);)
/* what was in the argument's register is gone */
BOTH(after_call, long, struct leaf *l, some_leaf = l; puts("#"); return some_leaf->plain;)

/* Where this program was loaded. */
static uint64_t bias(void)
{
	extern const char __ehdr_start[] __attribute__((visibility("hidden")));
	const ElfW(Ehdr) *eh = (const void *)__ehdr_start;

	return eh->e_type == ET_DYN ? (uint64_t)eh : 0;
}

struct section {
	const char *name;
	const char *start, *end;
	bool atomic;
};

#define BOUNDS(name) extern const char __start_in_##name[], __stop_in_##name[];
#define SECTION(name, atomic) { #name, __start_in_##name, __stop_in_##name, atomic }
#define BOTH_BOUNDS(name) BOUNDS(name##_fast) BOUNDS(name##_slow)
#define SECTIONS(name, atomic) SECTION(name##_fast, atomic), SECTION(name##_slow, atomic)

BOTH_BOUNDS(member) BOTH_BOUNDS(element) BOTH_BOUNDS(behind) BOTH_BOUNDS(behind_atomic)
BOTH_BOUNDS(in_union) BOTH_BOUNDS(by_pointer) BOTH_BOUNDS(by_global) BOTH_BOUNDS(in_loop)
BOTH_BOUNDS(on_stack) BOTH_BOUNDS(plain_member) BOTH_BOUNDS(plain_pointer)
BOTH_BOUNDS(plain_behind) BOTH_BOUNDS(half) BOTH_BOUNDS(no_type) BOTH_BOUNDS(after_call)

static const struct section sections[] = {
	SECTIONS(member, true), SECTIONS(behind, true),
	/* optimized, the index has the offset of the array in it, and is not known */
	SECTION(element_fast, false), SECTION(element_slow, true),
	SECTIONS(behind_atomic, true), SECTIONS(in_union, true), SECTIONS(by_pointer, true),
	SECTIONS(by_global, true), SECTIONS(in_loop, true), SECTIONS(on_stack, true),
	SECTIONS(plain_member, false), SECTIONS(plain_pointer, false),
	SECTIONS(plain_behind, false), SECTIONS(half, false), SECTIONS(no_type, false),
	SECTIONS(after_call, false),
};

static bool has_atomic_code(const struct chess_atomics *a, const struct section *s)
{
	const char *at;

	for (at = s->start; at < s->end; at++)
		if (chess_atomics_at(a, (uint64_t)at - bias()))
			return true;
	return false;
}

TEST(atomic_members_are_known_by_their_pointers)
{
	struct chess_atomics a;
	size_t i;

	ASSERT_EQ(0, chess_atomics_read("/proc/self/exe", &a));
	if (!a.known)
		SKIP_TEST("built without debug information");
	for (i = 0; i < ARRAY_SIZE(sections); i++)
		if (has_atomic_code(&a, &sections[i]) != sections[i].atomic) {
			TH_LOG("%s", sections[i].name);
			HARNESS_FAILED(0);
		}
	/* behind_atomic has two */
	for (i = 1; i < a.n_code; i++)
		EXPECT_LE(a.code[i - 1].end, a.code[i].start);
	chess_atomics_clear(&a);
}

TEST_HARNESS_MAIN
