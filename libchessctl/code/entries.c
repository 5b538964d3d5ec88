// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See entries.h. sites.c calls.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array.h"
#include "code/elf_file.h"
#include "code/entries.h"
#include "code/functions.h"
#include "internal.h"

/* It accesses the file itself already, which is unmapped as a whole. */
static bool is_on_file(const struct chess_site *site)
{
	unsigned int i;

	for (i = 0; i < site->n; i++)
		if (site->operand[i].base == CHESS_REG_RIP)
			return true;
	return false;
}

/* @known: so many of them are in order of offsets, and others may follow */
static int add(struct chess_sites *s, size_t known, const struct chess_site *site)
{
	struct chess_sites old = { .v = s->v, .n = known };
	struct chess_site *there = (struct chess_site *)chess_sites_at(&old, site->offset);

	if (there) {
		if (there->n < CHESS_OPERANDS_MAX && !is_on_file(there))
			there->operand[there->n++] = site->operand[0];
		return 0;
	}
	if (chess_array_room(&s->v, &s->room, s->n + 1, sizeof(*s->v)))
		return chess_set_error(ENOMEM, "no memory for the functions of a file");
	s->v[s->n++] = *site;
	return 0;
}

/* One whose first instruction is none that can be decoded has no site. */
static int add_entry(const struct chess_elf_file *file, uint64_t address,
		     const struct chess_operand *reads, size_t known, struct chess_sites *s)
{
	struct chess_site site = { .address = address, .n = 1, .operand = { *reads } };
	uint8_t code[ZYDIS_MAX_INSTRUCTION_LENGTH];
	struct chess_insn insn;
	ssize_t n;

	if (!chess_functions_offset(file->elf, address, &site.offset))
		return 0;
	n = pread(file->fd, code, sizeof(code), site.offset);
	if (n <= 0 || chess_operands_decode(code, n, &insn))
		return 0;
	site.length = insn.length;
	return add(s, known, &site);
}

/* @name: NULL: all functions. Return: how many there are, or a negative errno */
static int add_functions(const char *path, const char *name, const struct chess_operand *reads,
			 struct chess_sites *s)
{
	struct chess_functions f = { 0 };
	struct chess_elf_file file;
	size_t i, known = s->n;
	int ret;

	ret = chess_elf_open(path, &file);
	if (ret)
		return ret;
	ret = chess_functions_find(file.elf, name, &f);
	for (i = 0; i < f.n && !ret; i++)
		ret = add_entry(&file, f.v[i].address, reads, known, s);
	chess_sites_sort(s);
	free(f.v);
	chess_elf_close(&file);
	return ret ? ret : (int)f.n;
}

int chess_entries_add(const char *path, struct chess_sites *s)
{
	/* Relative to rip, an operand is so to the instruction's first byte. */
	const struct chess_operand own_code = {
		.size = 1, .flags = CHESS_OPERAND_READ, .base = CHESS_REG_RIP,
		.index = CHESS_REG_NONE,
	};
	int n = add_functions(path, NULL, &own_code, s);

	if (n >= 0 && !s->instructions)
		s->instructions = n;
	return n < 0 ? n : 0;
}

int chess_entries_add_state(const char *path, const char *name, uint64_t state, uint16_t size,
			    struct chess_sites *s)
{
	const struct chess_operand reads = {
		.disp = state, .size = size, .flags = CHESS_OPERAND_READ, .base = CHESS_REG_NONE,
		.index = CHESS_REG_NONE,
	};
	int n = add_functions(path, name, &reads, s);

	return n < 0 ? n : 0;
}
