// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves how names of C++ stand in reports. The file is compiled in: it belongs to the
 * command, not to the library.
 */
#include <stdarg.h>
#include <stdio.h>

#include "../cli/report/demangle.c"
#include "harness.h"

char *cli_printf(const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	ASSERT_LT(-1, n);
	return text;
}

static const struct {
	const char *whole, *shown;
} names[] = {
	{ "told", "told" },
	{ "account::get() const", "account::get" },
	{ "f(int (*)(long), char)", "f" },
	{ "get()::s", "get()::s" },
	{ "(anonymous namespace)::hits", "(anonymous namespace)::hits" },
	{ "(anonymous namespace)::add(int)", "(anonymous namespace)::add" },
	{ "main::{lambda()#1}::operator()() const", "main::{lambda()#1}::operator()" },
	{ "main::{lambda(int, char)#2}::operator()(int, char) const",
	  "main::{lambda(int, char)#2}::operator()" },
	{ "std::vector<int>::push_back(int&&)", "std::vector<int>::push_back" },
	{ "std::vector<std::pair<int, std::string>, std::allocator<int> >::size() const",
	  "std::vector<...>::size" },
	{ "std::thread::_State_impl<std::thread::_Invoker<std::tuple<main::{lambda()#1}> > >::_M_run()",
	  "std::thread::_State_impl<...>::_M_run" },
	{ "void std::__invoke_impl<void, main::{lambda()#1}>(std::__invoke_other, int&&)",
	  "std::__invoke_impl<...>" },
	{ "std::unique_ptr<int> make<int>(long)", "make<int>" },
	{ "number::operator bool() const", "number::operator bool" },
	{ "operator new(unsigned long)", "operator new" },
	/* brackets that are no pairs: as it is */
	{ "bool operator< <int>(a<int> const&, a<int> const&)",
	  "bool operator< <int>(a<int> const&, a<int> const&)" },
	{ "broken<(", "broken<(" },
};

TEST(names_are_short)
{
	char name[200];
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(name, sizeof(name), "%s", names[i].whole);
		demangle_shorten(name);
		EXPECT_STREQ(names[i].shown, name);
	}
}

TEST(other_names_stay)
{
	static const char *const same[] = { "main", "pthread_create", "_Zebra", "", "_Z" };
	size_t i;

	for (i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		char *name = demangle(same[i]);

		EXPECT_STREQ(same[i], name);
		free(name);
	}
}

TEST(symbols_are_told_as_written)
{
	char *name = demangle("_ZNK7account3getEv");

	if (!find_demangler())
		SKIP_TEST("there is no libstdc++.so.6");
	EXPECT_STREQ("account::get", name);
	free(name);
}

TEST_HARNESS_MAIN
