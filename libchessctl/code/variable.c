// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What lies at an address. Uninitialised data of a program is memory without a file, so
 * images are asked before mappings.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chessctl/races.h"
#include "code/image.h"
#include "code/memcalls.h"

/* The smallest object that @at is in. */
static void find_symbol(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, uint64_t at, uint64_t *best,
			struct chess_variable *out)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Sym sym;
	size_t i;

	for (i = 0; data && sh->sh_entsize && i < sh->sh_size / sh->sh_entsize; i++) {
		if (!gelf_getsym(data, i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_OBJECT ||
		    sym.st_shndx == SHN_UNDEF || at < sym.st_value ||
		    at - sym.st_value >= sym.st_size || sym.st_size >= *best)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (!name)
			continue;
		*best = sym.st_size;
		out->kind = CHESS_VARIABLE_SYMBOL;
		out->offset = at - sym.st_value;
		/* .symtab has versions after an @ */
		snprintf(out->name, sizeof(out->name), "%.*s", (int)strcspn(name, "@"), name);
	}
}

static void look_into(Elf *elf, uint64_t at, struct chess_variable *out)
{
	uint64_t best = UINT64_MAX;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t strings;
	const char *name;

	out->value = at;
	if (elf_getshdrstrndx(elf, &strings))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		if (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) {
			find_symbol(elf, scn, &sh, at, &best, out);
			continue;
		}
		name = elf_strptr(elf, strings, sh.sh_name);
		if (!name || !(sh.sh_flags & SHF_ALLOC) || sh.sh_flags & SHF_TLS ||
		    at < sh.sh_addr || at - sh.sh_addr >= sh.sh_size)
			continue;
		snprintf(out->section, sizeof(out->section), "%s", name);
		if (out->kind == CHESS_VARIABLE_SYMBOL)
			continue;
		out->kind = CHESS_VARIABLE_SECTION;
		out->offset = at - sh.sh_addr;
		snprintf(out->name, sizeof(out->name), "%s", name);
	}
}

static bool in_image(const struct chess_image *image, uint64_t address, struct chess_variable *out)
{
	Elf *elf;
	int fd;

	fd = open(image->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf)
		look_into(elf, address - image->bias, out);
	elf_end(elf);
	close(fd);
	if (out->kind == CHESS_VARIABLE_UNKNOWN)
		return false;
	snprintf(out->path, sizeof(out->path), "%s", image->path);
	return true;
}

static int kind_of(const struct chess_mapping *m)
{
	if (!strcmp(m->path, "[heap]"))
		return CHESS_VARIABLE_HEAP;
	if (!strcmp(m->path, "[stack]"))
		return CHESS_VARIABLE_STACK;
	return m->path[0] == '/' ? CHESS_VARIABLE_FILE : CHESS_VARIABLE_MEMORY;
}

void chess_variable_find(const char *maps, uint64_t address, struct chess_variable *out)
{
	const char *text = maps, *state;
	struct chess_image image;
	struct chess_mapping m;

	memset(out, 0, sizeof(*out));
	state = chess_memcalls_state(address);
	if (state) {
		out->kind = CHESS_VARIABLE_SYMBOL;
		snprintf(out->name, sizeof(out->name), "%s", state);
		return;
	}
	while ((text = chess_image_next(text, &image)))
		if (address >= image.start && address < image.end &&
		    in_image(&image, address, out))
			return;
	for (text = maps; (text = chess_mapping_next(text, &m));) {
		if (address < m.start || address >= m.end)
			continue;
		out->kind = kind_of(&m);
		out->offset = address - m.start;
		if (out->kind == CHESS_VARIABLE_FILE)
			snprintf(out->path, sizeof(out->path), "%s", m.path);
	}
}
