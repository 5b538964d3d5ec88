// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See atomic_type.h. Types are walked from the outside in, through the member or element
 * that the offset is in.
 */
#include <dwarf.h>
#include <string.h>

#include "code/atomic_type.h"

/* Types nest no deeper in what people write. */
#define DEPTH_MAX	64

bool chess_type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

uint64_t chess_type_size(Dwarf_Die *type)
{
	Dwarf_Word size;

	return dwarf_aggregate_size(type, &size) ? 0 : size;
}

static bool spot_at(Dwarf_Die *type, uint64_t offset, int depth, struct chess_spot *out);

static bool in_members(Dwarf_Die *type, uint64_t offset, int depth, struct chess_spot *out)
{
	Dwarf_Attribute attr;
	Dwarf_Die child, of;
	Dwarf_Word at;

	if (dwarf_child(type, &child))
		return false;
	do {
		if (dwarf_tag(&child) != DW_TAG_member || !chess_type_of(&child, &of))
			continue;
		at = 0;
		/* without an offset it is in a union */
		if (dwarf_attr(&child, DW_AT_data_member_location, &attr) &&
		    dwarf_formudata(&attr, &at))
			continue;
		if (offset < at || offset - at >= chess_type_size(&of))
			continue;
		if (spot_at(&of, offset - at, depth + 1, out))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static bool spot_at(Dwarf_Die *type, uint64_t offset, int depth, struct chess_spot *out)
{
	uint64_t size = chess_type_size(type);
	Dwarf_Die of;

	if (depth > DEPTH_MAX)
		return false;
	switch (dwarf_tag(type)) {
	case DW_TAG_atomic_type:
		out->atomic = offset < size;
		out->size = size;
		/* what it points to is of interest, too */
		return (chess_type_of(type, &of) && spot_at(&of, offset, depth + 1, out)) ||
		       out->atomic;
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
		return chess_type_of(type, &of) && spot_at(&of, offset, depth + 1, out);
	case DW_TAG_pointer_type:
		if (offset || !chess_type_of(type, &out->target))
			return false;
		out->pointer = true;
		out->size = size;
		return true;
	case DW_TAG_array_type:
		if (!chess_type_of(type, &of))
			return false;
		size = chess_type_size(&of);
		return size && spot_at(&of, offset % size, depth + 1, out);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return in_members(type, offset, depth, out);
	default:
		return false;
	}
}

bool chess_spot_at(Dwarf_Die *type, int64_t offset, struct chess_spot *out)
{
	uint64_t size = chess_type_size(type);

	memset(out, 0, sizeof(*out));
	return offset >= 0 && size && spot_at(type, offset % size, 0, out);
}
