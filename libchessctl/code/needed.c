// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Which files' code a program can run at its start: the program, its ELF
 * interpreter, the libraries its DT_NEEDED entries lead to, what LD_PRELOAD
 * names, and the interpreter of a script with all of its own. What came later in runs
 * before (later.c) stands after those.
 *
 * The runner registers traps in each of them. A file too many costs nothing, as
 * traps are armed where a file is mapped; a file too few is a hole. So where
 * ld.so would choose (glibc-hwcaps), all choices are listed.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "internal.h"

#define LD_SO_CACHE "/etc/ld.so.cache"

struct file {
	char *path;
	char *rpath;		/* DT_RPATH, own and of the loaders, without DT_RUNPATH */
	dev_t dev;
	ino_t ino;
};

struct files {
	const struct chess_program *p;	/* whose environment counts */
	struct file *v;
	size_t n, room;
	char *cache;		/* contents of LD_SO_CACHE */
	size_t cache_size;
	bool failed;		/* out of memory */
};

static bool is_our_elf(int fd)
{
	Elf64_Ehdr eh;

	return pread(fd, &eh, sizeof(eh), 0) == sizeof(eh) &&
	       !memcmp(eh.e_ident, ELFMAG, SELFMAG) && eh.e_ident[EI_CLASS] == ELFCLASS64 &&
	       eh.e_machine == EM_X86_64;
}

static const char *get_env(const struct files *f, const char *name)
{
	size_t n = strlen(name);
	char *const *e;

	if (!f->p->envp)
		return getenv(name);
	for (e = f->p->envp; *e; e++)
		if (!strncmp(*e, name, n) && (*e)[n] == '=')
			return *e + n + 1;
	return NULL;
}

/* Add @path unless it is listed; true when it is there, old or new. */
static bool add_file(struct files *f, const char *path, const char *rpath, bool any_kind)
{
	char here[PATH_MAX];
	struct file *v;
	struct stat st;
	size_t i;
	bool ok;
	int fd;

	/* All but the program's own name are as the program sees them. */
	if (f->n && *path != '/' && f->p->cwd) {
		if ((size_t)snprintf(here, sizeof(here), "%s/%s", f->p->cwd, path) >= sizeof(here))
			return false;
		path = here;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	ok = !fstat(fd, &st) && S_ISREG(st.st_mode) && (any_kind || is_our_elf(fd));
	close(fd);
	if (!ok)
		return false;
	for (i = 0; i < f->n; i++)
		if (f->v[i].dev == st.st_dev && f->v[i].ino == st.st_ino)
			return true;
	if (chess_array_room(&f->v, &f->room, f->n + 1, sizeof(*f->v))) {
		f->failed = true;
		return false;
	}
	v = &f->v[f->n];
	*v = (struct file) {
		.path = strdup(path), .rpath = strdup(rpath ? rpath : ""),
		.dev = st.st_dev, .ino = st.st_ino,
	};
	f->n++;
	f->failed |= !v->path || !v->rpath;
	return true;
}

/* "$ORIGIN/../lib" of the file @path; NULL for tokens we do not know. */
static char *expand(const char *dir, size_t len, const char *path)
{
	char origin[PATH_MAX], *text = NULL, *slash;
	size_t size, i;
	FILE *out;

	if (!realpath(path, origin))
		return NULL;
	slash = strrchr(origin, '/');
	if (slash)
		slash[slash == origin] = '\0';
	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	for (i = 0; i < len; i++) {
		const char *p = dir + i;
		size_t left = len - i;
		static const struct { const char *token, *value; } tokens[] = {
			{ "$ORIGIN", NULL }, { "${ORIGIN}", NULL },
			{ "$LIB", "lib/x86_64-linux-gnu" }, { "${LIB}", "lib/x86_64-linux-gnu" },
			{ "$PLATFORM", "x86_64" }, { "${PLATFORM}", "x86_64" },
		};
		size_t k, n;

		for (k = 0; k < ARRAY_SIZE(tokens); k++) {
			n = strlen(tokens[k].token);
			if (left >= n && !memcmp(p, tokens[k].token, n))
				break;
		}
		if (k < ARRAY_SIZE(tokens)) {
			fputs(tokens[k].value ? tokens[k].value : origin, out);
			i += n - 1;
		} else {
			fputc(*p, out);
		}
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* Look for @name in the directories of @list; @owner is what $ORIGIN refers to. */
static bool search_list(struct files *f, const char *list, const char *separators,
			const char *name, const char *owner, const char *rpath)
{
	static const char *const hwcaps[] = {
		"/glibc-hwcaps/x86-64-v4", "/glibc-hwcaps/x86-64-v3", "/glibc-hwcaps/x86-64-v2", "",
	};
	char path[PATH_MAX], *dir;
	bool found = false;
	size_t len, i;

	for (; list && *list; list += len + !!list[len]) {
		len = strcspn(list, separators);
		dir = expand(list, len, owner);
		if (!dir)
			continue;
		for (i = 0; i < ARRAY_SIZE(hwcaps); i++)
			if ((size_t)snprintf(path, sizeof(path), "%s%s/%s", *dir ? dir : ".",
					     hwcaps[i], name) < sizeof(path))
				found |= add_file(f, path, rpath, false);
		free(dir);
		if (found)
			return true;
	}
	return false;
}

/* The format of glibc 2.2 and up, which may stand after the older one. */
struct cache_header {
	char magic[20];
	uint32_t n, strings;
	uint8_t flags, pad[3];
	uint32_t unused[4];
};

struct cache_entry {
	int32_t flags;
	uint32_t key, value, osversion;
	uint64_t hwcap;
};

#define CACHE_MAGIC "glibc-ld.so.cache1.1"
#define CACHE_X86_64_ELF_LIBC6 0x0303

static void read_cache(struct files *f)
{
	int fd = open(LD_SO_CACHE, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ssize_t got;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && st.st_size > 0 && st.st_size < 64 << 20) {
		f->cache = malloc(st.st_size + 1);
		got = f->cache ? pread(fd, f->cache, st.st_size, 0) : 0;
		f->cache_size = got > 0 ? got : 0;
		if (f->cache)
			f->cache[f->cache_size] = '\0';
	}
	close(fd);
}

static bool search_cache(struct files *f, const char *name, const char *rpath)
{
	struct cache_header head;
	struct cache_entry entry;
	const char *base;
	bool found = false;
	size_t left, i;

	base = memmem(f->cache, f->cache_size, CACHE_MAGIC, strlen(CACHE_MAGIC));
	if (!base)
		return false;
	left = f->cache + f->cache_size - base;
	if (left < sizeof(head))
		return false;
	memcpy(&head, base, sizeof(head));
	for (i = 0; i < head.n && sizeof(head) + (i + 1) * sizeof(entry) <= left; i++) {
		memcpy(&entry, base + sizeof(head) + i * sizeof(entry), sizeof(entry));
		if (entry.flags != CACHE_X86_64_ELF_LIBC6 || entry.key >= left ||
		    entry.value >= left || strcmp(base + entry.key, name))
			continue;
		found |= add_file(f, base + entry.value, rpath, false);
	}
	return found;
}

static bool find_library(struct files *f, const char *name, const char *owner,
			 const char *rpath, const char *runpath)
{
	static const char defaults[] =
		"/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:/lib64:/usr/lib64:/lib:/usr/lib";
	char *path;
	bool found;

	if (strchr(name, '/')) {
		path = expand(name, strlen(name), owner);
		found = path && add_file(f, path, rpath, false);
		free(path);
		return found;
	}
	return (!*runpath && search_list(f, rpath, ":", name, owner, rpath)) ||
	       search_list(f, get_env(f, "LD_LIBRARY_PATH"), ":;", name, owner, rpath) ||
	       search_list(f, runpath, ":", name, owner, rpath) ||
	       search_cache(f, name, rpath) ||
	       search_list(f, defaults, ":", name, owner, rpath);
}

/* A string at @addr of the loaded file; NULL where none is. Caller frees. */
static char *string_at(Elf *elf, uint64_t addr)
{
	size_t size, n, i;
	const char *raw;
	GElf_Phdr ph;

	raw = elf_rawfile(elf, &size);
	if (!raw || elf_getphdrnum(elf, &n))
		return NULL;
	for (i = 0; i < n; i++) {
		uint64_t at;

		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD || addr < ph.p_vaddr ||
		    addr - ph.p_vaddr >= ph.p_filesz)
			continue;
		at = addr - ph.p_vaddr + ph.p_offset;
		return at < size ? strndup(raw + at, size - at) : NULL;
	}
	return NULL;
}

struct dynamic {
	Elf *elf;
	uint64_t strings;
	char *runpath, *rpath;
};

/* Call @fn for each entry of PT_DYNAMIC. */
static void each_dynamic(struct dynamic *d, void (*fn)(struct dynamic *, const Elf64_Dyn *, void *),
			 void *arg)
{
	size_t size, n, i;
	const char *raw;
	Elf64_Dyn dyn;
	GElf_Phdr ph;
	uint64_t at;

	raw = elf_rawfile(d->elf, &size);
	if (!raw || elf_getphdrnum(d->elf, &n))
		return;
	for (i = 0; i < n; i++) {
		if (!gelf_getphdr(d->elf, i, &ph) || ph.p_type != PT_DYNAMIC ||
		    ph.p_offset > size || ph.p_filesz > size - ph.p_offset)
			continue;
		for (at = 0; at + sizeof(dyn) <= ph.p_filesz; at += sizeof(dyn)) {
			memcpy(&dyn, raw + ph.p_offset + at, sizeof(dyn));
			if (dyn.d_tag == DT_NULL)
				break;
			fn(d, &dyn, arg);
		}
	}
}

static void note_strings(struct dynamic *d, const Elf64_Dyn *dyn, void *arg)
{
	(void)arg;
	if (dyn->d_tag == DT_STRTAB)
		d->strings = dyn->d_un.d_ptr;
}

static void note_rpaths(struct dynamic *d, const Elf64_Dyn *dyn, void *arg)
{
	char **where = dyn->d_tag == DT_RPATH ? &d->rpath : &d->runpath;

	(void)arg;
	if (dyn->d_tag != DT_RPATH && dyn->d_tag != DT_RUNPATH)
		return;
	free(*where);
	*where = string_at(d->elf, d->strings + dyn->d_un.d_val);
}

struct loader {
	struct files *files;
	const char *path;
	const char *rpath;
};

static void follow_needed(struct dynamic *d, const Elf64_Dyn *dyn, void *arg)
{
	struct loader *l = arg;
	char *name;

	if (dyn->d_tag != DT_NEEDED)
		return;
	name = string_at(d->elf, d->strings + dyn->d_un.d_val);
	if (name && *name)
		find_library(l->files, name, l->path, l->rpath, d->runpath ? d->runpath : "");
	free(name);
}

/* DT_RPATH holds for what this file loads and for what that loads in turn. */
static char *join_rpath(const char *own, const char *path, const char *inherited)
{
	char *joined = NULL, *dirs = own ? expand(own, strlen(own), path) : NULL;

	if (asprintf(&joined, "%s%s%s", dirs ? dirs : "", dirs && *inherited ? ":" : "",
		     inherited) < 0)
		joined = NULL;
	free(dirs);
	return joined;
}

static void follow_elf(struct files *f, size_t i)
{
	struct dynamic d = { 0 };
	struct loader l = { .files = f };
	char *path = strdup(f->v[i].path), *rpath = NULL;
	GElf_Phdr ph;
	size_t n, k;
	int fd;

	fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		goto out;
	elf_version(EV_CURRENT);
	d.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (!d.elf || elf_kind(d.elf) != ELF_K_ELF || gelf_getclass(d.elf) != ELFCLASS64)
		goto out;
	each_dynamic(&d, note_strings, NULL);
	each_dynamic(&d, note_rpaths, NULL);
	rpath = join_rpath(d.runpath ? NULL : d.rpath, path, f->v[i].rpath);
	if (!rpath)
		goto out;
	if (elf_getphdrnum(d.elf, &n))
		n = 0;
	for (k = 0; k < n; k++) {
		size_t size;
		const char *raw = elf_rawfile(d.elf, &size);

		if (raw && gelf_getphdr(d.elf, k, &ph) && ph.p_type == PT_INTERP &&
		    ph.p_offset < size && ph.p_filesz <= size - ph.p_offset &&
		    memchr(raw + ph.p_offset, 0, ph.p_filesz))
			add_file(f, raw + ph.p_offset, "", false);
	}
	l.path = path;
	l.rpath = rpath;
	each_dynamic(&d, follow_needed, &l);
out:
	elf_end(d.elf);
	if (fd >= 0)
		close(fd);
	free(d.rpath);
	free(d.runpath);
	free(rpath);
	free(path);
}

static bool is_executable(const struct files *f, const char *path)
{
	int fd = f->p->cwd ? open(f->p->cwd, O_PATH | O_DIRECTORY | O_CLOEXEC) : AT_FDCWD;
	bool yes = !faccessat(fd, path, X_OK, 0);

	if (fd >= 0)
		close(fd);
	return yes;
}

/* The first executable called @name in PATH; with a slash, itself. */
static void add_from_path(struct files *f, const char *name)
{
	const char *list = get_env(f, "PATH");
	char path[PATH_MAX];
	size_t len;

	if (strchr(name, '/')) {
		add_file(f, name, "", true);
		return;
	}
	for (; list && *list; list += len + !!list[len]) {
		len = strcspn(list, ":");
		snprintf(path, sizeof(path), "%.*s/%s", (int)len, list, name);
		if (is_executable(f, path) && add_file(f, path, "", true))
			return;
	}
}

/* "#!/bin/sh -e" leads to /bin/sh, "#!/usr/bin/env [-S] name" to name as well. */
static void follow_script(struct files *f, const char *path)
{
	char line[256], *interpreter, *word, *save;
	FILE *in = fopen(path, "re");
	const char *base;

	if (!in)
		return;
	if (fgets(line, sizeof(line), in) && !strncmp(line, "#!", 2)) {
		interpreter = strtok_r(line + 2, " \t\n", &save);
		if (interpreter)
			add_file(f, interpreter, "", true);
		base = interpreter ? strrchr(interpreter, '/') : NULL;
		if (base && !strcmp(base, "/env")) {
			do {
				word = strtok_r(NULL, " \t\n", &save);
			} while (word && (*word == '-' || strchr(word, '=')));
			if (word)
				add_from_path(f, word);
		}
	}
	fclose(in);
}

static void add_preloads(struct files *f)
{
	const char *list = get_env(f, "LD_PRELOAD");
	char name[PATH_MAX];
	size_t len;

	for (; list && *list; list += len + !!list[len]) {
		len = strcspn(list, ": ");
		if (!len || len >= sizeof(name))
			continue;
		memcpy(name, list, len);
		name[len] = '\0';
		find_library(f, name, f->v[0].path, "", "");
	}
}

/* Hand the paths over and free the rest. */
static char **take_paths(struct files *f)
{
	char **paths = f->failed ? NULL : calloc(f->n + 1, sizeof(*paths));
	size_t i;

	for (i = 0; i < f->n; i++) {
		if (paths)
			paths[i] = f->v[i].path;
		else
			free(f->v[i].path);
		free(f->v[i].rpath);
	}
	free(f->v);
	free(f->cache);
	if (!paths)
		chess_set_error(ENOMEM, "no memory for the list of files");
	return paths;
}

char **chess_symbols_files(const char *program)
{
	static const struct chess_program ours;

	return chess_symbols_files_of(&ours, program);
}

char **chess_symbols_files_of(const struct chess_program *p, const char *program)
{
	struct files f = { .p = p };
	size_t i;
	int kind = chess_symbols_kind(program);

	if (kind < 0) {
		errno = -kind;
		return NULL;
	}
	if (!add_file(&f, program, "", true)) {
		chess_set_error(errno ? errno : ENOENT, "cannot read %s", program);
		return NULL;
	}
	read_cache(&f);
	add_preloads(&f);
	/* Files are added after the one at work; a script may lead to a script. */
	for (i = 0; i < f.n && !f.failed; i++) {
		kind = chess_symbols_kind(f.v[i].path);
		if (kind == CHESS_PROGRAM_SCRIPT)
			follow_script(&f, f.v[i].path);
		else
			follow_elf(&f, i);
	}
	/* What they need in turn was mapped with them, and is listed if it has to be. */
	for (i = 0; p->later && p->later[i]; i++)
		add_file(&f, p->later[i], "", false);
	/* Kept apart from libc.so.6 before glibc 2.34, and loaded by plugins only. */
	find_library(&f, "libpthread.so.0", program, "", "");
	return take_paths(&f);
}
