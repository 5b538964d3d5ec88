// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See functions.h. A symbol says where a function begins and how long it is; those of
 * hand-written assembly often have no size. .eh_frame has a range for every piece of code
 * that can be unwound, which on x86-64 is all that compilers make, also where a function
 * is in two pieces. Of both the union is taken.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "code/functions.h"
#include "internal.h"

static int add(struct chess_functions *f, uint64_t address, uint64_t size)
{
	if (!size)
		return 0;
	if (chess_array_room(&f->v, &f->room, f->n + 1, sizeof(*f->v)))
		return chess_set_error(ENOMEM, "no memory for a list of functions");
	f->v[f->n++] = (struct chess_function) { address, size };
	return 0;
}

/* Names in .symtab have versions after an @. */
static bool is_named(Elf *elf, size_t strings, const GElf_Sym *sym, const char *name)
{
	const char *s = elf_strptr(elf, strings, sym->st_name);
	size_t len = strlen(name);

	return s && !strncmp(s, name, len) && (!s[len] || s[len] == '@');
}

static int from_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name,
			struct chess_functions *out)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;
	size_t i;
	int ret = 0, type;

	if (!data || !sh->sh_entsize)
		return 0;
	for (i = 0; !ret && i < sh->sh_size / sh->sh_entsize && gelf_getsym(data, i, &sym); i++) {
		type = GELF_ST_TYPE(sym.st_info);
		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || sym.st_shndx == SHN_UNDEF)
			continue;
		if (!name || is_named(elf, sh->sh_link, &sym, name))
			ret = add(out, sym.st_value, sym.st_size);
	}
	return ret;
}

/* A part of .eh_frame, and where it lies in memory. */
struct bytes {
	const uint8_t *p, *end;
	uint64_t address;
};

static uint64_t take(struct bytes *b, size_t n)
{
	uint64_t value = 0;

	if ((size_t)(b->end - b->p) < n) {
		b->p = b->end;
		return 0;
	}
	memcpy(&value, b->p, n);
	b->p += n;
	b->address += n;
	return value;
}

static uint64_t take_leb(struct bytes *b)
{
	uint64_t value = 0;
	unsigned int shift = 0;
	uint8_t byte;

	do {
		byte = take(b, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

/* Its length and number, and a byte more. */
#define CIE_LEAST	9

#define POINTER_NONE	0xff
#define POINTER_PCREL	0x10

static size_t pointer_size(uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case 0x03:		/* udata4 */
	case 0x0b:		/* sdata4 */
		return 4;
	case 0x00:
	case 0x04:
	case 0x0c:
		return 8;
	default:
		return 0;
	}
}

/* How the addresses in the ranges of this entry are written. */
static uint8_t read_cie(struct bytes b)
{
	const char *augmentation;
	uint8_t version = take(&b, 1), personality;

	augmentation = (const char *)b.p;
	if (!memchr(b.p, 0, b.end - b.p))
		return POINTER_NONE;
	b.p += strlen(augmentation) + 1;
	take_leb(&b);			/* code alignment */
	take_leb(&b);			/* data alignment, signed, but as long */
	if (version == 1)
		take(&b, 1);		/* return address register */
	else
		take_leb(&b);
	if (*augmentation != 'z')
		return *augmentation ? POINTER_NONE : 0;
	take_leb(&b);
	while (*++augmentation) {
		switch (*augmentation) {
		case 'R':
			return take(&b, 1);
		case 'L':
			take(&b, 1);
			break;
		case 'P':
			personality = take(&b, 1);
			if (!pointer_size(personality))
				return POINTER_NONE;
			take(&b, pointer_size(personality));
			break;
		case 'S':
		case 'B':
			break;
		default:
			return POINTER_NONE;
		}
	}
	return 0;
}

static int read_fde(struct bytes b, uint8_t encoding, struct chess_functions *out)
{
	size_t size = pointer_size(encoding);
	uint64_t from = b.address, start, length;

	if (!size || (encoding & 0x70 && (encoding & 0x70) != POINTER_PCREL) || encoding & 0x80)
		return 0;
	start = take(&b, size);
	if (size == 4 && (encoding & 0x0f) == 0x0b)
		start = (int64_t)(int32_t)start;
	if (encoding & POINTER_PCREL)
		start += from;
	length = take(&b, size);
	return start ? add(out, start, length) : 0;
}

static int from_unwind(const Elf_Data *data, uint64_t address, struct chess_functions *out)
{
	const uint8_t *begin = data->d_buf, *p = begin, *end = begin + data->d_size, *cie;
	uint32_t length, id;
	uint8_t encoding;
	int ret = 0;

	while (!ret && end - p >= 8) {
		memcpy(&length, p, 4);
		memcpy(&id, p + 4, 4);
		/* 0 ends it; ~0 announces 64-bit lengths, which nobody writes */
		if (!length || length > (size_t)(end - p - 4) || length < 4)
			break;
		/* So far in front of the word that says it; it ends before this entry. */
		if (id >= CIE_LEAST + 4 && id <= (size_t)(p + 4 - begin)) {
			cie = p + 4 - id;
			encoding = read_cie((struct bytes) { cie + 8, p, 0 });
			ret = read_fde((struct bytes) { p + 8, p + 4 + length,
							address + (p + 8 - begin) }, encoding, out);
		}
		p += 4 + length;
	}
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct chess_function *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->size > y->size ? -1 : x->size < y->size;
}

/* One range begins where another has not ended: what lies in it is dropped, the rest kept. */
static void merge(struct chess_functions *f)
{
	uint64_t end = 0;
	size_t i, n = 0;

	if (f->n)
		qsort(f->v, f->n, sizeof(*f->v), compare);
	for (i = 0; i < f->n; i++) {
		struct chess_function one = f->v[i];

		if (one.address + one.size <= end || one.address + one.size < one.address)
			continue;
		if (one.address < end) {
			one.size -= end - one.address;
			one.address = end;
		}
		end = one.address + one.size;
		f->v[n++] = one;
	}
	f->n = n;
}

int chess_functions_find(Elf *elf, const char *name, struct chess_functions *out)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t strings;
	const char *section;
	int ret = 0;

	if (elf_getshdrstrndx(elf, &strings))
		return 0;
	while (!ret && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) {
			ret = from_symbols(elf, scn, &sh, name, out);
			continue;
		}
		section = elf_strptr(elf, strings, sh.sh_name);
		if (name || !section || strcmp(section, ".eh_frame") || sh.sh_type == SHT_NOBITS)
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			ret = from_unwind(data, sh.sh_addr, out);
	}
	merge(out);
	return ret;
}

bool chess_functions_offset(Elf *elf, uint64_t addr, uint64_t *offset)
{
	GElf_Phdr ph;
	size_t n, i;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X))
			continue;
		if (addr >= ph.p_vaddr && addr - ph.p_vaddr < ph.p_filesz) {
			*offset = addr - ph.p_vaddr + ph.p_offset;
			return true;
		}
	}
	return false;
}
