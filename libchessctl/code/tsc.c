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
#include "code/elf_file.h"
#include "code/functions.h"
#include "code/insn.h"
#include "code/tsc.h"
#include "internal.h"

static int push(struct chess_tsc *t, uint64_t address)
{
	if (chess_array_room(&t->v, &t->room, t->n + 1, sizeof(*t->v)))
		return chess_set_error(ENOMEM, "no memory for a list of instructions");
	t->v[t->n++] = address;
	return 0;
}

/* Where the bytes of one are next, at @at or after it; @size: nowhere. */
static size_t candidate(const uint8_t *code, size_t size, size_t at)
{
	const uint8_t *p;

	while (at + 1 < size && (p = memchr(code + at, 0x0f, size - at - 1))) {
		at = p - code;
		if (p[1] == 0x31 || (p[1] == 0x01 && at + 2 < size && p[2] == 0xf9))
			return at;
		at++;
	}
	return size;
}

/* Prefixes change nothing here and are not met with: the module knows the bare instructions. */
static bool is_tsc(const ZydisDecodedInstruction *insn)
{
	return (insn->mnemonic == ZYDIS_MNEMONIC_RDTSC && insn->length == 2) ||
	       (insn->mnemonic == ZYDIS_MNEMONIC_RDTSCP && insn->length == 3);
}

/* Most candidates are within another instruction: then that is where decoding ends. */
static int scan_function(const ZydisDecoder *decoder, const uint8_t *code, size_t size,
			 uint64_t address, struct chess_tsc *out)
{
	size_t at = 0, known = out->n, next = candidate(code, size, 0);
	ZydisDecodedInstruction insn;
	int ret = 0;

	while (at < size && !ret) {
		while (next < at)
			next = candidate(code, size, next + 1);
		if (next == size && out->n == known)
			break;
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

/* For bsearch(): is the address, the key, in the function? */
static int compare(const void *key, const void *function)
{
	const struct chess_function *f = function;
	const uint64_t *address = key;

	return *address < f->address ? -1 : *address - f->address >= f->size;
}

static int scan_section(const ZydisDecoder *decoder, const struct chess_functions *functions,
			const GElf_Shdr *sh, const Elf_Data *data, struct chess_tsc *out)
{
	const struct chess_function *f;
	const uint8_t *code = data->d_buf;
	size_t at = 0, size = data->d_size;
	uint64_t address;
	int ret = 0;

	while (!ret && (at = candidate(code, size, at)) < size) {
		address = sh->sh_addr + at++;
		f = functions->n ? bsearch(&address, functions->v, functions->n,
					   sizeof(*functions->v), compare) : NULL;
		if (!f || f->address < sh->sh_addr ||
		    f->size > size - (f->address - sh->sh_addr))
			continue;
		ret = scan_function(decoder, code + (f->address - sh->sh_addr), f->size,
				    f->address, out);
		at = f->address + f->size - sh->sh_addr;
	}
	return ret;
}

/*
 * The loader's readings, many in each start, are for LD_DEBUG=statistics alone. The C library's
 * decide how long an adaptive mutex spins, which no point shows.
 */
static bool is_harmless(const char *path)
{
	static const char *const names[] = { "ld-linux", "libc.so.", "libc-2." };
	const char *base = strrchr(path, '/');
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strncmp(base ? base + 1 : path, names[i], strlen(names[i])))
			return true;
	return false;
}

int chess_tsc_find(Elf *elf, const char *path, struct chess_tsc *out)
{
	struct chess_functions functions = { 0 };
	Elf_Scn *scn = NULL;
	ZydisDecoder decoder;
	Elf_Data *data;
	GElf_Shdr sh;
	int ret;

	if (is_harmless(path))
		return 0;
	ret = chess_insn_decoder(&decoder);
	while (!ret && (scn = chess_elf_next_code(elf, scn, &sh, &data))) {
		if (candidate(data->d_buf, data->d_size, 0) == data->d_size)
			continue;
		if (!functions.n)
			ret = chess_functions_find(elf, NULL, &functions);
		if (!ret)
			ret = scan_section(&decoder, &functions, &sh, data, out);
	}
	free(functions.v);
	if (ret) {
		free(out->v);
		*out = (struct chess_tsc){ 0 };
	}
	return ret;
}
