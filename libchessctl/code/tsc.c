// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See tsc.h. Few files have such an instruction, so its bytes are looked for first, and only
 * the functions around them are decoded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "array.h"
#include "code/functions.h"
#include "code/tsc.h"
#include "internal.h"

static int push(struct chess_tsc *t, uint64_t address)
{
	if (chess_array_room(&t->v, &t->room, t->n + 1, sizeof(*t->v)))
		return chess_set_error(ENOMEM, "no memory for a list of instructions");
	t->v[t->n++] = address;
	return 0;
}

static bool has_candidate(const uint8_t *code, size_t size)
{
	return memmem(code, size, "\x0f\x31", 2) || memmem(code, size, "\x0f\x01\xf9", 3);
}

/* Prefixes change nothing here and are not met with: the module knows the bare instructions. */
static bool is_tsc(const ZydisDecodedInstruction *insn)
{
	return (insn->mnemonic == ZYDIS_MNEMONIC_RDTSC && insn->length == 2) ||
	       (insn->mnemonic == ZYDIS_MNEMONIC_RDTSCP && insn->length == 3);
}

static int scan_function(const ZydisDecoder *decoder, const uint8_t *code, size_t size,
			 uint64_t address, struct chess_tsc *out)
{
	ZydisDecodedInstruction insn;
	size_t at = 0, known = out->n;
	int ret = 0;

	while (at < size && !ret) {
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(decoder, NULL, code + at, size - at,
							      &insn))) {
			out->n = known;
			break;
		}
		if (is_tsc(&insn))
			ret = push(out, address + at);
		at += insn.length;
	}
	return ret;
}

static int scan_section(const ZydisDecoder *decoder, const struct chess_functions *functions,
			const GElf_Shdr *sh, const Elf_Data *data, struct chess_tsc *out)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < functions->n && !ret; i++) {
		const struct chess_function *f = &functions->v[i];
		uint64_t at = f->address - sh->sh_addr;
		const uint8_t *code = (const uint8_t *)data->d_buf + at;

		if (f->address < sh->sh_addr || at >= data->d_size || f->size > data->d_size - at)
			continue;
		if (has_candidate(code, f->size))
			ret = scan_function(decoder, code, f->size, f->address, out);
	}
	return ret;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Its readings are for LD_DEBUG=statistics alone, and are many in each start. */
static bool is_loader(const char *path)
{
	const char *base = strrchr(path, '/');

	return !strncmp(base ? base + 1 : path, "ld-linux", strlen("ld-linux"));
}

int chess_tsc_find(Elf *elf, const char *path, struct chess_tsc *out)
{
	struct chess_functions functions = { 0 };
	Elf_Scn *scn = NULL;
	ZydisDecoder decoder;
	Elf_Data *data;
	GElf_Shdr sh;
	int ret = 0;

	if (is_loader(path))
		return 0;
	/* Operands say nothing here. */
	if (ZYAN_FAILED(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)) ||
	    ZYAN_FAILED(ZydisDecoderEnableMode(&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_FALSE)))
		return chess_set_error(EINVAL, "the decoder of instructions cannot be set up");
	while (!ret && (scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_EXECINSTR) ||
		    sh.sh_type == SHT_NOBITS)
			continue;
		data = elf_rawdata(scn, NULL);
		if (!data || !data->d_buf || !has_candidate(data->d_buf, data->d_size))
			continue;
		if (!functions.n)
			ret = chess_functions_find(elf, NULL, &functions);
		if (!ret)
			ret = scan_section(&decoder, &functions, &sh, data, out);
	}
	free(functions.v);
	if (out->n)
		qsort(out->v, out->n, sizeof(*out->v), compare);
	if (ret) {
		free(out->v);
		*out = (struct chess_tsc){ 0 };
	}
	return ret;
}
