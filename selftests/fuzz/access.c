// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs and libraries as they are searched for accesses, sync functions, heaps and
 * variables: fuzz-access. What is mended in them is the structure of ELF: sections, symbols,
 * segments, .eh_frame, code. Debug information is none of ours to read: libdw does it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "code/access.h"
#include "chessctl/chessctl.h"
#include "chessctl/races.h"
#include "fuzz.h"
#include "code/heap.h"
#include "code/image.h"

static void begin(void)
{
	if (!fuzz_keep_file(FUZZ_SAMPLES "/sample.so") || !fuzz_keep_file(FUZZ_SAMPLES "/sample"))
		abort();
}

/* --- changes ----------------------------------------------------------------- */

static bool get(const struct fuzz_input *in, uint64_t at, void *to, size_t n)
{
	if (at > in->n || n > in->n - at)
		return false;
	memcpy(to, in->data + at, n);
	return true;
}

/* A field of something that is @n bytes long at @at. */
static void change_field(struct fuzz_input *in, uint64_t at, size_t n)
{
	if (at <= in->n && n <= in->n - at)
		fuzz_bytes(in->data + at, n);
}

/* One section; its header, or what is in it. */
static void change_section(struct fuzz_input *in, const Elf64_Ehdr *eh)
{
	unsigned int times = fuzz_one_in(2) ? 1 : 4;
	uint64_t at = eh->e_shoff + fuzz_below(eh->e_shnum) * sizeof(Elf64_Shdr);
	Elf64_Shdr sh;

	if (!get(in, at, &sh, sizeof(sh)) || fuzz_one_in(4)) {
		change_field(in, at, sizeof(sh));
		return;
	}
	while (sh.sh_size && times--) {
		bool symbols = sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM;
		size_t size = symbols ? sizeof(Elf64_Sym) : sizeof(Elf64_Dyn);

		at = sh.sh_offset + fuzz_below(sh.sh_size / size + 1) * size;
		change_field(in, at, size);
	}
}

static void mutate(struct fuzz_input *in)
{
	unsigned int times = 1 + fuzz_below(4);
	Elf64_Ehdr eh;

	while (times-- && get(in, 0, &eh, sizeof(eh))) {
		switch (fuzz_below(16)) {
		case 0:
			change_field(in, 0, sizeof(eh));
			break;
		case 1:
		case 2:
			change_field(in, eh.e_phoff + fuzz_below(eh.e_phnum) * sizeof(Elf64_Phdr),
				     sizeof(Elf64_Phdr));
			break;
		case 3:
			fuzz_bytes(in->data, in->n);
			break;
		case 4:
			if (fuzz_one_in(4))
				in->n = fuzz_below(in->n + 1);
			break;
		default:
			change_section(in, &eh);
			break;
		}
	}
}

/* --- reading ----------------------------------------------------------------- */

static void read_heap(const char *path)
{
	struct chess_probe *list = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC), n = 0;

	chess_heap_probes(fd, &list, &n);
	close(fd);
	free(list);
}

static void read_variables(const char *path)
{
	struct chess_variable v;
	char maps[256];

	snprintf(maps, sizeof(maps),
		 "555555554000-555555560000 r-xp 00000000 00:00 0    %s\n", path);
	chess_variable_find(maps, 0x555555558040, &v);
	fuzz_expect(strnlen(v.name, sizeof(v.name)) < sizeof(v.name) &&
		    strnlen(v.path, sizeof(v.path)) < sizeof(v.path), "names of variables end");
}

static bool read_accesses(const char *path, const char *const *names)
{
	struct chess_sites sites;
	int ret = chess_access_scan(path, names, &sites);
	bool good = !ret && sites.n;
	size_t i;

	for (i = 0; !ret && i < sites.n; i++)
		fuzz_expect(sites.v[i].length && sites.v[i].n <= CHESS_OPERANDS_MAX,
			    "a site has a length and operands");
	chess_sites_free(&sites);
	return good;
}

static void read_functions(const char *path)
{
	struct chess_probe *probes = NULL;
	char *skipped = NULL;

	chess_symbols_probes(path, &probes, &skipped);
	free(probes);
	free(skipped);
}

static void read_code(const char *path)
{
	struct chess_code_site *code;
	int n = chess_code_scan(path, &code);

	if (n >= 0)
		chess_code_sites_free(code, n);
}

/* One reader for each: most of the time goes into opening the file. */
static bool read_file(const unsigned char *data, size_t n)
{
	static const char *const names[] = { "pthread_mutex_lock", NULL };
	const char *path = fuzz_file(data, n);
	struct chess_sites sites;

	switch (crc32(0, data, n) % 16) {
	case 1:
		return read_accesses(path, names);
	case 2:
		chess_access_scan_sync(path, &sites);
		chess_sites_free(&sites);
		return false;
	case 3:
	case 4:
		read_functions(path);
		return false;
	case 5:
		read_code(path);
		return false;
	case 6:
	case 7:
		read_heap(path);
		return false;
	case 8:
		read_variables(path);
		return false;
	default:
		return read_accesses(path, NULL);
	}
}

int main(int argc, char **argv)
{
	static const struct fuzz_target target = {
		.name = "access", .begin = begin, .mutate = mutate, .run = read_file,
	};

	return fuzz_main(&target, argc, argv);
}
