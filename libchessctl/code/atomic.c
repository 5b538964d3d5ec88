// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See atomic.h. The tree of each compilation unit is walked for variables that have an
 * address; the type of each is walked for what is atomic in it. DWARF 5 says it of C's
 * _Atomic with a tag; std::atomic is a class of that name.
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "code/atomic.h"
#include "code/atomic_type.h"
#include "code/image.h"
#include "internal.h"

/* Types and scopes nest no deeper in what people write; elements of an array. */
#define DEPTH_MAX	64
#define ELEMENTS_MAX	65536

static int add(struct chess_atomics *a, uint64_t address, uint64_t size)
{
	if (chess_array_room(&a->v, &a->room, a->n + 1, sizeof(*a->v)))
		return -ENOMEM;
	a->v[a->n++] = (struct chess_atomic) { address, size };
	return 0;
}

static bool is_atomic_class(Dwarf_Die *type)
{
	static const char *const names[] = {
		"atomic<", "__atomic_base<", "__atomic_float<", "atomic_flag", "__atomic_flag_base",
	};
	const char *name = dwarf_diename(type);
	size_t i;

	for (i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

static int add_type(struct chess_atomics *a, Dwarf_Die *type, uint64_t address, int depth);

static int add_members(struct chess_atomics *a, Dwarf_Die *type, uint64_t address, int depth)
{
	Dwarf_Attribute attr;
	Dwarf_Word offset;
	Dwarf_Die child, of;
	int ret = 0;

	if (dwarf_child(type, &child))
		return 0;
	do {
		int tag = dwarf_tag(&child);

		if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
		    !chess_type_of(&child, &of))
			continue;
		offset = 0;
		/* without an offset it is in a union; static members are variables elsewhere */
		if (dwarf_hasattr(&child, DW_AT_external) ||
		    (dwarf_attr(&child, DW_AT_data_member_location, &attr) &&
		     dwarf_formudata(&attr, &offset)))
			continue;
		ret = add_type(a, &of, address + offset, depth + 1);
	} while (!ret && !dwarf_siblingof(&child, &child));
	return ret;
}

static int add_elements(struct chess_atomics *a, Dwarf_Die *type, uint64_t address, int depth)
{
	Dwarf_Word all, one, i;
	Dwarf_Die of;
	int ret = 0;

	if (!chess_type_of(type, &of) || dwarf_aggregate_size(type, &all) ||
	    dwarf_aggregate_size(&of, &one) || !one)
		return 0;
	for (i = 0; !ret && i < all / one && i < ELEMENTS_MAX; i++) {
		size_t known = a->n;

		ret = add_type(a, &of, address + i * one, depth + 1);
		if (a->n == known)
			break;
	}
	return ret;
}

/* What of the type is atomic, when it lies at @address. */
static int add_type(struct chess_atomics *a, Dwarf_Die *type, uint64_t address, int depth)
{
	Dwarf_Word size;
	Dwarf_Die of;

	if (depth > DEPTH_MAX)
		return 0;
	switch (dwarf_tag(type)) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
		return chess_type_of(type, &of) ? add_type(a, &of, address, depth + 1) : 0;
	case DW_TAG_atomic_type:
		return dwarf_aggregate_size(type, &size) ? 0 : add(a, address, size);
	case DW_TAG_array_type:
		return add_elements(a, type, address, depth);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		if (is_atomic_class(type) && !dwarf_aggregate_size(type, &size))
			return add(a, address, size);
		return add_members(a, type, address, depth);
	default:
		return 0;
	}
}

static int add_variable(struct chess_atomics *a, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Op *op;
	Dwarf_Die type;
	size_t n;

	if (!dwarf_attr(die, DW_AT_location, &attr) ||
	    dwarf_getlocation(&attr, &op, &n) || n != 1 ||
	    op->atom != DW_OP_addr || !chess_type_of(die, &type))
		return 0;
	return add_type(a, &type, op->number, 0);
}

/* @inside: see chess_atomic_code_of() */
static int walk(struct chess_atomics *a, Dwarf_Die *parent, size_t inside, int depth)
{
	Dwarf_Die die;
	size_t in;
	int ret = 0;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die))
		return 0;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
			ret = add_variable(a, &die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_lexical_block:
			ret = walk(a, &die, inside, depth + 1);
			break;
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
			/* functions that stand in a class, as those of lambdas */
			ret = walk(a, &die, 0, depth + 1);
			break;
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
			in = inside;
			ret = chess_atomic_code_of(a, &die, &in);
			if (!ret)
				ret = walk(a, &die, in, depth + 1);
			break;
		}
	} while (!ret && !dwarf_siblingof(&die, &die));
	return ret;
}

static int compare(const void *x, const void *y)
{
	const struct chess_atomic *a = x, *b = y;

	return a->address < b->address ? -1 : a->address > b->address;
}

static int add_unit(struct chess_atomics *a, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0) {
		if (chess_array_room(&a->unit, &a->unit_room, a->n_unit + 1, sizeof(*a->unit)))
			return -ENOMEM;
		a->unit[a->n_unit++] = (struct chess_atomic_code) { start, end };
	}
	return 0;
}

bool chess_atomics_tells(const struct chess_atomics *a, uint64_t address)
{
	size_t i;

	for (i = 0; i < a->n_unit; i++)
		if (address >= a->unit[i].start && address < a->unit[i].end)
			return true;
	return false;
}

static void sort(struct chess_atomics *a)
{
	if (a->n)
		qsort(a->v, a->n, sizeof(*a->v), compare);
	chess_atomic_code_sort(a);
}

static int read_units(Dwarf *dwarf, struct chess_atomics *out)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die die;
	int ret = 0;

	while (!ret && !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL)) {
		out->known = true;
		ret = add_unit(out, &die);
		if (!ret)
			ret = walk(out, &die, 0, 0);
		if (!ret)
			ret = chess_atomic_flow(out, dwarf, &die);
	}
	return ret;
}

void chess_atomics_clear(struct chess_atomics *a)
{
	free(a->v);
	free(a->code);
	free(a->unit);
	memset(a, 0, sizeof(*a));
}

/* Guards of C++'s static variables: code that is inlined looks at them by a plain move. */
static int add_guards(struct chess_atomics *a, Elf *elf)
{
	Elf_Scn *scn = NULL;
	const char *name;
	Elf_Data *data;
	GElf_Shdr sh;
	GElf_Sym sym;
	int ret = 0;
	size_t i;

	while (!ret && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB || !sh.sh_entsize)
			continue;
		data = elf_getdata(scn, NULL);
		for (i = 0; data && !ret && i < sh.sh_size / sh.sh_entsize; i++) {
			name = gelf_getsym(data, i, &sym) ?
			       elf_strptr(elf, sh.sh_link, sym.st_name) : NULL;
			if (name && sym.st_shndx != SHN_UNDEF &&
			    GELF_ST_TYPE(sym.st_info) == STT_OBJECT && !strncmp(name, "_ZGV", 4))
				ret = add(a, sym.st_value, sym.st_size);
		}
	}
	return ret;
}

int chess_atomics_read(const char *path, struct chess_atomics *out)
{
	Dwarf *dwarf;
	Elf *elf;
	int fd, ret = 0;

	memset(out, 0, sizeof(*out));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return chess_set_error(errno, "cannot open %s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	if (elf)
		ret = add_guards(out, elf);
	if (!ret && dwarf)
		ret = read_units(dwarf, out);
	sort(out);
	dwarf_end(dwarf);
	elf_end(elf);
	close(fd);
	if (ret) {
		chess_atomics_clear(out);
		chess_set_error(ENOMEM, "no memory for the atomic variables of %s", path);
	}
	return ret;
}

/* Those of one file, which lies at @bias in the process. */
static int add_moved(struct chess_atomics *out, const struct chess_atomics *one, uint64_t bias)
{
	int ret = 0;
	size_t i;

	for (i = 0; !ret && i < one->n; i++)
		ret = add(out, one->v[i].address + bias, one->v[i].size);
	if (!ret)
		ret = chess_array_room(&out->code, &out->code_room, out->n_code + one->n_code + 1,
				       sizeof(*out->code));
	for (i = 0; !ret && i < one->n_code; i++)
		out->code[out->n_code++] = (struct chess_atomic_code) {
			one->code[i].start + bias, one->code[i].end + bias,
		};
	return ret;
}

int chess_atomics_of_process(const char *maps, struct chess_atomics *out)
{
	struct chess_atomics one;
	struct chess_image image;
	int ret = 0;

	memset(out, 0, sizeof(*out));
	out->known = true;
	while (!ret && (maps = chess_image_next(maps, &image))) {
		ret = chess_atomics_read(image.path, &one);
		if (!ret)
			ret = add_moved(out, &one, image.bias);
		out->known &= one.known;
		chess_atomics_clear(&one);
	}
	sort(out);
	if (ret) {
		chess_atomics_clear(out);
		return chess_set_error(-ret, "no memory for the atomic variables of a process");
	}
	return 0;
}

bool chess_atomics_has(const struct chess_atomics *a, uint64_t address, uint64_t size)
{
	size_t low = 0, high = a->n, mid;

	/* the last one that begins at or before the address */
	while (low < high) {
		mid = low + (high - low) / 2;
		if (a->v[mid].address <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && address - a->v[low - 1].address + size <= a->v[low - 1].size;
}
