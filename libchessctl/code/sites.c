// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See sites.h. A trap at an access and one at a sync function may stand on one
 * instruction: then they are one. runner.c calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array.h"
#include "code/build_id.h"
#include "code/entries.h"
#include "code/heap.h"
#include "code/insn.h"
#include "code/jump.h"
#include "code/library_code.h"
#include "code/memcalls.h"
#include "internal.h"
#include "module/nl.h"
#include "code/program.h"
#include "code/sites.h"
#include "code/wrappers.h"

/* Of a library that is there to put tasks in order; libstdc++ has 10,000. */
#define SYNC_SITES_MAX	16384

static int no_memory(void)
{
	return chess_set_error(ENOMEM, "no memory for the access sites of a program");
}

static void free_list(char **list)
{
	size_t i;

	for (i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/* @text is copied. */
static int push(char ***list, const char *text)
{
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	if (chess_array_extend(list, n, n + 2, sizeof(**list)))
		return no_memory();
	(*list)[n] = strdup(text);
	return (*list)[n] ? 0 : no_memory();
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The file that @name, @len bytes of it, means; NULL and errno. malloc'ed */
static char *file_of(const struct chess_site_table *t, const char *name, size_t len)
{
	size_t i;

	if (!len || (len == 7 && !strncmp(name, "PROGRAM", len)))
		return strdup(t->paths[0]);
	if (memchr(name, '/', len))
		return strndup(name, len);
	for (i = 0; t->paths[i]; i++)
		if (strlen(base_of(t->paths[i])) == len &&
		    !strncmp(base_of(t->paths[i]), name, len))
			return strdup(t->paths[i]);
	chess_set_error(ENOENT,
			"the program is not linked to a library called %.*s; name one of ldd's list, or give a path",
			(int)len, name);
	return NULL;
}

bool chess_site_same_file(const char *a, const char *b)
{
	struct stat x, y;

	if (!strcmp(a, b))
		return true;
	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static struct chess_site_file *entry_of(struct chess_site_table *t, const char *path)
{
	struct chess_site_file *f;
	size_t i;

	for (i = 0; i < t->n_files; i++)
		if (chess_site_same_file(t->file[i].path, path))
			return &t->file[i];
	if (chess_array_extend(&t->file, i, i + 1, sizeof(*f)))
		return NULL;
	f = &t->file[i];
	f->path = strdup(path);
	t->n_files += !!f->path;
	return f->path ? f : NULL;
}

/* The whole of a file, once it is asked for, is more than functions of it. */
static int note(struct chess_site_table *t, const char *code)
{
	const char *colon = strchr(code, ':');
	size_t len = colon ? (size_t)(colon - code) : strlen(code);
	struct chess_site_file *f;
	size_t known = t->n_files;
	char *path;

	if (colon && !colon[1])
		return chess_set_error(EINVAL, "code '%s' names no function after its colon", code);
	path = file_of(t, code, len);
	if (!path)
		return errno == ENOENT ? -ENOENT : no_memory();
	f = entry_of(t, path);
	free(path);
	if (!f)
		return no_memory();
	if (colon && (f->names || t->n_files > known))
		return push(&f->names, colon + 1);
	if (!colon) {
		free_list(f->names);
		f->names = NULL;
	}
	return 0;
}

/* As they are linked, so that numbers do not depend on the order of the list of code. */
static void sort_files(struct chess_site_table *t)
{
	size_t i, k, n = 0;

	for (i = 0; t->paths[i]; i++)
		for (k = n; k < t->n_files; k++)
			if (chess_site_same_file(t->file[k].path, t->paths[i])) {
				struct chess_site_file f = t->file[k];

				memmove(&t->file[n + 1], &t->file[n], (k - n) * sizeof(f));
				t->file[n++] = f;
				break;
			}
}

static void read_build_id(struct chess_site_file *f, int fd)
{
	char *text = chess_build_id_of(fd);

	snprintf(f->build_id, sizeof(f->build_id), "%s", text ? text : "");
	free(text);
}

/* A trap at @offset of the file, which is nothing yet. */
static int displace(int fd, uint64_t offset, struct chess_probe *p)
{
	unsigned char code[ZYDIS_MAX_INSTRUCTION_LENGTH];
	ssize_t n = pread(fd, code, sizeof(code), offset);

	memset(p, 0, sizeof(*p));
	p->offset = offset;
	return n < 1 ? -ENOTSUP : chess_insn_displace(code, n, p);
}

/* Only those stay that a trap can stand on. */
static void keep_displaceable(struct chess_site_file *f, int fd)
{
	struct chess_sites *s = &f->sites;
	struct chess_probe p;
	size_t i, n = 0;

	for (i = 0; i < s->n; i++) {
		if (!displace(fd, s->v[i].offset, &p))
			s->v[n++] = s->v[i];
		else
			s->left[CHESS_LEFT_NO_SLOT]++;
	}
	s->n = n;
}

static bool has_name(const struct chess_site_file *f, const char *name)
{
	size_t i;

	for (i = 0; f->names && f->names[i]; i++)
		if (!strcmp(f->names[i], name))
			return true;
	return false;
}

static int scan(struct chess_site_file *f)
{
	int ret = 0;

	if (f->sync)
		ret = chess_access_scan_sync(f->path, &f->sites);
	else if (!f->foreign)
		ret = chess_access_scan(f->path, (const char *const *)f->names, &f->sites);
	chess_sites_sort(&f->sites);
	if (!ret && f->entries)
		ret = chess_entries_add(f->path, &f->sites);
	if (!ret && has_name(f, CHESS_LIBRARY_THREAD_END))
		ret = chess_entries_add_state(f->path, CHESS_LIBRARY_THREAD_END,
					      CHESS_ADDRESS_KEYS, 1, &f->sites);
	return ret;
}

/* Where its heap is given memory back: no access of the instruction there, but a site. */
static int add_takers(struct chess_site_table *t, struct chess_site_file *f, int fd)
{
	struct chess_sites *s = &f->sites;
	struct chess_probe *list = NULL;
	int n = 0, i, ret = chess_heap_takers(fd, &list, &n);
	struct chess_site *v;

	t->heap_calls_itself |= n && !(list[0].flags & CHESS_PROBE_OWN);
	if (!ret && n && chess_array_resize(&s->v, s->n + n, sizeof(*v)))
		ret = no_memory();
	for (i = 0; !ret && i < n; i++) {
		if (chess_sites_at(s, list[i].offset))
			continue;
		for (v = s->v + s->n++; v > s->v && v[-1].offset > list[i].offset; v--)
			*v = v[-1];
		*v = (struct chess_site) { .offset = list[i].offset, .length = 1 };
	}
	free(list);
	return ret;
}

/*
 * Is the heap's own code looked at? It uses what is free. Of a static program that has debug
 * information it is not; of one named function of a library it may be, not of those that
 * library_code.c names.
 */
static bool has_own(const struct chess_site_file *f, int fd)
{
	uint64_t start, end;
	size_t i;

	if (f->heap || chess_heap_own(fd, &start, &end))
		return false;
	for (i = 0; i < f->sites.n; i++)
		if (f->sites.v[i].offset >= start && f->sites.v[i].offset < end)
			return true;
	return f->names && !f->library;
}

static int read_file(struct chess_site_table *t, struct chess_site_file *f)
{
	int ret = f->heap ? 0 : scan(f), fd;
	bool own;

	if (ret)
		return ret;
	fd = open(f->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return chess_set_error(errno, "%s cannot be opened: %m", f->path);
	keep_displaceable(f, fd);
	own = has_own(f, fd);
	ret = add_takers(t, f, fd);
	read_build_id(f, fd);
	close(fd);
	if (ret)
		return ret;
	f->first = t->n + 1;
	t->n += f->sites.n;
	if (own) {
		t->own_first = f->first;
		t->own_end = t->n + 1;
	}
	if (t->n >= CHESS_MAX_SITES)
		return chess_set_error(E2BIG,
				       "the code has more than %u instructions that access memory; name less of it",
				       CHESS_MAX_SITES);
	return 0;
}

static bool has_sites(const struct chess_site_table *t, const char *path)
{
	size_t i;

	for (i = 0; i < t->n_files; i++)
		if (chess_site_same_file(t->file[i].path, path))
			return true;
	return false;
}

/*
 * What orders tasks in the C library is known by the names of its functions, and the loader
 * orders none. Other libraries have functions of such names as well, but not all that orders.
 */
static bool is_understood(const char *path)
{
	struct chess_probe *list = NULL;
	int n = chess_symbols_probes(path, &list, NULL), i;
	bool found = false;

	for (i = 0; i < n && !found; i++)
		found = list[i].id &&
			!strncmp(chess_wrapper_find(list[i].id)->symbol, "pthread_", 8);
	free(list);
	return found || n < 0 || !strncmp(base_of(path), "ld-linux", strlen("ld-linux"));
}

/* Of a program that is linked statically only what has debug information is looked at. */
static bool is_c_library(const char *path)
{
	return !strncmp(base_of(path), "lib", 3) && is_understood(path);
}

/* The last file, with which there are more than @known sites. */
static void drop_last(struct chess_site_table *t, size_t known)
{
	struct chess_site_file *f = &t->file[--t->n_files];

	t->n = known;
	free(f->path);
	chess_sites_free(&f->sites);
}

/*
 * A library with more of it, or no room for that: it is left alone. What is put in order by
 * it alone is reported then.
 */
static void drop_large(struct chess_site_table *t, size_t known)
{
	const struct chess_sites *s = &t->file[t->n_files - 1].sites;

	if (!s->n || s->n > SYNC_SITES_MAX || t->n >= CHESS_MAX_SITES)
		drop_last(t, known);
}

/*
 * Where the loader looks for what programs are linked to. What is opened from there is a
 * library like those; what is opened from elsewhere is a part of the program, a plug-in.
 */
static bool is_system_library(const char *path)
{
	static const char *const dirs[] = {
		"/lib/x86_64-linux-gnu/", "/usr/lib/x86_64-linux-gnu/", "/lib64/", "/usr/lib64/",
		"/lib/", "/usr/lib/",
	};
	size_t i, n = base_of(path) - path;

	for (i = 0; i < ARRAY_SIZE(dirs); i++)
		if (n == strlen(dirs[i]) && !memcmp(path, dirs[i], n))
			return true;
	return false;
}

/* Nobody asked for code of anything but the program. */
static bool is_plain(const char *const *code)
{
	return !code[0] || (!code[1] && (!*code[0] || !strcmp(code[0], "PROGRAM")));
}

/* Such a one has so much code that it finds no room, or none at all: it has no sites. */
static bool is_left_alone(int err)
{
	return err == -E2BIG || err == -ENOEXEC;
}

/* May the program, or a library of its own, unmap code? */
static bool unloads(const struct chess_site_table *t)
{
	size_t i;

	for (i = 0; t->paths[i]; i++)
		if (!is_system_library(t->paths[i]) &&
		    chess_library_imports(t->paths[i], chess_library_unloads))
			return true;
	return false;
}

/*
 * What comes later than at the start of the program and is the program's own; of other libraries
 * no more than where functions begin, if they may be unmapped.
 */
static int read_later_files(struct chess_site_table *t, const char *const *later)
{
	bool entries = later && later[0] && unloads(t), foreign;
	struct chess_site_file *f;
	size_t i, known;
	int ret = 0;

	for (i = 0; later && later[i] && !ret; i++) {
		foreign = is_system_library(later[i]) || is_c_library(later[i]);
		if (has_sites(t, later[i]) || (foreign && !entries))
			continue;
		f = entry_of(t, later[i]);
		if (!f)
			return no_memory();
		f->entries = entries;
		f->foreign = foreign;
		known = t->n;
		ret = read_file(t, f);
		if (is_left_alone(ret)) {
			ret = 0;
			drop_last(t, known);
		}
	}
	return ret;
}

/* After all others, so that numbers of those do not depend on it. */
static int read_sync_files(struct chess_site_table *t)
{
	size_t i, known, named = t->n;
	struct chess_site_file *f;
	int ret = 0;

	for (i = 0; t->paths[i] && !ret; i++) {
		if (has_sites(t, t->paths[i]) || is_understood(t->paths[i]))
			continue;
		f = entry_of(t, t->paths[i]);
		if (!f)
			return no_memory();
		f->sync = true;
		known = t->n;
		ret = read_file(t, f);
		if (!ret || is_left_alone(ret)) {
			ret = 0;
			drop_large(t, known);
		}
	}
	if (t->n > named)
		t->first_sync = named + 1;
	return ret;
}

/* After those, so that numbers of others do not depend on it either. */
static int read_heaps(struct chess_site_table *t)
{
	size_t i, before, known = t->n;
	struct chess_site_file *f;
	int ret = 0;

	for (i = 0; t->paths[i] && !ret; i++) {
		if (has_sites(t, t->paths[i]))
			continue;
		f = entry_of(t, t->paths[i]);
		if (!f)
			return no_memory();
		f->sync = f->heap = true;
		before = t->n;
		ret = read_file(t, f);
		if (!f->sites.n || ret)
			drop_last(t, before);
		/* The limit of their numbers: then none of the two is a point. */
		if (ret == -E2BIG)
			ret = 0;
	}
	if (t->n > known)
		t->first_heap = known + 1;
	return ret;
}

/* Code of the C library that matters for this program. */
static int note_library_code(struct chess_site_table *t)
{
	const struct chess_library_code *row;
	const char *const *name;
	size_t libc, i;
	int ret = 0;

	for (libc = 0; t->paths[libc] && strcmp(base_of(t->paths[libc]), "libc.so.6"); libc++)
		;
	for (i = 0; t->paths[libc] && !ret && (row = chess_library_code(i)); i++) {
		if (!chess_library_imports(t->paths[0], row->calls))
			continue;
		for (name = row->functions; *name && !ret; name++) {
			char code[PATH_MAX + 32];

			if (!chess_library_has(t->paths[libc], *name))
				continue;
			snprintf(code, sizeof(code), "%s:%s", t->paths[libc], *name);
			ret = note(t, code);
		}
	}
	for (i = 0; !ret && t->paths[libc] && i < t->n_files; i++)
		t->file[i].library |= chess_site_same_file(t->file[i].path, t->paths[libc]);
	return ret;
}

int chess_site_table_new(const struct chess_program *p, const char *path,
			 const char *const *code, struct chess_site_table **out)
{
	struct chess_site_table *t = calloc(1, sizeof(*t));
	char *elf = chess_program_elf(p, path);
	int ret = 0;
	size_t i;

	if (t && elf)
		t->paths = chess_symbols_files_of(p, elf);
	if (!t || !elf || !t->paths)
		ret = t && elf ? -errno : no_memory();
	free(elf);
	for (i = 0; code[i] && !ret; i++)
		ret = note(t, code[i]);
	if (!ret && is_plain(code))
		ret = note_library_code(t);
	if (!ret)
		sort_files(t);
	for (i = 0; !ret && i < t->n_files; i++)
		ret = read_file(t, &t->file[i]);
	if (!ret && is_plain(code))
		ret = read_later_files(t, p->later);
	if (!ret)
		ret = read_sync_files(t);
	if (!ret)
		ret = read_heaps(t);
	if (ret) {
		chess_site_table_free(t);
		t = NULL;
	}
	*out = t;
	return ret;
}

void chess_site_table_free(struct chess_site_table *t)
{
	size_t i;

	if (!t)
		return;
	for (i = 0; i < t->n_files; i++) {
		free(t->file[i].path);
		free_list(t->file[i].names);
		chess_sites_free(&t->file[i].sites);
	}
	free(t->file);
	free_list(t->paths);
	free_list(t->trapped);
	free(t);
}

bool chess_site_find(const struct chess_site_table *t, uint32_t id, struct chess_site_place *out)
{
	size_t i;

	for (i = 0; t && i < t->n_files; i++) {
		const struct chess_site_file *f = &t->file[i];

		if (id < f->first || id - f->first >= f->sites.n)
			continue;
		*out = (struct chess_site_place){ f, &f->sites.v[id - f->first] };
		return true;
	}
	return false;
}

/* The lowest offset that is left of those lists; UINT64_MAX: none is. */
static uint64_t next_offset(const struct chess_sites *s, size_t site, size_t end,
			    const struct chess_probe *sync, size_t n_sync)
{
	uint64_t at = n_sync ? sync->offset : UINT64_MAX;

	if (site < s->n && s->v[site].offset < at)
		at = s->v[site].offset;
	return end < s->ends && s->end[end] < at ? s->end[end] : at;
}

/*
 * Traps at sync functions, at sites and where loops end, all in order of offsets, as one list of
 * *@n; several may be one trap.
 */
static struct chess_probe *merge(int fd, const struct chess_site_file *f,
				 const struct chess_probe *sync, size_t n_sync, size_t *n)
{
	const struct chess_sites *s = &f->sites;
	struct chess_probe *all = calloc(n_sync + s->n + s->ends + 1, sizeof(*all)), *p = all;
	size_t i = 0, k = 0, end = 0;
	uint64_t at;

	while (all && (at = next_offset(s, k, end, sync + i, n_sync - i)) != UINT64_MAX) {
		if (i < n_sync && sync[i].offset == at)
			*p = sync[i++];
		else if (displace(fd, at, p))
			break;
		if (k < s->n && s->v[k].offset == at) {
			p->flags |= CHESS_PROBE_ACCESS;
			p->site = f->first + k++;
		}
		if (end < s->ends && s->end[end] == at) {
			p->flags |= CHESS_PROBE_AWAIT_END;
			end++;
		}
		p++;
	}
	*n = p - all;
	return all;
}

/* Several instructions were displaced for a jump: where one of them has a trap too, it is one. */
static int keep_apart(struct chess_probe *p, size_t n)
{
	uint8_t code[CHESS_PROBE_ORIG_MAX];
	size_t i;
	int ret;

	for (i = 0; i < n; i++) {
		if (!(p[i].flags & CHESS_PROBE_JUMP) ||
		    (p[i].flags == CHESS_PROBE_JUMP &&
		     (i + 1 == n || p[i + 1].offset >= p[i].offset + p[i].orig_len)))
			continue;
		memcpy(code, p[i].orig, sizeof(code));
		ret = chess_insn_displace(code, p[i].orig_len, &p[i]);
		if (ret)
			return ret;
		p[i].flags &= ~CHESS_PROBE_JUMP;
	}
	return 0;
}

static struct chess_operand *operands_of(const struct chess_site_file *f)
{
	struct chess_operand *all = calloc(CHESS_PROBE_OPERANDS * f->sites.n + 1, sizeof(*all));
	size_t i;

	for (i = 0; all && i < f->sites.n; i++)
		memcpy(all + CHESS_PROBE_OPERANDS * i, f->sites.v[i].operand,
		       f->sites.v[i].n * sizeof(*all));
	return all;
}

static int add_file(struct chess_site_table *t, const struct chess_site_file *f,
		    struct chess_ctl *c, uint32_t group, bool sync_points)
{
	struct chess_probe *sync = NULL, *all = NULL;
	struct chess_operand *operands = operands_of(f);
	int n_sync = sync_points ? chess_symbols_known(c, f->path, &sync) : 0, ret = 0;
	int fd = open(f->path, O_RDONLY | O_CLOEXEC);
	size_t n = 0;

	/* A file that is linked to and no ELF file of ours has no traps. */
	if (n_sync == -ENOEXEC && !f->sites.n)
		n_sync = 0;
	if (fd < 0)
		ret = chess_set_error(errno, "%s cannot be opened: %m", f->path);
	else if (n_sync < 0)
		ret = n_sync;
	else if (n_sync)
		ret = chess_jump_may_replace(f->path, sync, n_sync);
	if (!ret)
		ret = chess_heap_probes(fd, &sync, &n_sync);
	if (!ret)
		all = merge(fd, f, sync, n_sync, &n);
	if (!ret && (!all || !operands))
		ret = no_memory();
	if (!ret)
		ret = keep_apart(all, n);
	if (!ret && n)
		ret = chess_probe_add_accesses(c, group, fd, all, n, operands);
	if (!ret && n)
		ret = push(&t->trapped, f->path);
	if (fd >= 0)
		close(fd);
	free(operands);
	free(sync);
	free(all);
	return ret;
}

int chess_site_table_add(struct chess_site_table *t, struct chess_ctl *c, uint32_t group,
			 bool sync_points)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < t->n_files && !ret; i++)
		ret = add_file(t, &t->file[i], c, group, sync_points);
	for (i = 0; t->paths[i] && !ret; i++)
		if (!has_sites(t, t->paths[i]))
			ret = add_file(t, &(struct chess_site_file){ .path = t->paths[i] }, c,
				       group, sync_points);
	return ret;
}

bool chess_site_table_traps(const struct chess_site_table *t, const char *path)
{
	size_t i;

	for (i = 0; t->trapped && t->trapped[i]; i++)
		if (chess_site_same_file(t->trapped[i], path))
			return true;
	return false;
}
