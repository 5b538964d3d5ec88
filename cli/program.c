// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks at the program under test, see program.h. Called by explore, replay and
 * run before they ask for the module or the VM.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <chessctl/chessctl.h>

#include "cli.h"
#include "mix.h"
#include "program.h"

static bool is_executable(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

static char *search(const char *name, const char *cwd)
{
	const char *list = getenv("PATH"), *end;
	char *path;

	if (strchr(name, '/'))
		return *name == '/' || !cwd ? cli_printf("%s", name) :
			cli_printf("%s/%s", cwd, name);
	for (; list; list = *end ? end + 1 : NULL) {
		end = strchrnul(list, ':');
		path = cli_printf("%.*s%s%s", (int)(end - list), list, end > list ? "/" : "./",
				  name);
		if (is_executable(path))
			return path;
		free(path);
	}
	return NULL;
}

int program_find(const char *name, const char *cwd, char **path)
{
	struct stat st;
	int kind, code;

	*path = search(name, cwd);
	if (!*path)
		return cli_fail(CLI_USAGE,
				"program '%s' was not found in PATH; for a file in this folder write ./%s",
				name, name);
	if (stat(*path, &st)) {
		code = cli_fail(CLI_USAGE, "program '%s' cannot be used: %s", name,
				strerror(errno));
	} else if (S_ISDIR(st.st_mode)) {
		code = cli_fail(CLI_USAGE, "program '%s' is a folder", name);
	} else if (!is_executable(*path)) {
		code = cli_fail(CLI_USAGE, "program '%s' is not executable; chmod +x makes it so",
				name);
	} else if (st.st_mode & (S_ISUID | (st.st_mode & S_IXGRP ? S_ISGID : 0))) {
		code = cli_fail(CLI_USAGE,
				"program '%s' is set%cid, which control would take away; test a copy without that bit",
				name, st.st_mode & S_ISUID ? 'u' : 'g');
	} else if ((kind = chess_symbols_kind(*path)) < 0) {
		code = cli_fail(CLI_USAGE, "program '%s' cannot be used: %s", name,
				kind == -ENOEXEC ? "it is neither an ELF file nor a #! script" :
				strerror(-kind));
	} else if (kind == CHESS_PROGRAM_32BIT) {
		code = cli_fail(CLI_USAGE,
				"program '%s' is a 32-bit program and only 64-bit ones can be controlled; build it with -m64",
				name);
	} else if (kind == CHESS_PROGRAM_FOREIGN) {
		code = cli_fail(CLI_USAGE,
				"program '%s' is for another processor and only x86-64 ones can be controlled",
				name);
	} else {
		return CLI_PROCEED;
	}
	free(*path);
	*path = NULL;
	return code;
}

char *program_hash(const char *path)
{
	/* It tells a rebuilt program from the same one, no more. */
	uint64_t h = CHESS_HASH_START;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char buf[65536];
	ssize_t n;

	if (fd < 0)
		return NULL;
	while ((n = read(fd, buf, sizeof(buf))) > 0)
		h = chess_hash_bytes(h, buf, n);
	close(fd);
	return n < 0 ? NULL : cli_printf("%016llx", (unsigned long long)h);
}
