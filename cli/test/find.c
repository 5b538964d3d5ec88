// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which programs are meant: one, those of a folder, or those of a list as run_kselftest.sh
 * takes it, with the file "settings" that stands beside them.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "program.h"
#include "test.h"

#define LIST_NAME	"kselftest-list.txt"

void strings_add(struct strings *s, char *text)
{
	s->v = cli_realloc(s->v, s->n + 2, sizeof(*s->v));
	s->v[s->n++] = text;
	s->v[s->n] = NULL;
}

void strings_clear(struct strings *s)
{
	while (s->n)
		free(s->v[--s->n]);
	free(s->v);
	*s = (struct strings){ 0 };
}

struct test_program *test_add_program(struct test_programs *all, const char *name,
				      const char *path, const char *cwd)
{
	struct test_program *p;

	all->v = cli_realloc(all->v, all->n + 1, sizeof(*all->v));
	p = &all->v[all->n++];
	*p = (struct test_program){
		.name = cli_printf("%s", name), .path = cli_printf("%s", path),
		.cwd = cwd ? cli_printf("%s", cwd) : NULL, .limit = TEST_LIMIT,
	};
	return p;
}

struct test_case *test_add_case(struct test_program *p, const char *name)
{
	struct test_case *c;

	p->cases = cli_realloc(p->cases, p->n + 1, sizeof(*p->cases));
	c = &p->cases[p->n++];
	*c = (struct test_case){ .name = name ? cli_printf("%s", name) : NULL };
	return c;
}

static void clear_case(struct test_case *c)
{
	strings_clear(&c->args);
	strings_clear(&c->env);
	strings_clear(&c->options);
	free(c->name);
	free(c->expected);
}

void test_keep_cases(struct test_program *p, const char *pattern)
{
	size_t i, kept;

	for (i = kept = 0; i < p->n; i++) {
		struct test_case *c = &p->cases[i];

		if (fnmatch(pattern, c->name ? c->name : p->name, 0))
			clear_case(c);
		else
			p->cases[kept++] = *c;
	}
	p->n = kept;
	if (!p->disabled.n)
		return;
	for (i = kept = 0; i < p->disabled.n; i++)
		if (fnmatch(pattern, p->disabled.v[i], 0))
			free(p->disabled.v[i]);
		else
			p->disabled.v[kept++] = p->disabled.v[i];
	p->disabled.n = kept;
	p->disabled.v[kept] = NULL;
}

void test_clear(struct test_programs *all)
{
	struct test_program *p;

	while (all->n) {
		p = &all->v[--all->n];
		while (p->n)
			clear_case(&p->cases[--p->n]);
		strings_clear(&p->args);
		strings_clear(&p->disabled);
		free(p->cases);
		free(p->name);
		free(p->path);
		free(p->cwd);
		free(p->note);
	}
	free(all->v);
	all->v = NULL;
}

/* "timeout=N" of kselftest: so long may one of its programs take. 0: no limit, which we have */
static double limit_of(const char *dir)
{
	char *path = cli_printf("%s/settings", dir), line[256];
	FILE *f = fopen(path, "re");
	double limit = TEST_LIMIT, said;

	free(path);
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "timeout=%lf", &said) == 1 && said > 0)
			limit = said;
	if (f)
		fclose(f);
	return limit;
}

/* Programs of one folder have their names, those of a list that of their collection, too. */
static void add_from(struct test_programs *all, const char *dir, const char *collection,
		     const char *test)
{
	char *cwd = collection ? cli_printf("%s/%s", dir, collection) : cli_printf("%s", dir);
	char *name = collection ? cli_printf("%s:%s", collection, test) : cli_printf("%s", test);
	char *copy = cli_printf("%s", test), *path = cli_printf("./%s", basename(copy));
	char *copy2 = cli_printf("%s/%s", cwd, test), *real = realpath(dirname(copy2), NULL);
	struct test_program *p = test_add_program(all, name, path, real ? real : cwd);

	p->limit = limit_of(cwd);
	free(real);
	free(copy2);
	free(path);
	free(copy);
	free(name);
	free(cwd);
}

static int read_list(struct test_programs *all, const char *path, char **argv)
{
	char *copy = cli_printf("%s", path), *dir = dirname(copy), *line = NULL, *colon;
	unsigned int number = 0;
	FILE *f = fopen(path, "re");
	size_t size = 0;
	int ret = CLI_PROCEED;

	if (!f)
		ret = cli_fail(CLI_USAGE, "test: the list '%s' cannot be read: %s", path,
			       strerror(errno));
	while (f && ret == CLI_PROCEED && getline(&line, &size, f) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = 0;
		if (!*line || *line == '#')
			continue;
		colon = strchr(line, ':');
		if (!colon || colon == line || !colon[1]) {
			ret = cli_fail(CLI_USAGE,
				       "test: line %u of '%s' is not COLLECTION:TEST, as in %s",
				       number, path, LIST_NAME);
			break;
		}
		*colon = 0;
		add_from(all, dir, line, colon + 1);
	}
	if (ret == CLI_PROCEED && !all->n)
		ret = cli_fail(CLI_USAGE, "test: the list '%s' names no test", path);
	if (ret == CLI_PROCEED && argv[1])
		ret = cli_fail(CLI_USAGE, "test: '%s' is a list, which takes no arguments", path);
	free(line);
	free(copy);
	if (f)
		fclose(f);
	return ret;
}

/* An ELF file, or a script that says what executes it. */
static bool is_program(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char head[4] = "";
	struct stat st;
	bool is;

	if (fd < 0)
		return false;
	is = !fstat(fd, &st) && S_ISREG(st.st_mode) && (st.st_mode & 0111) &&
	     read(fd, head, sizeof(head)) == sizeof(head) &&
	     (!memcmp(head, "\177ELF", 4) || !memcmp(head, "#!", 2));
	close(fd);
	return is && !strstr(name, ".so");
}

static int read_folder(struct test_programs *all, const char *path, char **argv)
{
	struct dirent **entries;
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), n, i;

	if (argv[1])
		return cli_fail(CLI_USAGE, "test: '%s' is a folder, which takes no arguments", path);
	n = dir < 0 ? -1 : scandir(path, &entries, NULL, alphasort);
	if (n < 0) {
		if (dir >= 0)
			close(dir);
		return cli_fail(CLI_USAGE, "test: the folder '%s' cannot be read: %s", path,
				strerror(errno));
	}
	for (i = 0; i < n; i++) {
		if (is_program(dir, entries[i]->d_name))
			add_from(all, path, NULL, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	close(dir);
	return all->n ? CLI_PROCEED :
	       cli_fail(CLI_USAGE, "test: there is no program in the folder '%s'", path);
}

static bool is_list(const char *path)
{
	size_t n = strlen(path);

	return access(path, X_OK) && n > 4 && !strcmp(path + n - 4, ".txt");
}

int test_find(struct test_programs *all, char **argv)
{
	struct test_program *p;
	char *path, *list, *copy;
	struct stat st;
	int ret, i;

	if (!stat(argv[0], &st) && S_ISDIR(st.st_mode)) {
		list = cli_printf("%s/%s", argv[0], LIST_NAME);
		ret = access(list, R_OK) ? read_folder(all, argv[0], argv) :
					   read_list(all, list, argv);
		free(list);
		return ret;
	}
	if (!stat(argv[0], &st) && S_ISREG(st.st_mode) && is_list(argv[0]))
		return read_list(all, argv[0], argv);
	ret = program_find(argv[0], NULL, &path);
	if (ret != CLI_PROCEED)
		return ret;
	copy = cli_printf("%s", argv[0]);
	p = test_add_program(all, basename(copy), argv[0], NULL);
	for (i = 1; argv[i]; i++)
		strings_add(&p->args, cli_printf("%s", argv[i]));
	free(copy);
	free(path);
	return CLI_PROCEED;
}
