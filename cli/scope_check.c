// SPDX-License-Identifier: GPL-2.0-only
/*
 * Do the names of a scope stand for anything? A name that is misspelled would leave
 * everything out, or nothing, and the search would say "ok" to another question.
 */
#include <elf.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "scope.h"

static bool table_has(Elf *elf, Elf_Scn *scn, const GElf_Shdr *sh, const char *function)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, n = data && sh->sh_entsize ? sh->sh_size / sh->sh_entsize : 0;
	const char *name;
	GElf_Sym sym;

	for (i = 0; i < n; i++) {
		if (!gelf_getsym(data, i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    (GELF_ST_TYPE(sym.st_info) != STT_FUNC &&
		     GELF_ST_TYPE(sym.st_info) != STT_GNU_IFUNC))
			continue;
		name = elf_strptr(elf, sh->sh_link, sym.st_name);
		if (name && !fnmatch(function, name, 0))
			return true;
	}
	return false;
}

static bool file_has(const char *path, const char *function)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	bool found = false;
	GElf_Shdr sh;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (elf && !found && (scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM))
			found = table_has(elf, scn, &sh, function);
	elf_end(elf);
	close(fd);
	return found;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "abba, libc.so.6, ld-linux-x86-64.so.2" */
static char *names_of(char **files)
{
	char *text = cli_printf("%s", files && *files ? base_name(*files) : "none");

	for (files += files && *files; files && *files; files++) {
		char *more = cli_printf("%s, %s", text, base_name(*files));

		free(text);
		text = more;
	}
	return text;
}

static int check(const struct scope_entry *e, char **files)
{
	bool binary = false, function = false;
	char *names, **f;
	int code;

	if (!*e->binary || (e->function && !*e->function))
		return cli_fail(CLI_USAGE,
				"explore: %s takes a list of BINARY, BINARY:FUNCTION or :FUNCTION, with no empty name in it",
				e->option);
	for (f = files; f && *f && !function; f++) {
		if (!scope_entry_binary(e, *f))
			continue;
		binary = true;
		function = !e->function || file_has(*f, e->function);
	}
	/* One that is loaded later is no file of the program yet. */
	if (!binary && strchr(e->binary, '/') && !access(e->binary, R_OK)) {
		binary = true;
		function = !e->function || file_has(e->binary, e->function);
	}
	if (function)
		return CLI_PROCEED;
	if (binary)
		return cli_fail(CLI_USAGE,
				"explore: %s: %s has no function '%s'; a function that was inlined or stripped away cannot be named",
				e->option, strcmp(e->binary, "*") ? e->binary : "the program",
				e->function);
	names = names_of(files);
	code = cli_fail(CLI_USAGE,
			"explore: %s: the program has no file '%s', it starts with %s; give the path of one that is loaded later",
			e->option, e->binary, names);
	free(names);
	return code;
}

int scope_check(const struct scope_entry *e, size_t n, const char *path)
{
	char **files = chess_symbols_files(path), **f;
	int code = CLI_PROCEED;
	size_t i;

	/* As in maps; what is not a file any more is reported when it is run. */
	for (f = files; f && *f; f++) {
		char *real = realpath(*f, NULL);

		if (real) {
			free(*f);
			*f = real;
		}
	}
	for (i = 0; i < n && code == CLI_PROCEED; i++)
		code = check(&e[i], files);
	for (f = files; f && *f; f++)
		free(*f);
	free(files);
	return code;
}
