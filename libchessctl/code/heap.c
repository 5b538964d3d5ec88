// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See heap.h. Functions are found by names that no other heap has. Memory is taken back at
 * the entry of free() and realloc(), and handed out at each return of those that allocate;
 * the module reads there how large the piece is.
 *
 * A function may end in a jump to another one: memalign() in one that has no name,
 * realloc() in malloc(). What is jumped to returns for it, so its returns get traps, too.
 * Only calloc() ends in what is not part of the heap, memset(), of the piece it returns: the
 * trap is at the jump.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <Zydis/Zydis.h>

#include "array.h"
#include "code/functions.h"
#include "code/heap.h"
#include "code/insn.h"

/* The longest function of a heap. */
#define CODE_BYTES	65536
/* Functions that are looked through, at most; glibc 2.36 has six. */
#define SEEN_MAX	32

static const struct {
	const char *name;
	uint8_t flags;
} takers[] = {
	{ "__libc_free", CHESS_PROBE_FREE },
	{ "__libc_realloc", CHESS_PROBE_FREE | CHESS_PROBE_RESIZE },
};
static const char *const givers[] = {
	"__libc_malloc", "__libc_realloc", "__libc_memalign", "__libc_valloc", "__libc_pvalloc",
};

/**
 * struct heap - the heap of a file
 * @elf: the file
 * @fd: the same
 * @decoder: of its instructions
 * @all: its functions
 * @seen: those that were looked through, or are not to be, by address
 * @n_seen: how many
 * @list: traps so far
 * @n: how many
 */
struct heap {
	Elf *elf;
	int fd;
	ZydisDecoder decoder;
	struct chess_functions all;
	uint64_t seen[SEEN_MAX];
	size_t n_seen;
	struct chess_probe **list;
	int *n;
};

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for the traps of a heap");
}

/* An instruction that cannot be run elsewhere gets none. */
static int push(struct heap *h, uint64_t address, uint8_t flags, uint8_t argument)
{
	unsigned char code[ZYDIS_MAX_INSTRUCTION_LENGTH];
	struct chess_probe *p;
	uint64_t offset;
	ssize_t got;

	if (chess_array_resize(h->list, *h->n + 1, sizeof(*p)))
		return no_memory();
	if (!chess_functions_offset(h->elf, address, &offset))
		return 0;
	p = &(*h->list)[*h->n];
	got = pread(h->fd, code, sizeof(code), offset);
	memset(p, 0, sizeof(*p));
	if (got <= 0 || chess_insn_displace(code, got, p))
		return 0;
	p->offset = offset;
	p->flags = flags;
	p->object_arg = argument;
	++*h->n;
	return 0;
}

/* Where the function of this name begins; 0: there is none. */
static int find(struct heap *h, const char *name, uint64_t *address)
{
	struct chess_functions f = { 0 };
	int ret = chess_functions_find(h->elf, name, &f);

	*address = !ret && f.n ? f.v[0].address : 0;
	free(f.v);
	return ret;
}

static const struct chess_function *function_at(const struct heap *h, uint64_t address)
{
	size_t i;

	for (i = 0; i < h->all.n; i++)
		if (address - h->all.v[i].address < h->all.v[i].size)
			return &h->all.v[i];
	return NULL;
}

/* False: it was before, or there are too many. */
static bool see(struct heap *h, uint64_t address)
{
	size_t i;

	for (i = 0; i < h->n_seen; i++)
		if (h->seen[i] == address)
			return false;
	if (h->n_seen == SEEN_MAX)
		return false;
	h->seen[h->n_seen++] = address;
	return true;
}

static int look_through(struct heap *h, uint64_t address, bool clears);

/* A jump out of the function that was looked through. */
static int follow(struct heap *h, const ZydisDecodedInstruction *insn, uint64_t at,
		  uint64_t target, bool clears)
{
	if (!clears)
		return look_through(h, target, false);
	return insn->mnemonic == ZYDIS_MNEMONIC_JMP ? push(h, at, CHESS_PROBE_ALLOCATED, 1) : 0;
}

static int take_instruction(struct heap *h, const ZydisDecodedInstruction *insn, uint64_t at,
			    const struct chess_function *f, bool clears)
{
	uint64_t target = at + insn->length + insn->raw.imm[0].value.s;

	if (insn->meta.category == ZYDIS_CATEGORY_RET)
		return push(h, at, CHESS_PROBE_ALLOCATED, 0);
	if ((insn->meta.category != ZYDIS_CATEGORY_COND_BR &&
	     insn->meta.category != ZYDIS_CATEGORY_UNCOND_BR) ||
	    !insn->raw.imm[0].is_relative || target - f->address < f->size)
		return 0;
	return follow(h, insn, at, target, clears);
}

static bool decode(const struct heap *h, const unsigned char *code, size_t size, size_t at,
		   ZydisDecodedInstruction *insn)
{
	return ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&h->decoder, NULL, code + at, size - at,
							  insn));
}

/* Is it instructions from end to end? A trap on anything else would corrupt the program. */
static bool is_code(const struct heap *h, const unsigned char *code, size_t size)
{
	ZydisDecodedInstruction insn;
	size_t at;

	for (at = 0; at < size; at += insn.length)
		if (!decode(h, code, size, at, &insn))
			return false;
	return true;
}

/* The function that @address is in, and those it jumps to. @clears: it may end in memset(). */
static int look_through(struct heap *h, uint64_t address, bool clears)
{
	const struct chess_function *f = function_at(h, address);
	ZydisDecodedInstruction insn;
	unsigned char *code;
	uint64_t offset;
	size_t at;
	int ret = 0;

	if (!f || f->size > CODE_BYTES || !chess_functions_offset(h->elf, f->address, &offset) ||
	    !see(h, f->address))
		return 0;
	code = malloc(f->size);
	if (!code)
		return no_memory();
	if (pread(h->fd, code, f->size, offset) == (ssize_t)f->size && is_code(h, code, f->size))
		for (at = 0; at < f->size && !ret; at += insn.length) {
			if (!decode(h, code, f->size, at, &insn))
				break;
			ret = take_instruction(h, &insn, f->address + at, f, clears);
		}
	free(code);
	return ret;
}

/* Not so a program that is linked statically: there everybody calls directly. */
static bool is_library(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr sh;
	GElf_Dyn dyn;
	int i;

	while ((section = elf_nextscn(elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, &sh) || sh.sh_type != SHT_DYNAMIC)
			continue;
		data = elf_getdata(section, NULL);
		for (i = 0; data && gelf_getdyn(data, i, &dyn); i++)
			if (dyn.d_tag == DT_SONAME)
				return true;
	}
	return false;
}

static int add_takers(struct heap *h)
{
	uint8_t own = is_library(h->elf) ? CHESS_PROBE_OWN : 0;
	uint64_t address;
	size_t i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(takers); i++) {
		ret = find(h, takers[i].name, &address);
		if (!ret && address)
			ret = push(h, address, takers[i].flags | own, 0);
	}
	return ret;
}

static int add_givers(struct heap *h)
{
	uint64_t address;
	size_t i;
	int ret = find(h, "__libc_free", &address);

	if (ret || !address)
		return ret;
	/* It returns nothing, whoever jumps to it. */
	see(h, address);
	if (ZYAN_FAILED(ZydisDecoderInit(&h->decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return chess_set_error(EINVAL, "the decoder of instructions cannot be set up");
	ret = chess_functions_find(h->elf, NULL, &h->all);
	if (!ret)
		ret = find(h, "__libc_calloc", &address);
	if (!ret && address)
		ret = look_through(h, address, true);
	for (i = 0; !ret && i < ARRAY_SIZE(givers); i++) {
		ret = find(h, givers[i], &address);
		if (!ret && address)
			ret = look_through(h, address, false);
	}
	free(h->all.v);
	return ret;
}

static int by_offset(const void *a, const void *b)
{
	const struct chess_probe *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* In order of their places in the file. */
static int find_traps(int fd, bool givers_too, struct chess_probe **list, int *n)
{
	struct heap h = { .fd = fd, .list = list, .n = n };
	int ret = 0;

	elf_version(EV_CURRENT);
	h.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (h.elf)
		ret = add_takers(&h);
	if (h.elf && !ret && givers_too)
		ret = add_givers(&h);
	elf_end(h.elf);
	if (!ret && *n)
		qsort(*list, *n, sizeof(**list), by_offset);
	return ret;
}

int chess_heap_takers(int fd, struct chess_probe **list, int *n)
{
	return find_traps(fd, false, list, n);
}

int chess_heap_own(int fd, uint64_t *start, uint64_t *end)
{
	struct chess_functions f = { 0 };
	Elf *elf;
	int ret = -ENOENT;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && !chess_functions_find(elf, "__libc_malloc", &f) && f.n &&
	    chess_functions_offset(elf, f.v[0].address, start)) {
		*end = *start + f.v[0].size;
		ret = 0;
	}
	free(f.v);
	elf_end(elf);
	return ret;
}

int chess_heap_probes(int fd, struct chess_probe **list, int *n)
{
	return find_traps(fd, true, list, n);
}
