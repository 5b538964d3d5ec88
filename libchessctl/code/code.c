// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds instructions in an ELF file whose result no schedule decides: the time
 * stamp counter, the random number generator, what the processor says about itself.
 * Those that read the time stamp counter and get a trap (tsc.h) are left out.
 * chessctl doctor asks for the files of a program.
 *
 * Code is read from the start of each section to its end, one instruction after
 * the other. Bytes that are none (tables of hand-written assembly) are skipped one
 * by one; after them a wrong instruction may be seen, so this is a hint.
 */
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "array.h"
#include "code/elf_file.h"
#include "code/insn.h"
#include "code/tsc.h"
#include "internal.h"

static const struct {
	ZydisMnemonic mnemonic;
	const char *name;
} caught[] = {
	{ ZYDIS_MNEMONIC_RDTSC, "rdtsc" },
	{ ZYDIS_MNEMONIC_RDTSCP, "rdtscp" },
	{ ZYDIS_MNEMONIC_RDPID, "rdpid" },
	{ ZYDIS_MNEMONIC_RDRAND, "rdrand" },
	{ ZYDIS_MNEMONIC_RDSEED, "rdseed" },
	{ ZYDIS_MNEMONIC_CPUID, "cpuid" },
};

struct sites {
	struct chess_code_site *v;
	size_t n, room;
};

/* Each of them has one of these in it; most sections have none and end here. */
static bool has_candidate(const uint8_t *code, size_t size)
{
	static const uint8_t pairs[][2] = { { 0x0f, 0x31 }, { 0x0f, 0x01 }, { 0x0f, 0xc7 },
					    { 0x0f, 0xa2 } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pairs); i++)
		if (memmem(code, size, pairs[i], sizeof(pairs[i])))
			return true;
	return false;
}

static int add_site(struct sites *s, const char *name, uint64_t address)
{
	if (chess_array_room(&s->v, &s->room, s->n + 1, sizeof(*s->v)))
		return chess_set_error(ENOMEM, "no memory for a list of instructions");
	s->v[s->n++] = (struct chess_code_site) { .instruction = name, .address = address };
	return 0;
}

static int scan_section(const ZydisDecoder *decoder, const uint8_t *code, size_t size,
			uint64_t address, struct sites *out)
{
	ZydisDecodedInstruction insn;
	size_t at = 0, i;
	int ret = 0;

	if (!has_candidate(code, size))
		return 0;
	while (at < size && !ret) {
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(decoder, NULL, code + at, size - at,
							      &insn))) {
			at++;
			continue;
		}
		for (i = 0; i < ARRAY_SIZE(caught) && !ret; i++)
			if (insn.mnemonic == caught[i].mnemonic)
				ret = add_site(out, caught[i].name, address + at);
		at += insn.length;
	}
	return ret;
}

/* The function an address lies in, from one symbol table. */
static void name_sites(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct sites *s)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const char *name;
	GElf_Sym sym;
	size_t i, k;

	for (i = 0; data && sh->sh_entsize && i < sh->sh_size / sh->sh_entsize; i++) {
		if (!gelf_getsym(data, i, &sym) || GELF_ST_TYPE(sym.st_info) != STT_FUNC ||
		    sym.st_shndx == SHN_UNDEF)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		for (k = 0; name && k < s->n; k++) {
			struct chess_code_site *c = &s->v[k];

			if (c->function || c->address < sym.st_value ||
			    c->address - sym.st_value >= sym.st_size)
				continue;
			c->function = strdup(name);
			c->offset = c->address - sym.st_value;
		}
	}
}

/* Those that get traps. */
static int drop_trapped(Elf *elf, const char *path, struct sites *s)
{
	struct chess_tsc tsc = { 0 };
	int ret = chess_tsc_find(elf, path, &tsc);
	size_t i, k, n = 0;

	for (i = 0; i < s->n && tsc.n; i++) {
		for (k = 0; k < tsc.n && tsc.v[k] != s->v[i].address; k++)
			;
		if (k == tsc.n)
			s->v[n++] = s->v[i];
	}
	if (tsc.n)
		s->n = n;
	free(tsc.v);
	return ret;
}

static int scan_file(Elf *elf, const char *path, struct sites *out)
{
	Elf_Scn *scn = NULL;
	ZydisDecoder decoder;
	Elf_Data *data;
	GElf_Shdr sh;
	int ret;

	ret = chess_insn_decoder(&decoder);
	while (!ret && (scn = chess_elf_next_code(elf, scn, &sh, &data)))
		ret = scan_section(&decoder, data->d_buf, data->d_size, sh.sh_addr, out);
	if (!ret && out->n)
		ret = drop_trapped(elf, path, out);
	/* .symtab has the local functions too. */
	while (!ret && out->n && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_SYMTAB)
			name_sites(elf, scn, &sh, out);
	while (!ret && out->n && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM)
			name_sites(elf, scn, &sh, out);
	return ret;
}

int chess_code_scan(const char *path, struct chess_code_site **out)
{
	struct sites s = { 0 };
	struct chess_elf_file file;
	int ret;

	*out = NULL;
	ret = chess_elf_open(path, &file);
	if (ret)
		return ret;
	ret = scan_file(file.elf, path, &s);
	chess_elf_close(&file);
	if (ret) {
		chess_code_sites_free(s.v, s.n);
		return ret;
	}
	*out = s.v;
	return s.n;
}

void chess_code_sites_free(struct chess_code_site *v, size_t n)
{
	while (n)
		free(v[--n].function);
	free(v);
}
