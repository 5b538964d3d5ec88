// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See library_code.h. sites.c calls.
 *
 * The environment: getenv(3) takes no lock. It may be anywhere in the list of variables when
 * another task takes one out, and those after it move up; or adds one, for which the list is
 * copied to more memory, and the old one is freed. Neither order of the two calls as a whole shows
 * that.
 *
 * Keys: a thread that ends calls the destructor of each key that still exists. Between its last
 * operation and that there is no operation of its own.
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "code/elf_file.h"
#include "code/functions.h"
#include "code/library_code.h"
#include "internal.h"

static const char *const moves_variables[] = {
	"setenv", "putenv", "unsetenv", "clearenv", NULL
};
static const char *const reads_variables[] = { "getenv", "unsetenv", "clearenv", NULL };
static const char *const deletes_keys[] = { "pthread_key_delete", "tss_delete", NULL };
static const char *const ends_threads[] = { CHESS_LIBRARY_THREAD_END, NULL };

static const struct chess_library_code rows[] = {
	{ moves_variables, reads_variables },
	{ deletes_keys, ends_threads },
};

const char *const chess_library_unloads[] = { "dlclose", "g_module_close", "lt_dlclose", NULL };

const struct chess_library_code *chess_library_code(size_t i)
{
	return i < ARRAY_SIZE(rows) ? &rows[i] : NULL;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; name && *names; names++)
		if (!strcmp(name, *names))
			return true;
	return false;
}

static bool table_imports(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *const *names)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;
	size_t i;

	for (i = 0; data && sh->sh_entsize && i < sh->sh_size / sh->sh_entsize &&
		    gelf_getsym(data, i, &sym); i++)
		if (sym.st_shndx == SHN_UNDEF &&
		    is_one_of(elf_strptr(elf, sh->sh_link, sym.st_name), names))
			return true;
	return false;
}

bool chess_library_imports(const char *path, const char *const *names)
{
	struct chess_elf_file file;
	Elf_Scn *scn = NULL;
	bool found = false;
	GElf_Shdr sh;

	if (chess_elf_open(path, &file))
		return false;
	while (!found && (scn = elf_nextscn(file.elf, scn)))
		found = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM &&
			table_imports(file.elf, scn, &sh, names);
	chess_elf_close(&file);
	return found;
}

bool chess_library_has(const char *path, const char *name)
{
	struct chess_functions f = { 0 };
	struct chess_elf_file file;
	bool has;

	if (chess_elf_open(path, &file))
		return false;
	has = !chess_functions_find(file.elf, name, &f) && f.n;
	free(f.v);
	chess_elf_close(&file);
	return has;
}
