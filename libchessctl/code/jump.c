// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See jump.h. A jump takes five bytes. What it stands on must be whole instructions that can be
 * executed elsewhere, and once more if a signal comes between them (insn.c), and nothing may jump
 * to any but the first of them. In Debian's libc the lock functions begin with loads, and that is
 * all there is to them; a function that begins with a push keeps its trap.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code/elf_file.h"
#include "code/functions.h"
#include "code/insn.h"
#include "code/jump.h"

#define JUMP_BYTES 5
/* How far a short jump reaches, with its own two bytes. */
#define SHORT_REACH 130

/* The module has the same list: ops at which a task only goes on or not. */
static bool may_be_noted(const struct chess_probe *p)
{
	if (!p->id || p->flags || p->object_arg != 1 || p->second_arg ||
	    p->op_flags & CHESS_OPF_YIELD)
		return false;
	return p->op == CHESS_OP_LOCK || p->op == CHESS_OP_UNLOCK || p->op == CHESS_OP_RDLOCK ||
	       p->op == CHESS_OP_WRLOCK || p->op == CHESS_OP_SEM_POST;
}

/* Traps that displace several instructions, by offset in the file. */
struct wide {
	struct chess_probe *v;
	int n;
};

static void drop_target(struct wide *w, uint64_t target)
{
	int i;

	for (i = 0; i < w->n; i++)
		if (target > w->v[i].offset && target < w->v[i].offset + w->v[i].orig_len)
			w->v[i].flags = 0;
}

/* Bytes that are a jump or a call over any distance, wherever they stand. */
static void scan_far(struct wide *w, const uint8_t *code, size_t size, uint64_t offset)
{
	uint64_t first = w->v[0].offset, end = w->v[w->n - 1].offset + CHESS_PROBE_ORIG_MAX;
	uint64_t target;
	int32_t distance;
	size_t i;

	for (i = 0; i + 5 <= size; i++) {
		/* Those after 0f are of four bytes, too, and are met one byte later. */
		if ((code[i] & 0xfe) != 0xe8 && (!i || code[i - 1] != 0x0f || code[i] >> 4 != 8))
			continue;
		memcpy(&distance, code + i + 1, sizeof(distance));
		target = offset + i + 5 + distance;
		if (target > first && target < end)
			drop_target(w, target);
	}
}

/* Short ones. Many bytes look like one, so a function is decoded from its beginning. */
static void scan_near(struct wide *w, const ZydisDecoder *decoder, const uint8_t *code,
		      size_t size, uint64_t offset)
{
	ZydisDecodedInstruction insn;
	size_t at = 0;

	while (at < size && ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(decoder, NULL, code + at,
								       size - at, &insn))) {
		at += insn.length;
		if (insn.raw.imm[0].is_relative)
			drop_target(w, offset + at + insn.raw.imm[0].value.s);
	}
}

static bool is_near(const struct wide *w, uint64_t from, uint64_t to)
{
	int i;

	for (i = 0; i < w->n; i++)
		if (from < w->v[i].offset + SHORT_REACH && w->v[i].offset < to + SHORT_REACH)
			return true;
	return false;
}

static int scan_functions(struct wide *w, Elf *elf, const GElf_Shdr *sh, const uint8_t *code)
{
	struct chess_functions f = { 0 };
	ZydisDecoder decoder;
	uint64_t at, offset;
	int ret = chess_insn_decoder(&decoder);
	size_t i;

	if (!ret)
		ret = chess_functions_find(elf, NULL, &f);
	for (i = 0; i < f.n && !ret; i++) {
		at = f.v[i].address - sh->sh_addr;
		if (f.v[i].address < sh->sh_addr || at >= sh->sh_size ||
		    f.v[i].size > sh->sh_size - at)
			continue;
		offset = sh->sh_offset + at;
		if (is_near(w, offset, offset + f.v[i].size))
			scan_near(w, &decoder, code + at, f.v[i].size, offset);
	}
	free(f.v);
	return ret;
}

static int drop_targets(struct wide *w, Elf *elf)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	int ret = 0;

	while (!ret && (scn = chess_elf_next_code(elf, scn, &sh, &data))) {
		scan_far(w, data->d_buf, data->d_size, sh.sh_offset);
		if (data->d_size == sh.sh_size)
			ret = scan_functions(w, elf, &sh, data->d_buf);
	}
	return ret;
}

static void widen(struct wide *w, int fd, const struct chess_probe *probes, int n)
{
	uint8_t code[CHESS_PROBE_ORIG_MAX];
	ssize_t got;
	int i;

	for (i = 0; i < n; i++) {
		struct chess_probe p = probes[i];

		if (!may_be_noted(&p))
			continue;
		got = pread(fd, code, sizeof(code), p.offset);
		if (got < JUMP_BYTES || chess_insn_displace_more(code, got, JUMP_BYTES, &p))
			continue;
		/* Another trap within it has to be hit. */
		if (i + 1 < n && probes[i + 1].offset < p.offset + p.orig_len)
			continue;
		p.flags = CHESS_PROBE_JUMP;
		w->v[w->n++] = p;
	}
}

int chess_jump_may_replace(const char *path, struct chess_probe *probes, int n)
{
	struct wide w = { .v = calloc(n ? n : 1, sizeof(*w.v)) };
	struct chess_elf_file file;
	int i, k = 0, ret = 0;

	if (!w.v)
		return chess_set_error(ENOMEM, "no memory for traps in %s", path);
	ret = chess_elf_open(path, &file);
	if (ret)
		goto out;
	widen(&w, file.fd, probes, n);
	if (w.n)
		ret = drop_targets(&w, file.elf);
	for (i = 0; i < n && k < w.n && !ret; i++)
		if (probes[i].offset == w.v[k].offset) {
			if (w.v[k].flags)
				probes[i] = w.v[k];
			k++;
		}
	chess_elf_close(&file);
out:
	free(w.v);
	return ret;
}
