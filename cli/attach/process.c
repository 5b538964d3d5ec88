// SPDX-License-Identifier: GPL-2.0-only
/*
 * See process.h. The program is read through /proc/PID/exe, which is the file that runs,
 * whatever has become of its name since.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "attach/process.h"
#include "program.h"

static char *file_of(pid_t pid, const char *name)
{
	return cli_printf("/proc/%d/%s", pid, name);
}

/* All of a file, with a null byte after it; NULL when it cannot be read. */
static char *read_all(pid_t pid, const char *name, size_t *len)
{
	char *path = file_of(pid, name), *text = NULL, *more;
	FILE *f = fopen(path, "re");
	size_t n;

	*len = 0;
	free(path);
	if (!f)
		return NULL;
	do {
		more = realloc(text, *len + 4097);
		if (!more)
			break;
		text = more;
		n = fread(text + *len, 1, 4096, f);
		*len += n;
		text[*len] = '\0';
	} while (n);
	fclose(f);
	return text;
}

static char *read_link(pid_t pid, const char *name)
{
	char *path = file_of(pid, name), target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	free(path);
	target[n > 0 ? n : 0] = '\0';
	return cli_printf("%s", target);
}

/* argv[0] is what else is known when there are no arguments: they may be overwritten. */
static char **read_argv(pid_t pid, const char *name)
{
	size_t len, i, n = 0;
	char *text = read_all(pid, "cmdline", &len);
	char **argv = cli_alloc(len + 2, sizeof(*argv));

	for (i = 0; text && i < len; i += strlen(text + i) + 1)
		argv[n++] = cli_printf("%s", text + i);
	if (!n)
		argv[0] = cli_printf("%s", name);
	free(text);
	return argv;
}

/* Only mappings of files: the others name nothing. */
static char *read_maps(pid_t pid)
{
	size_t len, kept = 0;
	char *text = read_all(pid, "maps", &len), *line, *end;

	for (line = text; line && *line; line = end + 1) {
		end = strchrnul(line, '\n');
		if (memchr(line, '/', end - line)) {
			memmove(text + kept, line, end - line);
			kept += end - line;
			text[kept++] = '\n';
		}
		if (!*end)
			break;
	}
	if (text)
		text[kept] = '\0';
	return text;
}

pid_t process_inside(pid_t pid)
{
	char *path = cli_printf("/proc/%d/status", pid), *line = NULL, *last;
	FILE *f = fopen(path, "re");
	size_t size = 0;
	pid_t inside = 0;

	free(path);
	while (f && !inside && getline(&line, &size, f) > 0) {
		/* From our namespace to its own. */
		last = strncmp(line, "NSpid:", 6) ? NULL : strrchr(line, '\t');
		inside = last ? atoi(last) : 0;
	}
	free(line);
	if (f)
		fclose(f);
	return inside == pid ? 0 : inside;
}

void process_name(char *name, size_t size, pid_t pid)
{
	size_t len;
	char *comm = read_all(pid, "comm", &len);

	snprintf(name, size, "%s", comm ? comm : "?");
	name[strcspn(name, "\n")] = '\0';
	free(comm);
}

void process_read(struct process *p, pid_t pid)
{
	char *exe = file_of(pid, "exe");

	memset(p, 0, sizeof(*p));
	process_name(p->name, sizeof(p->name), pid);
	p->argv = read_argv(pid, p->name);
	p->cwd = read_link(pid, "cwd");
	p->path = read_link(pid, "exe");
	p->hash = program_hash(exe);
	p->maps = read_maps(pid);
	free(exe);
}

void process_clear(struct process *p)
{
	char **arg;

	for (arg = p->argv; arg && *arg; arg++)
		free(*arg);
	free(p->argv);
	free(p->cwd);
	free(p->path);
	free(p->hash);
	free(p->maps);
	memset(p, 0, sizeof(*p));
}
