// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves how names of C++ and Rust stand in reports. The file is compiled in: it belongs to the
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

	EXPECT_STREQ("account::get", name);
	free(name);
}

/*
 * Of the second mangling ("v0") the examples of Rust's RFC 2603 and of rustc's book on it; then what
 * rustc 1.95 wrote into a program with a thread, a closure, a trait and a static.
 */
static const struct {
	const char *symbol, *shown;
} rust[] = {
	{ "_RNvC6_123foo3bar", "123foo::bar" },
	{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
	{ "_RNCNvCsgStHSCytQ6I_7mycrate4main0B3_", "mycrate::main::{closure#0}" },
	{ "_RNvMs_Cs4Cv8Wi1oAIB_7mycrateNtB4_7Example3foo", "<mycrate::Example>::foo" },
	{ "_RNvXCs15kBYyAo9fc_7mycrateNtB2_7ExampleNtB2_5Trait3foo",
	  "<mycrate::Example as mycrate::Trait>::foo" },
	{ "_RINvNtC3std3mem8align_ofmE", "std::mem::align_of::<u32>" },
	{ "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt" },
	{ "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE",
	  "<Test + 'static as foo::Bar<Test>>::bar" },
	{ "_RNvCsbKRDsmgUwI6_3acc4HITS", "acc::HITS" },
	{ "_RNCNvCsbKRDsmgUwI6_3acc4main0B3_", "acc::main::{closure#0}" },
	{ "_RNvXCsbKRDsmgUwI6_3accNtB2_7AccountNtB2_3Pay3pay", "<acc::Account as acc::Pay>::pay" },
	{ "_RNCINvNtNtCsjrHSEGnQ3l9_3std6thread9lifecycle15spawn_uncheckedNCNvCsbKRDsmgUwI6_3acc4main0uE0B12_",
	  "std::thread::lifecycle::spawn_unchecked::<...>::{closure#0}" },
	{ "_ZN3acc4HITS17hf6ca01367c06df55E", "acc::HITS" },
	{ "_ZN3acc4main28_$u7b$$u7b$closure$u7d$$u7d$17h08a27752647b0a0fE",
	  "acc::main::{{closure}}" },
	{ "_ZN3acc7Account3get17hb1006d23d670393bE", "acc::Account::get" },
	{ "_ZN41_$LT$acc..Account$u20$as$u20$acc..Pay$GT$3pay17hdbaef7b5218adac0E",
	  "<acc::Account as acc::Pay>::pay" },
	/* a name of C++ whose last part is no hash */
	{ "_ZN3acc7Account4h123E", "acc::Account::h123" },
};

TEST(names_of_rust)
{
	size_t i;

	for (i = 0; i < sizeof(rust) / sizeof(rust[0]); i++) {
		char *name = demangle(rust[i].symbol);

		EXPECT_STREQ(rust[i].shown, name);
		free(name);
	}
}

TEST(long_names_of_rust_are_short)
{
	static const struct {
		const char *whole, *shown;
	} names_of_rust[] = {
		{ "a::b", "a::b" },
		{ "<a::Lock<core::option::Option<alloc::string::String>> as core::ops::drop::Drop>::drop",
		  "<a::Lock<...> as core::ops::drop::Drop>::drop" },
		{ "std::thread::spawn::<account::main::{closure#0}, core::option::Option<u8>>",
		  "std::thread::spawn::<...>" },
		{ "<a as b>::c::<core::option::Option<alloc::string::String>>",
		  "<a as b>::c::<...>" },
		{ "<fn() -> core::option::Option<alloc::string::String>>::call",
		  "<fn() -> core::option::Option<alloc::string::String>>::call" },
		{ "<broken::<", "<broken::<" },
	};
	char name[200];
	size_t i;

	for (i = 0; i < sizeof(names_of_rust) / sizeof(names_of_rust[0]); i++) {
		snprintf(name, sizeof(name), "%s", names_of_rust[i].whole);
		demangle_shorten_rust(name);
		EXPECT_STREQ(names_of_rust[i].shown, name);
	}
}

TEST_HARNESS_MAIN
