// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Looks a program up as a shell does and refuses, before anything is started,
 * what cannot be run under control as a whole: 32-bit programs (their calls are
 * not points) and programs whose privileges rise at execve (the module lets go
 * of those). Then registers traps for all files such a program runs at its start.
 * runner.c and replay --gdb call it once for each group.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "internal.h"
#include "code/jump.h"
#include "code/program.h"
#include "code/wrappers.h"

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

static const char *get_path(const struct chess_program *p)
{
	char *const *e;

	if (!p->envp)
		return getenv("PATH") ? getenv("PATH") : DEFAULT_PATH;
	for (e = p->envp; *e; e++)
		if (!strncmp(*e, "PATH=", 5))
			return *e + 5;
	return DEFAULT_PATH;
}

/* @path as the program's working directory sees it, seen from ours. */
static char *from_here(const struct chess_program *p, const char *path)
{
	char *full;

	if (path[0] == '/' || !p->cwd)
		return strdup(path);
	return asprintf(&full, "%s/%s", p->cwd, path) < 0 ? NULL : full;
}

static bool is_program(const char *path, int *why)
{
	struct stat st;

	if (stat(path, &st)) {
		*why = errno;
		return false;
	}
	*why = S_ISDIR(st.st_mode) ? EISDIR : EACCES;
	return S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* The first program called @name in the list of directories. */
static char *search_path(const struct chess_program *p, const char *name)
{
	const char *list = get_path(p), *end;
	int why, worst = ENOENT;
	char *found, *full;

	for (; list; list = *end ? end + 1 : NULL) {
		end = strchrnul(list, ':');
		/* An empty entry is the working directory. */
		if (asprintf(&found, "%.*s%s%s", (int)(end - list), list,
			     end == list ? "./" : "/", name) < 0)
			return NULL;
		full = from_here(p, found);
		if (full && is_program(full, &why)) {
			free(full);
			return found;
		}
		if (full && why == EACCES)
			worst = EACCES;
		free(full);
		free(found);
	}
	chess_set_error(worst, worst == EACCES ?
			"%s is in a directory of PATH, but is not executable" :
			"there is no %s in the directories of PATH; give a path to it", name);
	return NULL;
}

static int check_file(const char *name, const char *full)
{
	struct stat st;
	int why;

	if (!is_program(full, &why)) {
		if (why == EISDIR)
			return chess_set_error(why, "%s is a directory; name a program", name);
		if (why == EACCES)
			return chess_set_error(why, "%s is not executable; chmod +x it", name);
		return chess_set_error(why, "%s cannot be found: %s", name, strerror(why));
	}
	if (stat(full, &st))
		return chess_set_error(errno, "%s cannot be found: %m", name);
	if ((st.st_mode & S_ISUID) || ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP)))
		return chess_set_error(EPERM,
				       "%s is set%cid: its privileges rise when it starts, so it cannot be controlled; run a copy without that bit",
				       name, st.st_mode & S_ISUID ? 'u' : 'g');
	if (getxattr(full, "security.capability", NULL, 0) > 0)
		return chess_set_error(EPERM,
				       "%s has file capabilities: its privileges rise when it starts, so it cannot be controlled; run a copy without them",
				       name);
	switch (chess_symbols_kind(full)) {
	case CHESS_PROGRAM_DYNAMIC:
	case CHESS_PROGRAM_STATIC:
	case CHESS_PROGRAM_SCRIPT:
		return 0;
	case CHESS_PROGRAM_32BIT:
		return chess_set_error(ENOEXEC,
				       "%s is a 32-bit program; only 64-bit x86 programs can be controlled",
				       name);
	case CHESS_PROGRAM_FOREIGN:
		return chess_set_error(ENOEXEC,
				       "%s is built for another architecture; only 64-bit x86 programs can be controlled",
				       name);
	case -EACCES:
		return chess_set_error(EACCES, "%s cannot be read, which is needed to control it",
				       name);
	default:
		return chess_set_error(ENOEXEC,
				       "%s is neither an ELF program nor a script with a #! line; run a script as: sh %s",
				       name, name);
	}
}

char *chess_program_find(const struct chess_program *p)
{
	const char *name = p->argv[0];
	char *path, *full;
	int ret;

	if (!name || !*name) {
		chess_set_error(EINVAL, "no program was named");
		return NULL;
	}
	path = strchr(name, '/') ? strdup(name) : search_path(p, name);
	if (!path)
		return NULL;
	full = from_here(p, path);
	ret = full ? check_file(name, full) : chess_set_error(ENOMEM, "no memory for a path");
	free(full);
	if (ret) {
		free(path);
		errno = -ret;
		return NULL;
	}
	return path;
}

/* The words after #! in the first line of @full: @line is cut up for that. */
static char *interpreter_of(const char *full, char *line, size_t size, char **argument)
{
	int fd = open(full, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, line, size - 1);
	char *state = NULL, *name;

	if (fd >= 0)
		close(fd);
	if (n < 2 || line[0] != '#' || line[1] != '!')
		return NULL;
	line[n] = '\0';
	line[strcspn(line, "\n")] = '\0';
	name = strtok_r(line + 2, " \t", &state);
	*argument = strtok_r(NULL, " \t", &state);
	return name;
}

char *chess_program_elf(const struct chess_program *p, const char *path)
{
	char line[256], *full = from_here(p, path), *name, *argument, *next;
	int depth;

	/* As deep as the kernel goes, and once through env(1). */
	for (depth = 0; full && depth < 6; depth++) {
		if (chess_symbols_kind(full) != CHESS_PROGRAM_SCRIPT)
			return full;
		name = interpreter_of(full, line, sizeof(line), &argument);
		if (!name)
			return full;
		next = strrchr(name, '/');
		if (next && !strcmp(next, "/env") && argument && argument[0] != '-' &&
		    !strchr(argument, '=') && !strchr(argument, '/')) {
			name = search_path(p, argument);
			next = name ? from_here(p, name) : NULL;
			free(name);
		} else {
			next = from_here(p, name);
		}
		free(full);
		full = next;
	}
	return full;
}

int chess_probe_add_file(struct chess_ctl *c, uint32_t group, const char *path)
{
	struct chess_probe *probes = NULL;
	int fd, n, ret;

	n = chess_symbols_known(c, path, &probes);
	if (n <= 0)
		return n == -ENOEXEC ? 0 : n;
	ret = chess_jump_may_replace(path, probes, n);
	if (ret) {
		free(probes);
		return ret;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? chess_set_error(errno, "%s cannot be opened: %m", path) :
		       chess_probe_add(c, group, fd, probes, n);
	if (fd >= 0)
		close(fd);
	free(probes);
	return ret < 0 ? ret : n;
}

int chess_probe_add_program(struct chess_ctl *c, uint32_t group, const struct chess_program *p,
			    const char *path)
{
	char *elf = chess_program_elf(p, path), **files = NULL;
	int ret = 0, n = 0, i;

	if (elf)
		files = chess_symbols_files_of(p, elf);
	if (!files)
		ret = -errno;
	for (i = 0; files && files[i]; i++) {
		if (ret >= 0)
			ret = chess_probe_add_file(c, group, files[i]);
		if (ret > 0)
			n += ret;
		free(files[i]);
	}
	free(files);
	free(elf);
	return ret < 0 ? ret : n;
}
