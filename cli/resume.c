// SPDX-License-Identifier: GPL-2.0-only
/*
 * See resume.h. What the journal says of its search: hash of the program, directory,
 * command line. What is noted while it is made: the kernel, the files whose accesses have
 * numbers, and where each trace goes before that is written, so that a search that goes on
 * writes it there and nowhere else.
 */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"
#include "program.h"
#include "resume.h"
#include "where.h"

#define SUFFIX	".search"
#define PATH_VARIABLE	"CHESS_JOURNAL"

/* Strings of chess_journal_about(), the command line after them. */
enum about { ABOUT_HASH, ABOUT_CWD, ABOUT_ARGV };

static int tell(int err)
{
	/* A file that cannot be used is one thing, a search that goes on elsewhere another. */
	return cli_fail(err == EBUSY || err == ENOSPC || err == ENOMEM || err == EROFS ?
			CLI_ENVIRONMENT : CLI_USAGE, "%s", chess_error());
}

static char *free_name(const struct out_dir *dir, const char *program, char *const *about)
{
	const char *base = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
	const char *slash = dir->path[strlen(dir->path) - 1] == '/' ? "" : "/";
	unsigned int n;
	int ret = -EEXIST;

	for (n = 1; ret == -EEXIST && n < 1000000; n++) {
		char *number = n == 1 ? cli_printf("%s", "") : cli_printf("-%u", n);
		char *path = cli_printf("%s%s%s%s" SUFFIX, dir->path, slash, base, number);

		free(number);
		ret = chess_journal_create(path, about);
		if (!ret)
			return path;
		free(path);
	}
	return NULL;
}

int resume_begin(struct resume *r, const struct out_dir *dir, int options, char **argv,
		 const char *path)
{
	const char *given = getenv(PATH_VARIABLE);
	char **about, *cwd, *hash;
	int i, n = ABOUT_ARGV;

	if (where_inside_vm() && given) {
		r->path = cli_printf("%s", given);
		unsetenv(PATH_VARIABLE);
		return CLI_PROCEED;
	}
	for (i = 0; argv[i]; i++)
		;
	about = cli_alloc(ABOUT_ARGV + i + 1, sizeof(*about));
	cwd = getcwd(NULL, 0);
	hash = program_hash(path);
	about[ABOUT_HASH] = hash ? hash : (char *)"";
	about[ABOUT_CWD] = cwd ? cwd : (char *)".";
	for (i = 0; argv[i]; i++)
		if (i >= options || (strcmp(argv[i], "--vm") && strcmp(argv[i], "--host")))
			about[n++] = argv[i];
	r->path = free_name(dir, path, about);
	r->ours = r->path;
	free(about);
	free(cwd);
	free(hash);
	/* A search that cannot be continued is still one. */
	if (r->path)
		r->j = chess_journal_open(r->path);
	else
		cli_note("note: %s; the search cannot be continued if it is interrupted",
			 chess_error());
	return !r->path || r->j ? CLI_PROCEED : tell(errno);
}

int resume_lock(struct resume *r)
{
	r->j = chess_journal_open(r->path);
	return r->j ? CLI_PROCEED : tell(errno);
}

/* The only journal in a folder. */
static int find_in(const char *dir, char **path)
{
	char *pattern = cli_printf("%s/*" SUFFIX, dir);
	int code = CLI_PROCEED;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		code = cli_fail(CLI_USAGE,
				"there is no search in '%s' to continue; a search that is complete leaves none",
				dir);
	else if (g.gl_pathc > 1)
		code = cli_fail(CLI_USAGE,
				"%zu searches in '%s' can be continued; name one, for example --continue %s",
				g.gl_pathc, dir, g.gl_pathv[0]);
	else
		*path = realpath(g.gl_pathv[0], NULL);
	globfree(&g);
	free(pattern);
	return code;
}

int resume_find(struct resume *r, const char *where)
{
	char *const *about;
	struct stat st;
	int code = CLI_PROCEED, i;

	if (stat(where, &st))
		return cli_fail(CLI_USAGE, "--continue: '%s' cannot be used: %s", where,
				strerror(errno));
	if (S_ISDIR(st.st_mode))
		code = find_in(where, &r->path);
	else
		r->path = realpath(where, NULL);
	if (code != CLI_PROCEED)
		return code;
	if (!r->path)
		return cli_fail(CLI_USAGE, "--continue: '%s' cannot be used: %s", where,
				strerror(errno));
	r->j = chess_journal_open(r->path);
	if (!r->j)
		return tell(errno);
	about = chess_journal_about(r->j);
	for (i = 0; about[i]; i++)
		;
	if (i <= ABOUT_ARGV + 1)
		return cli_fail(CLI_USAGE, "the journal '%s' names no program; begin a new search",
				r->path);
	r->hash = cli_printf("%s", about[ABOUT_HASH]);
	r->cwd = cli_printf("%s", about[ABOUT_CWD]);
	r->argc = i - ABOUT_ARGV;
	r->argv = cli_alloc(r->argc + 1, sizeof(*r->argv));
	for (i = 0; i < r->argc; i++)
		r->argv[i] = cli_printf("%s", about[ABOUT_ARGV + i]);
	if (chdir(r->cwd))
		return cli_fail(CLI_USAGE,
				"the search of '%s' was begun in '%s', which cannot be entered: %s",
				r->path, r->cwd, strerror(errno));
	return CLI_PROCEED;
}

int resume_check(const struct resume *r, const char *path)
{
	char *hash = r->hash ? program_hash(path) : NULL;
	bool same = !r->hash || (hash && !strcmp(hash, r->hash));

	free(hash);
	return same ? CLI_PROCEED : cli_fail(CLI_USAGE,
				    "program '%s' has changed since the search of '%s' was begun; begin a new one",
				    path, r->path);
}

static int check_kernel(struct resume *r)
{
	char *const *note = chess_journal_notes(r->j);
	struct utsname u;
	char *text;
	int ret;

	uname(&u);
	for (; *note; note++)
		if (!strncmp(*note, "kernel ", 7))
			return !strcmp(*note + 7, u.release) ? CLI_PROCEED :
				cli_fail(CLI_ENVIRONMENT,
					 "the search of '%s' was begun on kernel %s, this is %s; begin a new one",
					 r->path, *note + 7, u.release);
	text = cli_printf("kernel %s", u.release);
	ret = chess_journal_note(r->j, text);
	free(text);
	return ret ? tell(-ret) : CLI_PROCEED;
}

int resume_open(struct resume *r)
{
	if (!r->path)
		return CLI_PROCEED;
	if (!r->j)
		r->j = chess_journal_open(r->path);
	if (!r->j)
		return tell(errno);
	if (chess_journal_was_cut(r->j))
		cli_note("note: the end of the journal '%s' had not been written; what is missing is run again",
			 r->path);
	return check_kernel(r);
}

/* Its hash, as the note of @path has it; NULL: there is none. */
static const char *noted_hash(const struct resume *r, const char *path)
{
	char *const *note = chess_journal_notes(r->j);
	const char *at;

	for (; *note; note++) {
		at = strncmp(*note, "code ", 5) ? NULL : strchr(*note + 5, ' ');
		if (at && !strcmp(at + 1, path))
			return *note + 5;
	}
	return NULL;
}

static int check_file(struct resume *r, const char *path)
{
	const char *noted = noted_hash(r, path);
	char *hash = program_hash(path), *text;
	int ret = 0;

	if (noted && (!hash || strncmp(noted, hash, strlen(hash)) || noted[strlen(hash)] != ' ')) {
		free(hash);
		return cli_fail(CLI_USAGE,
				"the code of '%s' has changed since the search of '%s' was begun; begin a new one",
				path, r->path);
	}
	if (!noted) {
		text = cli_printf("code %s %s", hash ? hash : "", path);
		ret = chess_journal_note(r->j, text);
		free(text);
	}
	free(hash);
	return ret ? tell(-ret) : CLI_PROCEED;
}

int resume_check_code(struct resume *r, const struct chess_site_table *sites)
{
	struct chess_site_facts facts;
	int ret = CLI_PROCEED;
	size_t i;

	for (i = 0; r->j && ret == CLI_PROCEED && chess_site_facts_get(sites, i, &facts); i++)
		ret = check_file(r, facts.path);
	return ret;
}

void resume_leave(struct resume *r)
{
	chess_journal_close(r->j);
	r->j = NULL;
}

/* Others begin with a word and a number, too: a hash, a release of the kernel. */
static const char *const fates[] = {
	[RESUME_TRACE] = "trace", [RESUME_PART] = "part", [RESUME_KNOWN] = "known",
};

static enum resume_fate fate_of(const char *kind)
{
	enum resume_fate f;

	for (f = RESUME_TRACE; f <= RESUME_KNOWN; f++)
		if (!strcmp(kind, fates[f]))
			return f;
	return RESUME_UNDECIDED;
}

enum resume_fate resume_fate(const struct resume *r, size_t n, const char **path)
{
	char *const *note = r->j ? chess_journal_notes(r->j) : NULL;
	enum resume_fate fate = RESUME_UNDECIDED, f;
	char kind[8];
	size_t number;
	int at;

	*path = NULL;
	/* The last one: a name that was taken in the meantime was followed by another. */
	for (; note && *note; note++) {
		at = 0;
		if (sscanf(*note, "%7s %zu %n", kind, &number, &at) != 2 || number != n)
			continue;
		f = fate_of(kind);
		if (f == RESUME_UNDECIDED)
			continue;
		fate = f;
		*path = f == RESUME_KNOWN ? NULL : *note + at;
	}
	return fate;
}

void resume_note_fate(struct resume *r, size_t n, enum resume_fate fate, const char *path)
{
	char *text = cli_printf("%s %zu%s%s", fates[fate], n, path ? " " : "", path ? path : "");

	if (r->j && chess_journal_note(r->j, text))
		cli_note("note: %s", chess_error());
	free(text);
}

static bool is_unused(const char *path)
{
	struct chess_journal *j = chess_journal_open(path);
	bool unused = j && !chess_journal_runs(j);

	chess_journal_close(j);
	return unused;
}

void resume_close(struct resume *r, bool over, bool failed)
{
	int i;

	resume_leave(r);
	if (r->path && (over || (failed && r->ours && is_unused(r->path))))
		unlink(r->path);
	for (i = 0; i < r->argc; i++)
		free(r->argv[i]);
	free(r->argv);
	free(r->cwd);
	free(r->hash);
	free(r->path);
	memset(r, 0, sizeof(*r));
}
