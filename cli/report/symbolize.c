// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for addresses, see symbolize.h. libdwfl does the work: it is given the
 * saved maps text as if it were /proc/PID/maps, and for unwinding a "process"
 * of one task whose memory is the snapshot.
 *
 * Which frame is shown: the innermost one in the user's own code. Frames in the
 * C library and the loader say nothing to the user, nor do those whose source
 * is a system header (C++ wrappers of locks).
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <chessctl/races.h>
#include "cli.h"
#include "report/code_maps.h"
#include "report/demangle.h"
#include "report/symbolize.h"

#define FRAMES_MAX 48

struct symbols {
	Dwfl *dwfl;
	bool can_unwind;
	const struct chess_stack *stack;	/* what memory_read() serves */
};

static char *debuginfo_path = NULL;

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &debuginfo_path,
};

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	(void)dwfl;
	if (*thread_arg)
		return 0;
	*thread_arg = arg;
	return 1;
}

static bool memory_read(Dwfl *dwfl, Dwarf_Addr addr, Dwarf_Word *result, void *arg)
{
	const struct chess_stack *stack = ((struct symbols *)arg)->stack;
	uint64_t sp;

	(void)dwfl;
	if (!stack)
		return false;
	sp = stack->regs[7];
	if (addr < sp || stack->size < sizeof(*result) ||
	    addr - sp > stack->size - sizeof(*result))
		return false;
	memcpy(result, (const char *)(stack + 1) + (addr - sp), sizeof(*result));
	return true;
}

static bool set_initial_registers(Dwfl_Thread *thread, void *arg)
{
	const struct chess_stack *stack = ((struct symbols *)arg)->stack;
	Dwarf_Word regs[17];
	int i;

	for (i = 0; i < 17; i++)
		regs[i] = stack->regs[i];
	return dwfl_thread_state_registers(thread, 0, 17, regs);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.memory_read = memory_read,
	.set_initial_registers = set_initial_registers,
};

struct symbols *symbols_new(const char *maps)
{
	struct symbols *s = cli_alloc(1, sizeof(*s));
	char *code = NULL;
	FILE *f;

	if (maps)
		code = code_maps(maps);
	if (!code || !*code) {
		free(code);
		return s;
	}
	/* With it set, libdwfl would ask the network, and a report could take minutes. */
	unsetenv("DEBUGINFOD_URLS");
	s->dwfl = dwfl_begin(&callbacks);
	f = fmemopen(code, strlen(code), "r");
	if (!s->dwfl || !f)
		goto out;
	dwfl_report_begin(s->dwfl);
	dwfl_linux_proc_maps_report(s->dwfl, f);
	dwfl_report_end(s->dwfl, NULL, NULL);
	s->can_unwind = dwfl_attach_state(s->dwfl, NULL, 1, &thread_callbacks, s);
out:
	if (f)
		fclose(f);
	free(code);
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	if (s->dwfl)
		dwfl_end(s->dwfl);
	free(s);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool symbols_is_system(const char *path)
{
	static const char *const heads[] = {
		"libc.so", "libc-", "libpthread", "librt.so", "librt-", "ld-", "ld.so",
		"libc.musl", "libstdc++.so", "libgcc_s", "[vdso",
	};
	const char *base = base_name(path);
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
		if (!strncmp(base, heads[i], strlen(heads[i])))
			return true;
	return false;
}

static const char *module_path(Dwfl_Module *mod)
{
	const char *file = NULL, *name;

	name = dwfl_module_info(mod, NULL, NULL, NULL, NULL, NULL, &file, NULL);
	return file ? file : name;
}

/* dwfl_addrmodule() also gives the module before a gap; here a gap is a gap. */
static Dwfl_Module *module_at(struct symbols *s, uint64_t address)
{
	Dwfl_Module *mod = s->dwfl ? dwfl_addrmodule(s->dwfl, address) : NULL;
	Dwarf_Addr start, end;

	if (!mod)
		return NULL;
	dwfl_module_info(mod, NULL, &start, &end, NULL, NULL, NULL, NULL);
	return address >= start && address < end ? mod : NULL;
}

struct owner {
	uint64_t address;
	Dwfl_Module *mod;
};

static int is_owner(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr start,
		    void *arg)
{
	struct owner *o = arg;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(mod, &bias);
	GElf_Phdr ph;
	size_t n, i;

	(void)userdata;
	(void)name;
	(void)start;
	if (!elf || elf_getphdrnum(elf, &n))
		return DWARF_CB_OK;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD ||
		    o->address < ph.p_vaddr + bias ||
		    o->address >= ph.p_vaddr + bias + ph.p_memsz)
			continue;
		o->mod = mod;
		return DWARF_CB_ABORT;
	}
	return DWARF_CB_OK;
}

/* Unset variables lie in anonymous pages after the file's, in no line of its own. */
static Dwfl_Module *find_module(struct symbols *s, uint64_t address)
{
	struct owner o = { .address = address };

	if (!s->dwfl)
		return NULL;
	o.mod = module_at(s, address);
	if (!o.mod)
		dwfl_getmodules(s->dwfl, is_owner, &o, 0);
	return o.mod;
}

char *symbols_variable(struct symbols *s, uint64_t address)
{
	Dwfl_Module *mod = find_module(s, address);
	GElf_Off offset;
	GElf_Sym sym;
	struct chess_variable state;
	const char *name;
	Dwarf_Addr start;

	if (!mod) {
		/* What accesses say in place of an address, as of errno, is in no file. */
		chess_variable_find("", address, &state);
		return state.kind == CHESS_VARIABLE_SYMBOL ? cli_printf("%s", state.name) : NULL;
	}
	name = dwfl_module_addrinfo(mod, address, &offset, &sym, NULL, NULL, NULL);
	if (name && offset < (sym.st_size ? sym.st_size : 1)) {
		char *plain = demangle(name), *text = plain;

		if (offset) {
			text = cli_printf("%s+0x%llx", plain, (unsigned long long)offset);
			free(plain);
		}
		return text;
	}
	dwfl_module_info(mod, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	return cli_printf("%s+0x%llx", base_name(module_path(mod)),
			  (unsigned long long)(address - start));
}

void place_clear(struct place *p)
{
	free(p->function);
	free(p->file);
	free(p->directory);
	free(p->module);
	memset(p, 0, sizeof(*p));
}

/* The function a die stands for, with the names around it where the linker's name has them. */
static char *die_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	char *whole = name ? demangle(name) : NULL;

	/* That of C is another name: __GI__exit of _exit. */
	if (whole && strcmp(whole, name))
		return whole;
	free(whole);
	name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attr));
	return name ? cli_printf("%s", name) : NULL;
}

/* Compilers but gcc write no table of addresses: then all units are asked. */
static Dwarf_Die *unit_at(Dwfl_Module *mod, Dwarf_Addr pc, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(mod, pc, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(mod, unit, bias)))
		if (dwarf_haspc(unit, pc - *bias) > 0)
			return unit;
	return NULL;
}

static void find_line(Dwfl_Module *mod, Dwarf_Addr pc, struct place *p)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = unit_at(mod, pc, &bias);
	Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, pc - bias) : NULL;
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL, *directory;
	Dwarf_Attribute attr;

	if (!file || dwarf_lineno(line, &p->line))
		return;
	p->file = cli_printf("%s", file);
	directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attr));
	if (directory)
		p->directory = cli_printf("%s", directory);
}

/*
 * A lock wrapper of a C++ header is inlined into the caller in optimised code:
 * walk out of the inlined copies until the source is the user's own.
 */
static void leave_headers(Dwfl_Module *mod, Dwarf_Addr pc, struct place *p)
{
	Dwarf_Addr bias;
	Dwarf_Die *cu = unit_at(mod, pc, &bias), *innermost = NULL, *scopes = NULL;
	Dwarf_Files *files;
	size_t nfiles;
	int n = 0, i;

	if (!cu || dwarf_getsrcfiles(cu, &files, &nfiles))
		return;
	/* This one goes on from an inlined copy to where its original stands, not to its caller. */
	if (dwarf_getscopes(cu, pc - bias, &innermost) > 0)
		n = dwarf_getscopes_die(innermost, &scopes);
	free(innermost);
	for (i = 0; i < n; i++) {
		int tag = dwarf_tag(&scopes[i]);
		Dwarf_Attribute attr;
		Dwarf_Word file, line;
		const char *path;

		if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
			continue;
		if (p->file && strncmp(p->file, "/usr/include/", 13)) {
			char *name = die_name(&scopes[i]);

			if (name) {
				free(p->function);
				p->function = name;
			}
			break;
		}
		if (tag != DW_TAG_inlined_subroutine ||
		    dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attr), &file) ||
		    dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attr), &line) ||
		    file >= nfiles)
			continue;
		path = dwarf_filesrc(files, file, NULL, NULL);
		if (!path)
			continue;
		free(p->file);
		p->file = cli_printf("%s", path);
		p->line = line;
	}
	free(scopes);
}

/*
 * @pc must lie inside the instruction meant: return addresses minus 1. @lines: with its line,
 * for which all of the file's debug information may have to be decompressed.
 */
static bool find_place(struct symbols *s, uint64_t pc, bool lines, struct place *p)
{
	Dwfl_Module *mod = module_at(s, pc);
	const char *name;
	Dwarf_Addr start;
	GElf_Off offset;
	GElf_Sym sym;

	memset(p, 0, sizeof(*p));
	if (!mod)
		return false;
	p->module = cli_printf("%s", module_path(mod));
	dwfl_module_info(mod, NULL, &start, NULL, NULL, NULL, NULL, NULL);
	p->offset = pc - start;
	if (lines)
		find_line(mod, pc, p);
	/* before addrinfo: looking for lines may bring in the full symbol table */
	name = dwfl_module_addrinfo(mod, pc, &offset, &sym, NULL, NULL, NULL);
	if (name && (!sym.st_size || offset < sym.st_size)) {
		p->function = demangle(name);
		p->offset = offset;
	}
	if (p->file)
		leave_headers(mod, pc, p);
	return true;
}

static bool is_users(Dwfl_Module *mod)
{
	return mod && !symbols_is_system(module_path(mod));
}

bool symbols_place(struct symbols *s, uint64_t pc, struct place *out)
{
	return find_place(s, pc, true, out);
}

bool symbols_instruction(struct symbols *s, uint64_t pc, struct place *out)
{
	return find_place(s, pc, is_users(module_at(s, pc)), out);
}

/* Only if it is the user's own code: the C library's lines take long to decompress. */
static bool users_place(struct symbols *s, uint64_t pc, struct place *out)
{
	return is_users(module_at(s, pc)) && symbols_place(s, pc, out);
}

bool symbols_code(struct symbols *s, uint64_t pc, struct code_place *out)
{
	Dwfl_Module *mod = module_at(s, pc);
	GElf_Off offset;
	GElf_Sym sym;

	if (!mod)
		return false;
	out->module = module_path(mod);
	out->system = symbols_is_system(out->module);
	out->function = dwfl_module_addrinfo(mod, pc, &offset, &sym, NULL, NULL, NULL);
	if (out->function && sym.st_size && offset >= sym.st_size)
		out->function = NULL;
	return true;
}

struct frames {
	uint64_t pc[FRAMES_MAX];
	int n;
};

static int take_frame(Dwfl_Frame *frame, void *arg)
{
	struct frames *f = arg;
	Dwarf_Addr pc;
	bool activation;

	if (f->n == FRAMES_MAX || !dwfl_frame_pc(frame, &pc, &activation))
		return DWARF_CB_ABORT;
	f->pc[f->n++] = activation ? pc : pc - 1;
	return DWARF_CB_OK;
}

/* Does a call instruction end right before @address in its file? */
static bool follows_call(Dwfl_Module *mod, uint64_t address)
{
	const unsigned char *code;
	GElf_Addr bias;
	Elf *elf = dwfl_module_getelf(mod, &bias);
	size_t n, i, size;
	const char *raw = elf ? elf_rawfile(elf, &size) : NULL;

	if (!raw || elf_getphdrnum(elf, &n))
		return false;
	address -= bias;
	for (i = 0; i < n; i++) {
		GElf_Phdr ph;
		uint64_t at;

		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || !(ph.p_flags & PF_X) ||
		    address < ph.p_vaddr + 7 || address > ph.p_vaddr + ph.p_filesz)
			continue;
		at = address - ph.p_vaddr + ph.p_offset;
		if (at > size)
			return false;
		code = (const unsigned char *)raw + at;
		return code[-5] == 0xe8 ||
		       (code[-2] == 0xff && (code[-1] & 0xf8) == 0xd0) ||
		       (code[-3] == 0xff && (code[-2] & 0xf8) == 0x50) ||
		       (code[-6] == 0xff && (code[-5] == 0x15 || (code[-5] & 0xf8) == 0x90));
	}
	return false;
}

/*
 * Where unwinding ends early (code with no unwind tables, a library that is not
 * in the maps text) the words of the stack that look like return addresses are
 * still better than nothing: a call instruction stands before each.
 */
static void scan_stack(struct symbols *s, const struct chess_stack *stack, struct frames *f)
{
	uint32_t at;

	for (at = 0; at + 8 <= stack->size && f->n < FRAMES_MAX; at += 8) {
		Dwfl_Module *mod;
		uint64_t word;

		memcpy(&word, (const char *)(stack + 1) + at, sizeof(word));
		mod = module_at(s, word);
		if (is_users(mod) && follows_call(mod, word))
			f->pc[f->n++] = word - 1;
	}
}

/*
 * The innermost frame of the user's own code. One with a line beats one without,
 * but only in the same file, unless the frames are @guessed.
 */
static bool choose_frame(struct symbols *s, const struct frames *f, int from, bool guessed,
			 struct place *out)
{
	struct place first = { 0 };
	bool have = false;
	int i;

	for (i = from; i < f->n; i++) {
		struct place p;

		if (!users_place(s, f->pc[i], &p))
			continue;
		if (p.file && strncmp(p.file, "/usr/include/", 13)) {
			if (!have || guessed || !strcmp(first.module, p.module)) {
				place_clear(&first);
				*out = p;
				return true;
			}
		}
		if (!have) {
			first = p;
			have = true;
		} else {
			place_clear(&p);
		}
	}
	*out = first;
	return have;
}

static void unwind(struct symbols *s, const struct chess_stack *stack, struct frames *f)
{
	int i;

	f->n = 0;
	if (!stack || !s->dwfl || !s->can_unwind)
		return;
	s->stack = stack;
	dwfl_getthread_frames(s->dwfl, 1, take_frame, f);
	s->stack = NULL;
	/* After code it has no file for, libdwfl guesses; we do not. */
	for (i = 0; i < f->n && module_at(s, f->pc[i]); i++)
		;
	f->n = i;
}

/* A trapped function is not the place; its caller is. A BPF program's point is, an access too,
 * but for free().
 */
static int first_frame(const struct chess_event *e)
{
	return (e->flags & CHESS_OPF_PROBE) && e->nr &&
	       (!chess_event_is_access(e) || e->caller);
}

size_t symbols_stack(struct symbols *s, const struct chess_stack *stack, int skip, char **texts,
		     size_t max)
{
	struct frames f;
	bool end = false;
	size_t n = 0;
	int i;

	unwind(s, stack, &f);
	for (i = skip; i < f.n && n < max && !end; i++) {
		struct place p;

		if (!users_place(s, f.pc[i], &p))
			continue;
		/* Linked into the program, but not written by the user. */
		end = p.function && !strcmp(p.function, "_start");
		if (!end)
			texts[n++] = place_text(&p);
		place_clear(&p);
	}
	return n;
}

size_t symbols_event_stack(struct symbols *s, const struct chess_event *e,
			   const struct chess_stack *stack, char **texts, size_t max)
{
	return symbols_stack(s, stack, first_frame(e), texts, max);
}

uint64_t symbols_event_address(const struct chess_event *e)
{
	return first_frame(e) && e->caller ? e->caller - 1 : e->ip;
}

bool symbols_event_place(struct symbols *s, const struct chess_event *e,
			 const struct chess_stack *stack, struct place *out)
{
	struct frames f;
	int i;

	memset(out, 0, sizeof(*out));
	if (!s->dwfl)
		return false;
	unwind(s, stack, &f);
	if (choose_frame(s, &f, first_frame(e), false, out))
		return true;
	f.n = 0;
	if (e->caller)
		f.pc[f.n++] = e->caller - 1;
	if (choose_frame(s, &f, 0, false, out))
		return true;
	if (stack) {
		f.n = 0;
		scan_stack(s, stack, &f);
		if (choose_frame(s, &f, 0, true, out))
			return true;
	}
	f.n = 0;
	if (e->ip)
		f.pc[f.n++] = e->ip;
	if (e->caller)
		f.pc[f.n++] = e->caller - 1;
	if (choose_frame(s, &f, 0, false, out))
		return true;
	for (i = 0; i < f.n; i++)
		if (symbols_place(s, f.pc[i], out))
			return true;
	return false;
}

bool symbols_return_place(struct symbols *s, const struct chess_stack *stack, uint64_t pc,
			  struct place *out)
{
	struct frames f;

	unwind(s, stack, &f);
	return choose_frame(s, &f, 1, false, out) || symbols_place(s, pc - 1, out);
}

char *place_text(const struct place *p)
{
	if (p->file)
		return p->function ?
			cli_printf("%s() at %s:%d", p->function, base_name(p->file), p->line) :
			cli_printf("%s:%d", base_name(p->file), p->line);
	if (p->function)
		return cli_printf("%s+0x%llx in %s", p->function, (unsigned long long)p->offset,
				  base_name(p->module));
	return cli_printf("%s+0x%llx", base_name(p->module), (unsigned long long)p->offset);
}
