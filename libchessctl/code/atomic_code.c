// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See atomic.h. The operations of C++ and Rust on atomic variables are functions of their
 * libraries. Debug information says where such a function was inlined, so their plain moves
 * are recognised wherever the variable lies. Names are compared as the linker knows
 * them: they have the class in them, and templates' arguments after it.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "code/atomic.h"
#include "internal.h"

/* Classes and namespaces; a number is the length of the name after it. */
static const char *const std_names[] = {
	"6atomicI", "11atomic_flag", "10atomic_refI", "12__atomic_refI", "13__atomic_baseI",
	"13__atomic_impl", "14__atomic_floatI", "16_Sp_counted_baseI",
	"23__atomic_futex_unsignedI",
};

/* What comes before them in a member's name: std, and that of LLVM. */
static const char *const std_prefixes[] = { "St3__1", "St" };

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

/* Functions below them: LLVM's __cxx_atomic_load, and what waits for a change of one. */
static bool is_below(const char *name)
{
	static const char *const names[] = {
		"__cxx_atomic_", "__atomic_wait_address", "__atomic_notify_address", "__waiter",
		"__platform_wait", "__platform_notify",
	};
	size_t i;

	if (starts(name, "8__detail"))
		name += strlen("8__detail");
	name += strspn(name, "0123456789");
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (starts(name, names[i]))
			return true;
	return false;
}

static bool is_std(const char *name)
{
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(std_prefixes); i++) {
		if (!starts(name, std_prefixes[i]))
			continue;
		name += strlen(std_prefixes[i]);
		for (k = 0; k < ARRAY_SIZE(std_names); k++)
			if (starts(name, std_names[k]))
				return true;
		return is_below(name);
	}
	return false;
}

bool chess_atomic_name(const char *name)
{
	if (starts(name, "_R"))
		return strstr(name, "4core4sync6atomic");
	if (!starts(name, "_Z"))
		return false;
	name += strlen("_Z");
	name += *name == 'N';
	if (starts(name, "4core4sync6atomic") || starts(name, "5boost7atomics"))
		return true;
	/* reference counts of libstdc++ */
	if (starts(name, "9__gnu_cxx"))
		return strstr(name, "__exchange_and_add") || strstr(name, "__atomic_add");
	/* members of what is const or volatile */
	name += strspn(name, "VK");
	return is_std(name);
}

int chess_atomic_code_add(struct chess_atomics *a, uint64_t start, uint64_t end)
{
	if (chess_array_room(&a->code, &a->code_room, a->n_code + 1, sizeof(*a->code)))
		return -ENOMEM;
	a->code[a->n_code++] = (struct chess_atomic_code) { start, end };
	return 0;
}

/* What lies from @start to @end is no longer in the entries from number @from on. */
static int cut(struct chess_atomics *a, size_t from, uint64_t start, uint64_t end)
{
	size_t i, n = a->n_code;
	int ret = 0;

	for (i = from; i < n && !ret; i++) {
		struct chess_atomic_code was = a->code[i];

		if (was.end <= start || was.start >= end)
			continue;
		a->code[i].end = was.start > start ? was.start : start;
		if (was.end > end)
			ret = chess_atomic_code_add(a, end, was.end);
	}
	return ret;
}

static bool is_atomic_function(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name;

	if (!dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		return false;
	name = dwarf_formstring(&attr);
	return name && chess_atomic_name(name);
}

int chess_atomic_code_of(struct chess_atomics *a, Dwarf_Die *function, size_t *inside)
{
	bool atomic = is_atomic_function(function);
	Dwarf_Addr base, start, end;
	size_t was = *inside;
	ptrdiff_t at = 0;
	int ret = 0;

	*inside = !atomic ? 0 : was ? was : a->n_code + 1;
	if (atomic == !!was)
		return 0;
	while (!ret && (at = dwarf_ranges(function, at, &base, &start, &end)) > 0)
		ret = atomic ? chess_atomic_code_add(a, start, end) : cut(a, was - 1, start, end);
	return ret;
}

static int compare(const void *x, const void *y)
{
	const struct chess_atomic_code *a = x, *b = y;

	return a->start < b->start ? -1 : a->start > b->start;
}

void chess_atomic_code_sort(struct chess_atomics *a)
{
	if (a->n_code)
		qsort(a->code, a->n_code, sizeof(*a->code), compare);
}

bool chess_atomics_at(const struct chess_atomics *a, uint64_t ip)
{
	size_t low = 0, high = a->n_code, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (a->code[mid].start <= ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low && ip < a->code[low - 1].end;
}
