// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See environment.h. getenv(3) takes no lock: it may be anywhere in the list of variables when
 * another task takes one out, and those after it move up. Neither order of the two calls as a
 * whole shows that, so for programs that take some out their code is looked at. That of setenv(3)
 * is not: it puts one pointer in place of another, or after the last.
 *
 * sites.c calls.
 */
#include <gelf.h>
#include <string.h>

#include "code/elf_file.h"
#include "code/environment.h"
#include "internal.h"

const char *const chess_environment_code[] = { "getenv", "unsetenv", "clearenv", NULL };

static bool moves(const char *name)
{
	return name && (!strcmp(name, "unsetenv") || !strcmp(name, "clearenv"));
}

static bool imports_it(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;
	size_t i;

	for (i = 0; data && sh->sh_entsize && i < sh->sh_size / sh->sh_entsize &&
		    gelf_getsym(data, i, &sym); i++)
		if (sym.st_shndx == SHN_UNDEF && moves(elf_strptr(elf, sh->sh_link, sym.st_name)))
			return true;
	return false;
}

bool chess_environment_moves(const char *path)
{
	struct chess_elf_file file;
	Elf_Scn *scn = NULL;
	bool found = false;
	GElf_Shdr sh;

	if (chess_elf_open(path, &file))
		return false;
	while (!found && (scn = elf_nextscn(file.elf, scn)))
		found = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM &&
			imports_it(file.elf, scn, &sh);
	chess_elf_close(&file);
	return found;
}
