// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions of the C++ library, by their mangled names: see memcall_table.h.
 */
#include <string.h>

#include "code/memcall_kinds.h"
#include "code/memcall_table.h"
#include "internal.h"

/* Programs work on these nodes as well. */
static const struct chess_memcall containers[] = {
	{ "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
	  { { R | W, 3, 0, 32 }, { R | W, 4, 0, 32 } } },
	{ "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
	  { { R | W, 1, 0, 32 }, { R | W, 2, 0, 32 } } },
	{ "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
	  { { W, 1, 0, 16 }, { R | W, 2, 0, 16 } } },
	{ "_ZNSt8__detail15_List_node_base9_M_unhookEv",	{ { R | W, 1, 0, 16 } } },
};

/* Where a std::string has its text, and its length. */
#define STRING_HEAD	16

static const struct chess_memcall string_made = { "", { { W, 1, 0, STRING_HEAD } } };
static const struct chess_memcall string_changed = { "", { { R | W, 1, 0, STRING_HEAD } } };
static const struct chess_memcall string_read = { "", { { R, 1, 0, STRING_HEAD } } };

static const struct chess_memcall stream_changed = { "", { { R | W, 1, 0, 1 } } };

/* Its member functions, as they begin; those that are not const may well change nothing. */
static const struct {
	const char *name;
	const struct chess_memcall *call;
} string_members[] = {
	{ "C1", &string_made },		{ "C2", &string_made },
	{ "12_M_construct", &string_made }, { "18_M_construct", &string_made },
	{ "D1", &string_changed },	{ "D2", &string_changed },
	{ "aS", &string_changed },	{ "pL", &string_changed },
	{ "6append", &string_changed },	{ "6assign", &string_changed },
	{ "6insert", &string_changed },	{ "5erase", &string_changed },
	{ "7replace", &string_changed }, { "6resize", &string_changed },
	{ "7reserve", &string_changed }, { "9push_back", &string_changed },
	{ "8pop_back", &string_changed }, { "5clear", &string_changed },
	{ "4swap", &string_changed },	{ "13shrink_to_fit", &string_changed },
	{ "9_M_append", &string_changed }, { "9_M_assign", &string_changed },
	{ "9_M_mutate", &string_changed }, { "8_M_erase", &string_changed },
	{ "10_M_replace", &string_changed }, { "14_M_replace_aux", &string_changed },
	{ "10_M_dispose", &string_changed }, { "13_M_set_length", &string_changed },
	{ "7_M_dataEP", &string_made },	{ "11_M_capacityEm", &string_changed },
	{ "ix", &string_read },		{ "2at", &string_read },
	{ "5begin", &string_read },	{ "3end", &string_read },
	{ "4data", &string_read },	{ "4back", &string_read },
	{ "5front", &string_read },	{ "6rbegin", &string_read },
	{ "4rend", &string_read },
};

static bool begins(const char **name, const char *with)
{
	size_t n = strlen(with);
	bool yes = !strncmp(*name, with, n);

	*name += yes * n;
	return yes;
}

static const struct chess_memcall *member_of_string(const char *name)
{
	static const char class[] = "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
	bool constant;
	size_t i;

	if (!begins(&name, "_ZN"))
		return NULL;
	constant = begins(&name, "K");
	if (!begins(&name, class))
		return NULL;
	if (constant)
		return &string_read;
	for (i = 0; i < ARRAY_SIZE(string_members); i++)
		if (begins(&name, string_members[i].name))
			return string_members[i].call;
	return NULL;
}

/* Those of std::ostream and std::istream, which take no lock, as their names begin. */
static const struct {
	const char *name;
	const struct chess_memcall *call;
} stream_functions[] = {
	{ "_ZNSolsE", &stream_changed },	{ "_ZNSo9_M_insertI", &stream_changed },
	{ "_ZNSo3putE", &stream_changed },	{ "_ZNSo5writeE", &stream_changed },
	{ "_ZNSo5flushE", &stream_changed },	{ "_ZNSo5seekpE", &stream_changed },
	{ "_ZNSirsE", &stream_changed },	{ "_ZNSi10_M_extractI", &stream_changed },
	{ "_ZNSi3getE", &stream_changed },	{ "_ZNSi4readE", &stream_changed },
	{ "_ZNSi7getlineE", &stream_changed },	{ "_ZNSi5seekgE", &stream_changed },
	{ "_ZStlsISt11char_traitsIcEERSt13basic_ostream", &stream_changed },
	{ "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostream", &stream_changed },
	{ "_ZSt16__ostream_insertIc", &stream_changed },
	{ "_ZSt4endlIc", &stream_changed },
	{ "_ZStrsISt11char_traitsIcEERSt13basic_istream", &stream_changed },
	{ "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istream", &stream_changed },
	{ "_ZSt7getlineIc", &stream_changed },
};

static const struct chess_memcall *function_of_stream(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(stream_functions); i++)
		if (!strncmp(name, stream_functions[i].name, strlen(stream_functions[i].name)))
			return stream_functions[i].call;
	return NULL;
}

const struct chess_memcall *chess_memcall_of_cxx(const char *name)
{
	const struct chess_memcall *found;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(containers); i++)
		if (!strcmp(containers[i].name, name))
			return &containers[i];
	found = member_of_string(name);
	return found ? found : function_of_stream(name);
}
