// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See access.h. Code is decoded function by function (functions.c), from the first byte
 * to the last. A trap on what is no instruction would corrupt the program, so a function
 * counts only if its last instruction ends where the function does, and every jump in it
 * leads to the start of an instruction: tables in the text break one or the other. Code
 * that belongs to no function is not looked at, but for a section that has no functions
 * at all, which is taken as one.
 *
 * Stack slots are left out: what rsp points at, and what rbp does in a function that
 * writes nothing to rbp but frames. Where a function takes the address of a slot it may
 * give it to another thread, as that of a loop's variable or of a request: that slot and
 * those above it, which may be the rest of the same variable, are not left out. An operation
 * on an atomic variable never is: it may order other accesses, and nobody has such a
 * variable for himself.
 *
 * A call of a function of the C library that accesses memory for its caller counts as an
 * instruction that does (memcalls.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "code/access.h"
#include "array.h"
#include "code/atomic.h"
#include "code/await.h"
#include "code/constants.h"
#include "code/elf_file.h"
#include "code/functions.h"
#include "code/insn.h"
#include "code/memcalls.h"

/* What the program cannot write while it runs; @data: what is there, or NULL. */
struct span {
	uint64_t start, end;
	const char *data;
};

#define CONSTANT_SPANS	16

/* As chess_insn_register() numbers it. */
#define RAX	0

/* The lowest slot of a function whose address it takes, relative to a register. */
struct taken {
	bool any;
	int64_t lowest;
};

/* An instruction of the function that is decoded. */
struct item {
	uint32_t at;
	struct chess_insn insn;
};

struct scan {
	ZydisDecoder decoder;
	const char *path;
	struct chess_sites *out;
	struct span constant[CONSTANT_SPANS];
	size_t n_constant;
	/* of one function, used again for the next */
	uint64_t begin, end;
	struct item *item;
	size_t n, room;
	struct chess_await_jump *jump;
	size_t n_jumps, jump_room;
	uint8_t *start;		/* a byte for each: 1: an instruction, 2: one with a prefix */
	size_t start_room;
	bool frames, other_rbp, syscalls;
	struct taken by_rsp, by_rbp;
	bool sync;		/* only functions that synchronize */
	struct chess_atomics atomics;
	struct chess_memcalls calls;
	struct chess_constants held;
};

static int no_memory(const struct scan *s)
{
	return chess_set_error(ENOMEM, "no memory for the instructions of %s", s->path);
}

static int grow(const struct scan *s, void *v, size_t *room, size_t n, size_t size)
{
	return chess_array_room(v, room, n, size) ? no_memory(s) : 0;
}

static bool is_register(const ZydisDecodedOperand *o, ZydisRegister reg)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->reg.value == reg;
}

static bool writes_rbp(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	unsigned int k;

	for (k = 0; k < i->operand_count; k++)
		if (o[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (o[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
		    ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
						     o[k].reg.value) == ZYDIS_REGISTER_RBP)
			return true;
	return false;
}

/* mov %rsp,%rbp, lea n(%rsp),%rbp and enter make a frame; pop and leave end it. */
static void note_rbp(struct scan *s, const ZydisDecodedInstruction *i,
		     const ZydisDecodedOperand *o)
{
	if (!writes_rbp(i, o))
		return;
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_MOV:
		if (!is_register(&o[1], ZYDIS_REGISTER_RSP))
			break;
		s->frames = true;
		return;
	case ZYDIS_MNEMONIC_LEA:
		if (o[1].mem.base != ZYDIS_REGISTER_RSP || o[1].mem.index != ZYDIS_REGISTER_NONE)
			break;
		s->frames = true;
		return;
	case ZYDIS_MNEMONIC_ENTER:
		s->frames = true;
		return;
	case ZYDIS_MNEMONIC_POP:
	case ZYDIS_MNEMONIC_LEAVE:
		return;
	default:
		break;
	}
	s->other_rbp = true;
}

static struct taken *taken_by(struct scan *s, ZydisRegister base)
{
	return base == ZYDIS_REGISTER_RSP ? &s->by_rsp :
	       base == ZYDIS_REGISTER_RBP ? &s->by_rbp : NULL;
}

/* lea n(%rbp),%reg and mov %rsp,%reg, but not into these two themselves. */
static void note_taken(struct scan *s, const ZydisDecodedInstruction *i,
		       const ZydisDecodedOperand *o)
{
	bool lea = i->mnemonic == ZYDIS_MNEMONIC_LEA;
	struct taken *t = NULL;
	int64_t at = 0;

	if ((!lea && i->mnemonic != ZYDIS_MNEMONIC_MOV) ||
	    o[0].type != ZYDIS_OPERAND_TYPE_REGISTER || taken_by(s, o[0].reg.value))
		return;
	if (lea) {
		t = taken_by(s, o[1].mem.base);
		at = o[1].mem.disp.has_displacement ? o[1].mem.disp.value : 0;
	} else if (o[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
		t = taken_by(s, o[1].reg.value);
	}
	if (!t)
		return;
	t->lowest = t->any && t->lowest < at ? t->lowest : at;
	t->any = true;
}

/* A jump within the function. */
static int note_target(struct scan *s, const ZydisDecodedInstruction *i, size_t at, size_t size)
{
	int64_t target;
	int ret;

	if (!i->raw.imm[0].is_relative)
		return 0;
	target = (int64_t)at + i->length + i->raw.imm[0].value.s;
	if (target < 0 || target >= (int64_t)size)
		return 0;
	ret = grow(s, &s->jump, &s->jump_room, s->n_jumps + 1, sizeof(*s->jump));
	if (!ret)
		s->jump[s->n_jumps++] = (struct chess_await_jump){ .from = at, .to = target };
	return ret;
}

/* glibc jumps over the lock prefix while there is one thread only. */
static bool targets_fit(const struct scan *s)
{
	size_t i;

	for (i = 0; i < s->n_jumps; i++) {
		uint32_t to = s->jump[i].to;

		if (!s->start[to] && !(to && s->start[to - 1] == 2))
			return false;
	}
	return true;
}

/* The constant that a register holds the address of, and how much may be read there; or NULL. */
static const char *text_in(const struct scan *s, uint8_t reg, size_t *size)
{
	uint64_t at;
	size_t i;

	*size = 0;
	if (reg == CHESS_REG_NONE || !(s->held.known & 1U << reg))
		return NULL;
	at = s->held.value[reg];
	for (i = 0; i < s->n_constant; i++)
		if (s->constant[i].data && at >= s->constant[i].start && at < s->constant[i].end) {
			*size = s->constant[i].end - at;
			return s->constant[i].data + (at - s->constant[i].start);
		}
	return NULL;
}

/*
 * A function that takes any number of arguments may hand them on to vprintf(): such a call says
 * in al how many vector registers it uses (System V ABI, 3.2.3), 8 at most.
 */
static void look_for_format(const struct scan *s, struct chess_insn *out)
{
	const char *format;
	unsigned int i;
	size_t size;

	if (!(s->held.known & 1U << RAX) || s->held.value[RAX] > 8)
		return;
	for (i = 1; i < CHESS_MEMCALL_ARGUMENTS; i++) {
		format = text_in(s, chess_memcall_register(i), &size);
		if (format && chess_memcall_handed_on(format, size, i, out))
			return;
	}
}

/*
 * By a stub, or by the pointer itself: call *n(%rip). A call that is the last thing a
 * function does is a jump.
 */
static void look_for_call(struct scan *s, const ZydisDecodedInstruction *i, uint64_t address,
			  struct chess_insn *out)
{
	const struct chess_memcall *function = NULL;
	uint64_t next = address + i->length, target = next + i->raw.imm[0].value.s;
	const char *format;
	size_t size;

	if (i->meta.category != ZYDIS_CATEGORY_CALL && i->mnemonic != ZYDIS_MNEMONIC_JMP)
		return;
	if (i->raw.imm[0].is_relative)
		function = chess_memcalls_find(&s->calls, target);
	else if (out->n == 1 && out->operand[0].base == CHESS_REG_RIP)
		function = chess_memcalls_find(&s->calls, next + i->raw.disp.value);
	if (function) {
		chess_memcalls_note_memstream(&s->calls, function, &s->held);
		format = text_in(s, chess_memcall_format(function), &size);
		chess_memcall_operands(&s->calls, address, function, format, size, out);
		chess_memcall_own_state(function, &s->held, out);
		chess_memcall_copy(function, i->mnemonic == ZYDIS_MNEMONIC_JMP, out);
	} else if (i->raw.imm[0].is_relative && (target < s->begin || target >= s->end) &&
		   !s->sync) {
		look_for_format(s, out);
	}
}

/* 1: it is instructions from end to end; 0: it is not; negative errno. */
static int decode(struct scan *s, const uint8_t *code, size_t size, uint64_t address)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction insn;
	ZydisDecoderContext context;
	size_t at = 0;
	int ret;

	s->n = 0;
	s->n_jumps = 0;
	s->frames = false;
	s->other_rbp = false;
	s->syscalls = false;
	s->by_rsp.any = false;
	s->by_rbp.any = false;
	s->held.known = 0;
	s->begin = address;
	s->end = address + size;
	if (size > UINT32_MAX)
		return 0;
	ret = grow(s, &s->start, &s->start_room, size, 1);
	if (ret)
		return ret;
	memset(s->start, 0, size);
	for (; at < size; at += insn.length) {
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&s->decoder, &context, code + at,
							      size - at, &insn)) ||
		    ZYAN_FAILED(ZydisDecoderDecodeOperands(&s->decoder, &context, &insn, operands,
							   insn.operand_count)))
			return 0;
		s->start[at] = insn.attributes & ZYDIS_ATTRIB_HAS_LOCK ? 2 : 1;
		ret = grow(s, &s->item, &s->room, s->n + 1, sizeof(*s->item));
		if (!ret)
			ret = note_target(s, &insn, at, size);
		if (ret)
			return ret;
		note_rbp(s, &insn, operands);
		note_taken(s, &insn, operands);
		s->syscalls |= insn.mnemonic == ZYDIS_MNEMONIC_SYSCALL;
		s->item[s->n].at = at;
		chess_operands_of(&insn, operands, &s->item[s->n].insn);
		look_for_call(s, &insn, address + at, &s->item[s->n++].insn);
		chess_constants_step(&s->held, &insn, operands, address + at);
	}
	return targets_fit(s);
}

/*
 * The address of the running thread's block, and the number that functions check their frames by:
 * the C library writes both before the thread runs, and nobody after it. Nearly each function of a
 * hardened program reads the second one, twice.
 */
static bool is_of_thread(const struct chess_operand *op)
{
	return op->segment == CHESS_BASE_FS && op->base == CHESS_REG_NONE &&
	       op->index == CHESS_REG_NONE && !op->form && op->size == sizeof(uint64_t) &&
	       !(op->flags & CHESS_OPERAND_WRITE) && (!op->disp || op->disp == 0x28);
}

static bool is_constant(const struct scan *s, const struct chess_operand *op, uint64_t address)
{
	uint64_t at = op->disp;
	size_t i;

	if (is_of_thread(op))
		return true;
	if (op->index != CHESS_REG_NONE || op->segment || op->form ||
	    (op->flags & CHESS_OPERAND_WRITE))
		return false;
	if (op->base == CHESS_REG_RIP)
		at += address;
	else if (op->base != CHESS_REG_NONE)
		return false;
	for (i = 0; i < s->n_constant; i++)
		if (at >= s->constant[i].start && at + op->size <= s->constant[i].end)
			return true;
	return false;
}

/* With an index the displacement may be that of an element that there is not. */
static bool is_taken(const struct scan *s, const struct chess_operand *op)
{
	const struct taken *t = op->base == CHESS_REG_RSP ? &s->by_rsp : &s->by_rbp;

	return !s->sync && t->any &&
	       (op->index != CHESS_REG_NONE || (int64_t)op->disp >= t->lowest);
}

static enum chess_left why_not(const struct scan *s, const struct chess_operand *op,
			       uint64_t address)
{
	bool slot = !op->segment && !(op->flags & CHESS_OPERAND_ATOMIC) && !is_taken(s, op);

	if (slot && op->base == CHESS_REG_RSP && !chess_atomics_at(&s->atomics, address))
		return CHESS_LEFT_STACK;
	if (slot && op->base == CHESS_REG_RBP && s->frames && !s->other_rbp &&
	    !chess_atomics_at(&s->atomics, address))
		return CHESS_LEFT_FRAME;
	return is_constant(s, op, address) ? CHESS_LEFT_CONSTANT : CHESS_LEFT_NOTHING;
}

/* @code goes on for @size bytes after the instruction's first. */
static int add_site(struct scan *s, const struct chess_insn *insn, const uint8_t *code,
		    uint64_t address, uint64_t offset)
{
	struct chess_site site = { .address = address, .offset = offset, .length = insn->length };
	enum chess_left left = insn->left, why;
	struct chess_probe probe;
	unsigned int i;
	int ret;

	for (i = 0; i < insn->n; i++) {
		why = why_not(s, &insn->operand[i], address);
		if (why)
			left = why;
		else
			site.operand[site.n++] = insn->operand[i];
	}
	if (site.n && chess_insn_displace(code, insn->length, &probe)) {
		site.n = 0;
		left = CHESS_LEFT_NO_SLOT;
	}
	if (!site.n) {
		if (left)
			s->out->left[left]++;
		return 0;
	}
	ret = grow(s, &s->out->v, &s->out->room, s->out->n + 1, sizeof(site));
	if (!ret)
		s->out->v[s->out->n++] = site;
	return ret;
}

/* Does it have what tasks are synchronized with by hand: an atomic instruction, a call? */
static bool synchronizes(const struct scan *s)
{
	size_t i;
	unsigned int k;

	for (i = 0; i < s->n && !s->syscalls; i++)
		for (k = 0; k < s->item[i].insn.n; k++)
			if (s->item[i].insn.operand[k].flags & CHESS_OPERAND_ATOMIC)
				return true;
	return s->syscalls;
}

/* The access at @at of a function whose sites begin with @first; NULL: it is no site. */
static struct chess_site *site_at(const struct scan *s, size_t first, uint64_t address)
{
	size_t low = first, high = s->out->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->out->v[mid].address < address)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->out->n && s->out->v[low].address == address ? &s->out->v[low] : NULL;
}

static bool can_end(const uint8_t *code, size_t size, const struct chess_await_loop *loop)
{
	struct chess_probe probe;
	unsigned int i;

	for (i = 0; i < loop->ends; i++)
		if (chess_insn_displace(code + loop->end[i], size - loop->end[i], &probe))
			return false;
	return true;
}

/* Accesses of a loop are sites; then so many turns are known of them, and where it ends. */
static int note_loop(struct scan *s, const struct chess_await_loop *loop, size_t first,
		     uint64_t offset)
{
	struct chess_sites *out = s->out;
	struct chess_site *site;
	bool any = false;
	unsigned int i;
	int ret;

	for (i = 0; i < loop->n; i++) {
		site = site_at(s, first, s->begin + loop->access[i].at);
		if (!site || site->operand->awaits)
			continue;
		site->operand->awaits = loop->access[i].turns;
		site->operand->await_op = loop->access[i].op;
		site->operand->await_source = loop->access[i].source;
		any = true;
	}
	if (!any)
		return 0;
	ret = grow(s, &out->end, &out->end_room, out->ends + loop->ends, sizeof(*out->end));
	for (i = 0; i < loop->ends && !ret; i++)
		out->end[out->ends++] = offset + loop->end[i];
	return ret;
}

static int note_loops(struct scan *s, const uint8_t *code, size_t size, size_t first,
		      uint64_t offset)
{
	struct chess_await_code c = {
		.decoder = &s->decoder, .code = code, .size = size, .start = s->start,
		.jump = s->jump, .jumps = s->n_jumps,
		.frames = s->frames && !s->other_rbp,
		.rsp_taken = s->by_rsp.any ? s->by_rsp.lowest : INT64_MAX,
		.rbp_taken = s->by_rbp.any ? s->by_rbp.lowest : INT64_MAX,
	};
	size_t i;
	int ret = 0;

	for (i = 0; i < s->n_jumps && !ret && s->out->n > first; i++) {
		struct chess_await_loop loop = { 0 };

		while (!ret && s->jump[i].to <= s->jump[i].from &&
		       chess_await_next(&c, &s->jump[i], &loop))
			if (can_end(code, size, &loop))
				ret = note_loop(s, &loop, first, offset);
	}
	return ret;
}

static int scan_function(struct scan *s, const uint8_t *code, size_t size, uint64_t address,
			 uint64_t offset)
{
	int ret = decode(s, code, size, address);
	size_t i, first = s->out->n;

	if (ret < 0)
		return ret;
	if (!ret) {
		s->out->strange++;
		s->out->strange_bytes += size;
		return 0;
	}
	if (s->sync && !synchronizes(s))
		return 0;
	s->out->functions++;
	s->out->instructions += s->n;
	for (i = 0, ret = 0; i < s->n && !ret; i++)
		ret = add_site(s, &s->item[i].insn, code + s->item[i].at, address + s->item[i].at,
			       offset + s->item[i].at);
	return ret ? ret : note_loops(s, code, size, first, offset);
}

/* Without what fills up to the next function. */
static uint64_t without_padding(const struct scan *s, const uint8_t *code, size_t size)
{
	ZydisDecodedInstruction insn;
	size_t at = 0;

	while (at < size) {
		if (code[at] == 0xcc || !code[at]) {
			at++;
			continue;
		}
		if (ZYAN_FAILED(ZydisDecoderDecodeInstruction(&s->decoder, NULL, code + at,
							      size - at, &insn)) ||
		    !chess_insn_is_nop(&insn))
			return size - at;
		at += insn.length;
	}
	return 0;
}

/* Functions within one section; @whole: what has none is one. */
static int scan_section(struct scan *s, const struct chess_functions *f, const Elf_Data *data,
			const GElf_Shdr *sh, bool whole)
{
	const uint8_t *code = data->d_buf;
	uint64_t at = sh->sh_addr, end = sh->sh_addr + data->d_size;
	size_t i, found = 0;
	int ret = 0;

	for (i = 0; i < f->n && !ret; i++) {
		const struct chess_function *fn = &f->v[i];

		if (fn->address < at || fn->address + fn->size > end)
			continue;
		found++;
		s->out->unknown_bytes += without_padding(s, code + (at - sh->sh_addr),
							 fn->address - at);
		ret = scan_function(s, code + (fn->address - sh->sh_addr), fn->size, fn->address,
				    sh->sh_offset + (fn->address - sh->sh_addr));
		at = fn->address + fn->size;
	}
	if (!ret && !found && whole)
		return scan_function(s, code, data->d_size, sh->sh_addr, sh->sh_offset);
	s->out->unknown_bytes += without_padding(s, code + (at - sh->sh_addr), end - at);
	return ret;
}

static int scan_sections(struct scan *s, Elf *elf, const struct chess_functions *f, bool named)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	size_t strings;
	const char *name;
	int ret = 0;

	if (elf_getshdrstrndx(elf, &strings))
		return 0;
	while (!ret && (scn = chess_elf_next_code(elf, scn, &sh, &data))) {
		name = elf_strptr(elf, strings, sh.sh_name);
		if (name && !strncmp(name, ".plt", 4))
			s->out->linkage_bytes += data->d_size;
		else
			ret = scan_section(s, f, data, &sh, !named);
	}
	return ret;
}

/* Segments without write permission, and what is so once the loader is done. */
static void find_constants(struct scan *s, Elf *elf)
{
	struct span *span;
	GElf_Phdr ph;
	size_t n, i, size;
	const char *file = elf_rawfile(elf, &size);

	if (elf_getphdrnum(elf, &n))
		return;
	for (i = 0; i < n && s->n_constant < CONSTANT_SPANS; i++) {
		if (!gelf_getphdr(elf, i, &ph) ||
		    ((ph.p_type != PT_LOAD || (ph.p_flags & PF_W)) && ph.p_type != PT_GNU_RELRO))
			continue;
		span = &s->constant[s->n_constant++];
		*span = (struct span) { ph.p_vaddr, ph.p_vaddr + ph.p_memsz, NULL };
		if (file && ph.p_type == PT_LOAD && ph.p_memsz == ph.p_filesz &&
		    ph.p_offset <= size && ph.p_filesz <= size - ph.p_offset)
			span->data = file + ph.p_offset;
	}
}

static int find_functions(Elf *elf, const char *path, const char *const *names,
			  struct chess_functions *f)
{
	struct chess_functions one = { 0 };
	int ret = 0;

	if (!names)
		return chess_functions_find(elf, NULL, f);
	for (; *names && !ret; names++) {
		one.n = 0;
		ret = chess_functions_find(elf, *names, &one);
		if (!ret && !one.n)
			ret = chess_set_error(ENOENT, "%s has no function %s with a symbol", path,
					      *names);
		if (!ret)
			ret = chess_functions_find(elf, *names, f);
	}
	free(one.v);
	return ret;
}

/* Whoever waits for a static variable of C++ is put in order there. */
static int find_guards(Elf *elf, struct chess_functions *out)
{
	int ret = chess_functions_find(elf, "__cxa_guard_acquire", out);

	return ret ? ret : chess_functions_find(elf, "__cxa_guard_release", out);
}

static bool has_function(const struct chess_functions *f, uint64_t address)
{
	size_t i;

	for (i = 0; i < f->n; i++)
		if (f->v[i].address == address)
			return true;
	return false;
}

/*
 * A program that is linked statically has the C library in its text, whose locks nobody
 * understands by their instructions: what has no debug information is left out.
 */
static int leave_libraries(struct scan *s, Elf *elf, struct chess_functions *f)
{
	struct chess_functions libc = { 0 }, guards = { 0 };
	int ret = s->atomics.known ? chess_functions_find(elf, "__libc_start_main", &libc) : 0;
	size_t i, n = 0;

	if (!ret && libc.n)
		ret = find_guards(elf, &guards);
	for (i = 0; !ret && libc.n && i < f->n; i++)
		if (chess_atomics_tells(&s->atomics, f->v[i].address) ||
		    has_function(&guards, f->v[i].address))
			f->v[n++] = f->v[i];
	if (!ret && libc.n)
		f->n = n;
	free(libc.v);
	free(guards.v);
	return ret;
}

/* What the calls of fflush() access, which may come before the one that says it. */
static int find_memstream(struct scan *s, Elf *elf, const struct chess_functions *f, bool named)
{
	struct chess_sites unused = { 0 }, *out = s->out;
	int ret;

	s->out = &unused;
	ret = scan_sections(s, elf, f, named);
	s->out = out;
	chess_sites_free(&unused);
	return ret;
}

static int scan_file(Elf *elf, const char *path, const char *const *names, bool sync,
		     struct chess_sites *out)
{
	struct scan s = { .path = path, .out = out, .sync = sync };
	struct chess_functions f = { 0 };
	int ret;

	if (ZYAN_FAILED(ZydisDecoderInit(&s.decoder, ZYDIS_MACHINE_MODE_LONG_64,
					 ZYDIS_STACK_WIDTH_64)))
		return chess_set_error(EINVAL, "the decoder of instructions cannot be set up");
	find_constants(&s, elf);
	ret = chess_atomics_read(path, &s.atomics);
	out->debug_info = s.atomics.known;
	if (!ret && !sync && chess_memcalls_read(elf, &s.calls))
		ret = no_memory(&s);
	if (!ret)
		ret = find_functions(elf, path, names, &f);
	if (!ret && !names)
		ret = leave_libraries(&s, elf, &f);
	if (!ret && chess_memcalls_have_memstream(&s.calls))
		ret = find_memstream(&s, elf, &f, names);
	if (!ret)
		ret = scan_sections(&s, elf, &f, names);
	/* What else the file has was not asked for. */
	if (names) {
		out->unknown_bytes = 0;
		out->linkage_bytes = 0;
	}
	chess_atomics_clear(&s.atomics);
	chess_memcalls_free(&s.calls);
	free(f.v);
	free(s.item);
	free(s.jump);
	free(s.start);
	return ret;
}

static int scan_path(const char *path, const char *const *names, bool sync,
		     struct chess_sites *out)
{
	struct chess_elf_file file;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = chess_elf_open(path, &file);
	if (ret)
		return ret;
	ret = scan_file(file.elf, path, names, sync, out);
	chess_elf_close(&file);
	return ret;
}

int chess_access_scan(const char *path, const char *const *names, struct chess_sites *out)
{
	return scan_path(path, names, false, out);
}

int chess_access_scan_sync(const char *path, struct chess_sites *out)
{
	return scan_path(path, NULL, true, out);
}

static int by_offset(const void *a, const void *b)
{
	const struct chess_site *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void chess_sites_sort(struct chess_sites *s)
{
	size_t i, n = 0;

	if (s->n)
		qsort(s->v, s->n, sizeof(*s->v), by_offset);
	if (s->ends)
		qsort(s->end, s->ends, sizeof(*s->end), by_value);
	for (i = 0; i < s->ends; i++)
		if (!n || s->end[n - 1] != s->end[i])
			s->end[n++] = s->end[i];
	s->ends = n;
}

const struct chess_site *chess_sites_at(const struct chess_sites *s, uint64_t offset)
{
	size_t low = 0, high = s->n, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (s->v[mid].offset < offset)
			low = mid + 1;
		else
			high = mid;
	}
	return low < s->n && s->v[low].offset == offset ? &s->v[low] : NULL;
}

void chess_sites_free(struct chess_sites *s)
{
	free(s->v);
	free(s->end);
	memset(s, 0, sizeof(*s));
}

const char *chess_left_name(enum chess_left cause)
{
	static const char *const names[] = {
		[CHESS_LEFT_NOTHING] = "nothing",
		[CHESS_LEFT_STACK] = "on the stack by rsp",
		[CHESS_LEFT_FRAME] = "on the stack by rbp",
		[CHESS_LEFT_CONSTANT] = "read-only data",
		[CHESS_LEFT_HINT] = "names memory and accesses none",
		[CHESS_LEFT_OPAQUE] = "address not known from registers",
		[CHESS_LEFT_NO_SLOT] = "cannot be run elsewhere",
	};

	return cause < CHESS_LEFT_CAUSES ? names[cause] : "unknown";
}
