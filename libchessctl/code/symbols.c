// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Finds the functions of the wrapper table in an ELF file, and the instructions that read the
 * time stamp counter, and makes a trap of each: its offset in the file, the bytes that stand
 * there and the slot. The runner asks once for every file of needed.c and hands the traps to
 * the module.
 *
 * Works on whatever provides the functions: libc.so.6, another libc, a static
 * binary with symbols. A name may have several versions at different addresses
 * (pthread_cond_wait@GLIBC_2.2.5 and @@GLIBC_2.3.2), old programs bind to the old
 * ones, so all are trapped. Several names at one address make one trap.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "code/elf_file.h"
#include "code/functions.h"
#include "code/insn.h"
#include "code/tsc.h"
#include "code/wrappers.h"

struct site {
	uint64_t offset;
	uint32_t id;		/* 0: it reads the time stamp counter */
	bool plain;		/* by the table's own name */
};

struct sites {
	struct site *v;
	size_t n, room;
};

/*
 * A static glibc may have only the inner name of a function: __pthread_mutex_lock,
 * ___pthread_cond_wait, __new_sem_post.
 */
static const struct chess_wrapper *lookup(const char *name, bool *plain)
{
	char bare[64];
	const char *p = name;
	size_t len = strcspn(name, "@");	/* .symtab of linked files keeps versions */

	if (len >= sizeof(bare))
		return NULL;
	memcpy(bare, name, len);
	bare[len] = '\0';
	p = bare + strspn(bare, "_");
	*plain = p == bare;
	if (!*plain && !strncmp(p, "new_", 4))
		p += 4;
	return chess_wrapper_by_symbol(p);
}

static int add_site(struct sites *s, uint64_t offset, uint32_t id, bool plain)
{
	if (chess_array_room(&s->v, &s->room, s->n + 1, sizeof(*s->v)))
		return chess_set_error(ENOMEM, "no memory for symbols");
	s->v[s->n++] = (struct site) { .offset = offset, .id = id, .plain = plain };
	return 0;
}

static int scan_table(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, struct sites *out)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	const struct chess_wrapper *w;
	uint64_t offset;
	const char *name;
	GElf_Sym sym;
	size_t i, n;
	bool plain;
	int ret;

	if (!data || !sh->sh_entsize)
		return 0;
	n = sh->sh_size / sh->sh_entsize;
	for (i = 0; i < n; i++) {
		/* STT_GNU_IFUNC is a resolver, not the function. */
		if (!gelf_getsym(data, i, &sym))
			break;
		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx == SHN_UNDEF ||
		    !sym.st_value)
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		w = name ? lookup(name, &plain) : NULL;
		if (!w || !chess_functions_offset(elf, sym.st_value, &offset))
			continue;
		ret = add_site(out, offset, chess_wrapper_id(w), plain);
		if (ret)
			return ret;
	}
	return 0;
}

static int scan(Elf *elf, struct sites *out)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	int ret = 0;

	while (!ret && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_DYNSYM || sh.sh_type == SHT_SYMTAB))
			ret = scan_table(elf, scn, &sh, out);
	return ret;
}

static int scan_tsc(Elf *elf, const char *path, struct sites *out)
{
	struct chess_tsc tsc = { 0 };
	int ret = chess_tsc_find(elf, path, &tsc);
	uint64_t offset;
	size_t i;

	for (i = 0; i < tsc.n && !ret; i++)
		if (chess_functions_offset(elf, tsc.v[i], &offset))
			ret = add_site(out, offset, 0, true);
	free(tsc.v);
	return ret;
}

static int compare_sites(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Drop inner names of functions that are there by their own, then doubles. */
static void reduce(struct sites *s)
{
	size_t i, k, n = 0;
	bool named;

	for (i = 0; i < s->n; i++) {
		named = s->v[i].plain;
		for (k = 0; !named && k < s->n; k++)
			if (s->v[k].plain && s->v[k].id == s->v[i].id)
				break;
		if (named || k == s->n)
			s->v[n++] = s->v[i];
	}
	s->n = n;
	if (n)
		qsort(s->v, n, sizeof(*s->v), compare_sites);
	for (i = 0, n = 0; i < s->n; i++)
		if (!n || s->v[n - 1].offset != s->v[i].offset)
			s->v[n++] = s->v[i];
	s->n = n;
}

static int make_probes(int fd, const char *path, const struct sites *s,
		       struct chess_probe **out, char **skipped)
{
	struct chess_probe *p = calloc(s->n ? s->n : 1, sizeof(*p));
	const struct chess_wrapper *w;
	uint8_t code[CHESS_PROBE_ORIG_MAX];
	size_t i, size = 0;
	char *names = NULL;
	FILE *list = open_memstream(&names, &size);
	ssize_t got;
	int n = 0, ret = 0;

	if (!p || !list) {
		ret = chess_set_error(ENOMEM, "no memory for traps in %s", path);
		goto out;
	}
	for (i = 0; i < s->n; i++) {
		w = s->v[i].id ? chess_wrapper_find(s->v[i].id) : NULL;
		got = pread(fd, code, sizeof(code), s->v[i].offset);
		if (got < 0) {
			ret = chess_set_error(errno, "cannot read %s: %s", path,
					      strerror(errno));
			goto out;
		}
		if (chess_insn_displace(code, got, &p[n])) {
			fprintf(list, "%s%s", ftell(list) > 0 ? "," : "", w ? w->symbol : "rdtsc");
			continue;
		}
		p[n].offset = s->v[i].offset;
		if (!w) {
			p[n++].flags = CHESS_PROBE_TSC;
			continue;
		}
		p[n].id = s->v[i].id;
		p[n].op = w->op;
		p[n].op_flags = w->op_flags;
		p[n].object_arg = w->object_arg;
		p[n++].second_arg = w->second_arg;
	}
	ret = n;
out:
	if (list && fclose(list) && ret >= 0)
		ret = chess_set_error(ENOMEM, "no memory for traps in %s", path);
	if (ret >= 0 && skipped) {
		*skipped = size ? names : NULL;
		if (size)
			names = NULL;
	}
	free(names);
	if (ret < 0)
		free(p);
	else
		*out = p;
	return ret;
}

int chess_symbols_probes(const char *path, struct chess_probe **out, char **skipped)
{
	struct sites sites = { 0 };
	struct chess_elf_file file;
	GElf_Ehdr eh;
	int ret;

	*out = NULL;
	if (skipped)
		*skipped = NULL;
	ret = chess_elf_open(path, &file);
	if (ret)
		return ret;
	if (!gelf_getehdr(file.elf, &eh) || (eh.e_type != ET_DYN && eh.e_type != ET_EXEC))
		ret = chess_set_error(ENOEXEC, "%s is not an x86-64 program or library", path);
	else
		ret = scan(file.elf, &sites);
	if (!ret)
		ret = scan_tsc(file.elf, path, &sites);
	if (!ret) {
		reduce(&sites);
		ret = make_probes(file.fd, path, &sites, out, skipped);
	}
	free(sites.v);
	chess_elf_close(&file);
	return ret;
}

/* What "#!" and ELF files of other machines are to us. */
static int kind_of(int fd, const char *path)
{
	unsigned char head[EI_NIDENT] = { 0 };
	ssize_t got = pread(fd, head, sizeof(head), 0);
	int kind = CHESS_PROGRAM_FOREIGN;
	GElf_Ehdr eh;
	GElf_Phdr ph;
	size_t n, i;
	Elf *elf;

	if (got < 0)
		return chess_set_error(errno, "cannot read %s: %s", path, strerror(errno));
	if (got >= 2 && head[0] == '#' && head[1] == '!')
		return CHESS_PROGRAM_SCRIPT;
	if (got < 4 || memcmp(head, ELFMAG, SELFMAG))
		return chess_set_error(ENOEXEC,
				       "%s is neither an ELF file nor a script with #!", path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || !gelf_getehdr(elf, &eh) ||
	    (eh.e_type != ET_EXEC && eh.e_type != ET_DYN)) {
		elf_end(elf);
		return chess_set_error(ENOEXEC, "%s is an ELF file but not a program", path);
	}
	if (eh.e_machine == EM_386 ||
	    (eh.e_machine == EM_X86_64 && gelf_getclass(elf) == ELFCLASS32)) {
		kind = CHESS_PROGRAM_32BIT;
	} else if (eh.e_machine == EM_X86_64) {
		kind = CHESS_PROGRAM_STATIC;
		if (elf_getphdrnum(elf, &n))
			n = 0;
		for (i = 0; i < n; i++)
			if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_INTERP)
				kind = CHESS_PROGRAM_DYNAMIC;
	}
	elf_end(elf);
	return kind;
}

int chess_symbols_known(const struct chess_ctl *c, const char *path, struct chess_probe **out)
{
	uint32_t most = chess_ctl_functions(c);
	int n = chess_symbols_probes(path, out, NULL), kept = 0, i;

	for (i = 0; i < n; i++)
		if (!most || (*out)[i].id <= most)
			(*out)[kept++] = (*out)[i];
	return n < 0 ? n : kept;
}

int chess_symbols_kind(const char *path)
{
	struct stat st;
	int fd, ret;

	if (stat(path, &st))
		return chess_set_error(errno, "cannot run %s: %s", path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return chess_set_error(EISDIR, "cannot run %s: it is a directory", path);
	if (!S_ISREG(st.st_mode) || faccessat(AT_FDCWD, path, X_OK, AT_EACCESS))
		return chess_set_error(EACCES, "cannot run %s: it is not executable by you", path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return chess_set_error(errno, "cannot read %s: %s", path, strerror(errno));
	ret = kind_of(fd, path);
	close(fd);
	return ret;
}
