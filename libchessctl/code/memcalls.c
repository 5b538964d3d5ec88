// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See memcalls.h. A call leads to such a function by a stub in .plt or, without one, by the
 * pointer itself; which function the loader puts there a relocation says by its name.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "code/elf_file.h"
#include "code/format.h"
#include "code/memcalls.h"
#include "internal.h"

/* How many elements a call perhaps accesses that a register counts, and of a string. */
#define MOST		255
#define MOST_OF_STRING	32

/* The registers of arguments 1 to 6, as CHESS_REG_* numbers them: rdi rsi rdx rcx r8 r9. */
static const uint8_t registers[CHESS_MEMCALL_ARGUMENTS + 1] = {
	CHESS_REG_NONE, CHESS_REG_RDI, CHESS_REG_RSI, 2, CHESS_REG_RCX, 8, 9,
};

/* @address is 0: a variable with this symbol, or this one after two underscores. */
static const struct {
	uint64_t address;
	const char *name;
} states[CHESS_MEMCALL_STATES] = {
	[CHESS_MEMCALL_ERRNO] = { CHESS_ADDRESS_ERRNO, "errno" },
	[CHESS_MEMCALL_STDIN] = { CHESS_ADDRESS_STDIN, "stdin" },
	[CHESS_MEMCALL_EXITS] = { CHESS_ADDRESS_EXITS, "atexit" },
	[CHESS_MEMCALL_ENVIRONMENT] = { CHESS_ADDRESS_ENVIRONMENT, "environ" },
	[CHESS_MEMCALL_TOKENS] = { CHESS_ADDRESS_TOKENS, "strtok" },
	[CHESS_MEMCALL_SHIFT] = { CHESS_ADDRESS_SHIFT, "mbrtowc" },
	[CHESS_MEMCALL_KEYS] = { CHESS_ADDRESS_KEYS, "pthread keys" },
	[CHESS_MEMCALL_FORKS] = { CHESS_ADDRESS_FORKS, "pthread_atfork" },
	[CHESS_MEMCALL_BREAK] = { CHESS_ADDRESS_BREAK, "sbrk" },
	[CHESS_MEMCALL_LIMITS] = { CHESS_ADDRESS_LIMITS, "setrlimit" },
	[CHESS_MEMCALL_CLOCK] = { CHESS_ADDRESS_CLOCK, "clock_gettime" },
	[CHESS_MEMCALL_OUTPUT] = { CHESS_ADDRESS_OUTPUT, "stdout" },
	[CHESS_MEMCALL_OPTARG] = { 0, "optarg" },
	[CHESS_MEMCALL_OPTIND] = { 0, "optind" },
	[CHESS_MEMCALL_SIGNGAM] = { 0, "signgam" },
	[CHESS_MEMCALL_TIMEZONE] = { 0, "timezone" },
	[CHESS_MEMCALL_TZNAME] = { 0, "tzname" },
	[CHESS_MEMCALL_MEMSTREAM] = { 0, "open_memstream" },
};

static int add(struct chess_memcalls *m, uint64_t at, const struct chess_memcall *function)
{
	if (chess_array_room(&m->way, &m->room, m->n + 1, sizeof(*m->way)))
		return -ENOMEM;
	m->way[m->n++] = (struct chess_memcall_way) { at, function };
	return 0;
}

static int by_address(const void *x, const void *y)
{
	const struct chess_memcall_way *a = x, *b = y;

	return a->at < b->at ? -1 : a->at > b->at;
}

static const struct chess_memcall_way *find(const struct chess_memcalls *m, uint64_t at)
{
	const struct chess_memcall_way key = { .at = at };

	return m->n ? bsearch(&key, m->way, m->n, sizeof(key), by_address) : NULL;
}

static void note_variable(uint64_t *variable, const char *name, uint64_t at)
{
	size_t i;

	if (!strncmp(name, "__", 2))
		name += 2;
	for (i = CHESS_MEMCALL_ERRNO; i < CHESS_MEMCALL_STATES; i++)
		if (!states[i].address && !strcmp(name, states[i].name))
			variable[i] = at;
}

static bool installs_handler(const char *name)
{
	static const char *const names[] = {
		"sigaction", "signal", "bsd_signal", "sysv_signal", "__sysv_signal", "ssignal",
		"sigset", "sigvec",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* @all: what is not a way to a function is noted there */
static int read_relocations(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct chess_memcalls *m,
			    struct chess_memcalls *all)
{
	Elf_Scn *symbols = elf_getscn(elf, sh->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *names = elf_getdata(symbols, NULL);
	const struct chess_memcall *function;
	GElf_Shdr symbols_head;
	const char *name;
	GElf_Rela rela;
	GElf_Sym symbol;
	uint32_t type;
	int i, ret = 0;

	if (!data || !names || !gelf_getshdr(symbols, &symbols_head))
		return 0;
	for (i = 0; !ret && gelf_getrela(data, i, &rela); i++) {
		type = GELF_R_TYPE(rela.r_info);
		if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT &&
		    type != R_X86_64_COPY)
			continue;
		if (!gelf_getsym(names, GELF_R_SYM(rela.r_info), &symbol))
			continue;
		name = elf_strptr(elf, symbols_head.sh_link, symbol.st_name);
		if (!name)
			continue;
		if (type == R_X86_64_COPY) {
			note_variable(all->variable, name, rela.r_offset);
			continue;
		}
		all->handles |= installs_handler(name);
		function = chess_memcall_of(name);
		if (function)
			ret = add(m, rela.r_offset, function);
	}
	return ret;
}

/* A stub is at each multiple of eight bytes: it jumps by a pointer, after endbr64 or not. */
static int read_stubs(Elf_Data *data, uint64_t address, const struct chess_memcalls *pointers,
		      struct chess_memcalls *out)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *code = data->d_buf;
	const struct chess_memcall_way *way;
	size_t start, at;
	int32_t distance;
	int ret = 0;

	for (start = 0; !ret && start < data->d_size; start += 8) {
		at = start;
		if (data->d_size - at >= sizeof(endbr64) &&
		    !memcmp(code + at, endbr64, sizeof(endbr64)))
			at += sizeof(endbr64);
		/* bnd */
		if (at < data->d_size && code[at] == 0xf2)
			at++;
		if (data->d_size - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
			continue;
		memcpy(&distance, code + at + 2, sizeof(distance));
		way = find(pointers, address + at + 6 + distance);
		if (way)
			ret = add(out, address + start, way->function);
	}
	return ret;
}

static int read_sections(Elf *elf, struct chess_memcalls *pointers, struct chess_memcalls *out)
{
	size_t strings;
	Elf_Scn *scn = NULL;
	const char *name;
	Elf_Data *data;
	GElf_Shdr sh;
	int ret = 0;

	while (!ret && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA && (sh.sh_flags & SHF_ALLOC))
			ret = read_relocations(elf, scn, &sh, pointers, out);
	if (ret || !pointers->n || elf_getshdrstrndx(elf, &strings))
		return ret;
	qsort(pointers->way, pointers->n, sizeof(*pointers->way), by_address);
	while (!ret && (scn = chess_elf_next_code(elf, scn, &sh, &data))) {
		name = elf_strptr(elf, strings, sh.sh_name);
		if (name && !strncmp(name, ".plt", 4))
			ret = read_stubs(data, sh.sh_addr, pointers, out);
	}
	return ret;
}

/* Does @function write to @state? */
static bool changes(const struct chess_memcall *function, enum chess_memcall_state state)
{
	unsigned int i;

	for (i = 0; i < CHESS_OPERANDS_MAX; i++)
		if (function->access[i].of == state &&
		    function->access[i].kind & CHESS_OPERAND_WRITE)
			return true;
	return false;
}

/* The functions that are about @state alone matter only where the file changes it. */
static void leave_unchanged(struct chess_memcalls *m, enum chess_memcall_state state)
{
	bool changed = false;
	size_t i, n = 0;

	for (i = 0; i < m->n; i++)
		changed |= changes(m->way[i].function, state);
	for (i = 0; i < m->n; i++)
		if (changed || m->way[i].function->access[0].of != state)
			m->way[n++] = m->way[i];
	m->n = n;
}

int chess_memcalls_read(Elf *elf, struct chess_memcalls *out)
{
	struct chess_memcalls pointers = { 0 };
	size_t i;
	int ret;

	memset(out, 0, sizeof(*out));
	ret = read_sections(elf, &pointers, out);
	for (i = 0; !ret && i < pointers.n; i++)
		ret = add(out, pointers.way[i].at, pointers.way[i].function);
	/* Who uses a key, and who asks for memory. */
	leave_unchanged(out, CHESS_MEMCALL_KEYS);
	leave_unchanged(out, CHESS_MEMCALL_LIMITS);
	if (out->n)
		qsort(out->way, out->n, sizeof(*out->way), by_address);
	chess_memcalls_free(&pointers);
	return ret;
}

static bool makes_memstream(const struct chess_memcall *function)
{
	return !strcmp(function->name, "open_memstream") ||
	       !strcmp(function->name, "open_wmemstream");
}

bool chess_memcalls_have_memstream(const struct chess_memcalls *m)
{
	size_t i;

	for (i = 0; i < m->n; i++)
		if (makes_memstream(m->way[i].function))
			return true;
	return false;
}

void chess_memcalls_note_memstream(struct chess_memcalls *m, const struct chess_memcall *function,
				   const struct chess_constants *held)
{
	uint64_t *variable = &m->variable[CHESS_MEMCALL_MEMSTREAM];

	if (!*variable && makes_memstream(function) && held->known & 1U << registers[1])
		*variable = held->value[registers[1]];
}

const struct chess_memcall *chess_memcalls_find(const struct chess_memcalls *m, uint64_t at)
{
	const struct chess_memcall_way *way = find(m, at);

	return way ? way->function : NULL;
}

static const struct chess_memcall_use *format_of(const struct chess_memcall *function)
{
	unsigned int i;

	for (i = 0; i < CHESS_OPERANDS_MAX && function->access[i].kind; i++)
		if (function->access[i].size == CHESS_MEMCALL_FORMAT)
			return &function->access[i];
	return NULL;
}

uint8_t chess_memcall_register(unsigned int number)
{
	return registers[number];
}

uint8_t chess_memcall_format(const struct chess_memcall *function)
{
	const struct chess_memcall_use *format = format_of(function);

	return format ? registers[format->of] : CHESS_REG_NONE;
}

static void add_operand(const struct chess_memcall_use *use, struct chess_insn *out)
{
	bool is_state = use->of >= CHESS_MEMCALL_ERRNO;
	unsigned int most = use->count ? MOST : MOST_OF_STRING;

	out->operand[out->n++] = (struct chess_operand) {
		.disp = is_state ? states[use->of].address : 0,
		.size = use->size,
		.flags = use->kind,
		.form = use->count ? CHESS_FORM_COUNTED : CHESS_FORM_PLAIN,
		.base = is_state ? CHESS_REG_NONE : registers[use->of],
		.index = CHESS_REG_NONE,
		.elements = use->kind & CHESS_OPERAND_PERHAPS ? most : 0,
		.mask = use->count ? registers[use->count] : 0,
	};
}

static bool is_variable(const struct chess_memcall_use *use)
{
	return use->of >= CHESS_MEMCALL_ERRNO && !states[use->of].address;
}

/* Is it of interest in this file? */
static bool matters(const struct chess_memcalls *m, const struct chess_memcall_use *use)
{
	/* What standard output has a lock for, and what only a handler may interrupt. */
	if (use->of == CHESS_MEMCALL_OUTPUT)
		return m->handles;
	return !is_variable(use) || m->variable[use->of];
}

/* An operand that is relative to rip is so to the instruction's first byte. */
static void add_variable(const struct chess_memcall_use *use, uint64_t distance,
			 struct chess_insn *out)
{
	add_operand(use, out);
	out->operand[out->n - 1].base = CHESS_REG_RIP;
	out->operand[out->n - 1].disp = distance;
}

void chess_memcall_operands(const struct chess_memcalls *m, uint64_t address,
			    const struct chess_memcall *function, const char *format, size_t size,
			    struct chess_insn *out)
{
	const struct chess_memcall_use *of = format_of(function), *use = function->access;
	struct chess_memcall_use uses[2 * CHESS_OPERANDS_MAX];
	unsigned int n = 0, i;

	for (i = 0; i < CHESS_OPERANDS_MAX && use[i].kind && &use[i] != of; i++)
		if (matters(m, &use[i]))
			uses[n++] = use[i];
	if (of && format)
		n += chess_format_read(format, size, of->of + 1,
				       of->kind == CHESS_OPERAND_WRITE, &uses[n],
				       CHESS_OPERANDS_MAX);
	/* Rather two pieces of memory than one of them and the stream. */
	if (n > CHESS_OPERANDS_MAX && uses[0].of == CHESS_MEMCALL_OUTPUT)
		memmove(uses, uses + 1, --n * sizeof(*uses));
	/* What a call goes by, its pointer, is no operand of the function. */
	if (n)
		out->n = 0;
	for (i = 0; i < n && i < CHESS_OPERANDS_MAX; i++)
		if (is_variable(&uses[i]))
			add_variable(&uses[i], m->variable[uses[i].of] - address, out);
		else
			add_operand(&uses[i], out);
}

/* The register of the argument that, if NULL, makes the function use a state of its own. */
static uint8_t given_state(const struct chess_memcall *function)
{
	static const struct {
		const char *name;
		uint8_t number;
	} functions[] = {
		{ "mbrlen", 3 }, { "mbrtoc16", 4 }, { "mbrtoc32", 4 }, { "mbrtowc", 4 },
		{ "mbsrtowcs", 4 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(function->name, functions[i].name))
			return registers[functions[i].number];
	return CHESS_REG_NONE;
}

void chess_memcall_own_state(const struct chess_memcall *function,
			     const struct chess_constants *held, struct chess_insn *out)
{
	uint8_t reg = given_state(function);
	unsigned int i;

	if (reg == CHESS_REG_NONE || !(held->known & 1U << reg) || held->value[reg])
		return;
	for (i = 0; i < out->n; i++)
		if (out->operand[i].base == reg) {
			out->operand[i].base = CHESS_REG_NONE;
			out->operand[i].disp = CHESS_ADDRESS_SHIFT;
		}
}

void chess_memcall_copy(const struct chess_memcall *function, bool jump, struct chess_insn *out)
{
	static const struct {
		const char *name;
		uint8_t copy;
	} functions[] = {
		{ "memcpy", CHESS_COPY_TO_START }, { "memmove", CHESS_COPY_TO_START },
		{ "mempcpy", CHESS_COPY_TO_END }, { "wmemcpy", CHESS_COPY_TO_START },
		{ "wmemmove", CHESS_COPY_TO_START }, { "wmempcpy", CHESS_COPY_TO_END },
		{ "__memcpy_chk", CHESS_COPY_TO_START | CHESS_COPY_CHECKED },
		{ "__memmove_chk", CHESS_COPY_TO_START | CHESS_COPY_CHECKED },
		{ "__mempcpy_chk", CHESS_COPY_TO_END | CHESS_COPY_CHECKED },
		{ "bcopy", CHESS_COPY_TO_START },
		{ "memset", CHESS_COPY_TO_START }, { "wmemset", CHESS_COPY_TO_START },
		{ "__memset_chk", CHESS_COPY_TO_START | CHESS_COPY_CHECKED },
		{ "strcpy", CHESS_COPY_STRING }, { "stpcpy", CHESS_COPY_STRING_END },
		{ "__strcpy_chk", CHESS_COPY_STRING | CHESS_COPY_CHECKED },
		{ "__stpcpy_chk", CHESS_COPY_STRING_END | CHESS_COPY_CHECKED },
		{ "strcat", CHESS_COPY_APPEND },
		{ "__strcat_chk", CHESS_COPY_APPEND | CHESS_COPY_CHECKED },
		{ "strncpy", CHESS_COPY_PADDED },
		{ "__strncpy_chk", CHESS_COPY_PADDED | CHESS_COPY_CHECKED },
		{ "bzero", CHESS_COPY_ZEROES }, { "explicit_bzero", CHESS_COPY_ZEROES },
	};
	unsigned int i;
	size_t f;

	for (f = 0; f < ARRAY_SIZE(functions); f++)
		if (!strcmp(function->name, functions[f].name))
			for (i = 0; i < out->n; i++)
				out->operand[i].copy = functions[f].copy |
						       (jump ? CHESS_COPY_JUMP : 0);
}

bool chess_memcall_handed_on(const char *format, size_t size, unsigned int number,
			     struct chess_insn *out)
{
	struct chess_memcall_use uses[CHESS_OPERANDS_MAX];
	unsigned int i, n;

	n = chess_format_read(format, size, number + 1, false, uses, CHESS_OPERANDS_MAX);
	for (i = 0; i < n; i++) {
		uses[i].kind |= CHESS_OPERAND_ATOMIC;
		add_operand(&uses[i], out);
	}
	return n;
}

const char *chess_memcalls_state(uint64_t address)
{
	size_t i;

	for (i = CHESS_MEMCALL_ERRNO; i < CHESS_MEMCALL_STATES; i++)
		if (address && states[i].address == address)
			return states[i].name;
	return NULL;
}

void chess_memcalls_free(struct chess_memcalls *m)
{
	free(m->way);
	memset(m, 0, sizeof(*m));
}
