// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See image.h.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "code/elf_file.h"
#include "code/image.h"

const char *chess_mapping_next(const char *text, struct chess_mapping *m)
{
	const char *end;
	int at = 0;

	memset(m, 0, sizeof(*m));
	if (sscanf(text, "%lx-%lx %*s %lx %*s %*s%n", &m->start, &m->end, &m->offset, &at) < 3)
		return NULL;
	text += at;
	while (*text == ' ')
		text++;
	end = text + strcspn(text, "\n");
	snprintf(m->path, sizeof(m->path), "%.*s", (int)(end - text), text);
	return *end ? end + 1 : end;
}

static bool span(Elf *elf, struct chess_image *out)
{
	bool any = false;
	GElf_Phdr ph;
	size_t n, i;

	if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &n))
		return false;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD)
			continue;
		if (!any)
			out->bias = out->start - (ph.p_vaddr - ph.p_offset);
		any = true;
		out->end = out->bias + ph.p_vaddr + ph.p_memsz;
	}
	return any;
}

static bool is_image(const struct chess_mapping *m, struct chess_image *out)
{
	bool found;
	Elf *elf;
	int fd;

	if (m->path[0] != '/' || m->offset)
		return false;
	fd = open(m->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	memset(out, 0, sizeof(*out));
	out->start = m->start;
	snprintf(out->path, sizeof(out->path), "%s", m->path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	found = elf && span(elf, out);
	elf_end(elf);
	close(fd);
	return found;
}

const char *chess_image_next(const char *text, struct chess_image *out)
{
	struct chess_mapping m;

	while ((text = chess_mapping_next(text, &m)))
		if (is_image(&m, out))
			return text;
	return NULL;
}

bool chess_image_variables(const struct chess_image *image, uint64_t *start, uint64_t *end)
{
	struct chess_elf_file file;
	uint64_t constant = 0;
	GElf_Phdr ph;
	size_t n, i;

	*start = *end = 0;
	if (chess_elf_open(image->path, &file))
		return false;
	if (elf_getphdrnum(file.elf, &n))
		n = 0;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(file.elf, i, &ph))
			continue;
		if (ph.p_type == PT_GNU_RELRO)
			constant = image->bias + ph.p_vaddr + ph.p_memsz;
		if (ph.p_type != PT_LOAD || !(ph.p_flags & PF_W))
			continue;
		if (!*start)
			*start = image->bias + ph.p_vaddr;
		*end = image->bias + ph.p_vaddr + ph.p_memsz;
	}
	chess_elf_close(&file);
	if (constant > *start && constant <= *end)
		*start = constant;
	return *start < *end;
}

static uint64_t value_of(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *name)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *other;
	GElf_Sym sym;
	size_t i;

	for (i = 0; data && sh->sh_entsize && i < sh->sh_size / sh->sh_entsize; i++) {
		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF)
			continue;
		other = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (other && !strcmp(other, name))
			return sym.st_value;
	}
	return 0;
}

uint64_t chess_image_symbol(const struct chess_image *image, const char *name)
{
	struct chess_elf_file file;
	Elf_Scn *scn = NULL;
	uint64_t value = 0;
	GElf_Shdr sh;

	if (chess_elf_open(image->path, &file))
		return 0;
	while (!value && (scn = elf_nextscn(file.elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM)
			value = value_of(file.elf, scn, &sh, name);
	chess_elf_close(&file);
	return value ? image->bias + value : 0;
}
