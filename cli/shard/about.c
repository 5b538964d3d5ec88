// SPDX-License-Identifier: GPL-2.0-only
/*
 * What all files of a search say of it: the command, what it was made for, and what its first runs
 * showed of the program. All of that is checked before a shard runs, for a prefix means nothing to
 * another program.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli.h"
#include "out.h"
#include "program.h"
#include "runs.h"
#include "shard/internal.h"

/* Its build-id; of a file without one, a hash of its bytes. */
static char *identity_of(const char *path)
{
	char *id = chess_build_id(path), *hash;

	if (id)
		return id;
	hash = program_hash(path);
	id = hash ? cli_printf("hash-%s", hash) : NULL;
	free(hash);
	return id;
}

static void add_file(struct json_object *list, const char *path)
{
	struct json_object *one = json_object_new_object();
	char *id = identity_of(path);

	out_json_string(one, "path", path);
	out_json_string(one, "id", id);
	json_object_array_add(list, one);
	free(id);
}

/* The program and its libraries. */
static struct json_object *files_of(const char *path)
{
	struct json_object *list = json_object_new_array();
	char **files = chess_symbols_files(path);
	size_t i;

	add_file(list, path);
	for (i = 0; files && files[i]; i++) {
		if (strcmp(files[i], path))
			add_file(list, files[i]);
		free(files[i]);
	}
	free(files);
	return list;
}

static struct json_object *words_json(char *const *words)
{
	struct json_object *list = json_object_new_array();

	for (; words && *words; words++)
		json_object_array_add(list, json_object_new_string(*words));
	return list;
}

/* By file and offset, as numbers of sites are those of one process. */
static struct json_object *points_json(const struct session *s)
{
	const struct chess_site_table *table = chess_runner_sites(s->runner);
	const struct explore_options *o = explore_asked();
	struct json_object *list = json_object_new_array(), *one;
	const uint32_t *sites = NULL;
	const char *path;
	uint64_t offset;
	size_t n = 0, i;

	if (o->has_races)
		sites = chess_racing_points(o->racing, &n);
	for (i = 0; i < n; i++) {
		if (!chess_site_where(table, sites[i], &path, &offset))
			continue;
		one = json_object_new_object();
		out_json_string(one, "path", path);
		out_json_uint(one, "offset", offset);
		json_object_array_add(list, one);
	}
	return list;
}

static struct json_object *session_json(const struct session *s, const struct explore_part *p)
{
	struct json_object *o = json_object_new_object(), *later = json_object_new_array();
	size_t i;

	for (i = 0; i < s->n_later; i++)
		json_object_array_add(later, json_object_new_string(s->later[i].path));
	json_object_object_add(o, "later", later);
	json_object_object_add(o, "points", points_json(s));
	out_json_bool(o, "long_rows", s->long_rows);
	out_json_int(o, "patience", s->patience ? s->patience : 1);
	out_json_bool(o, "strict", p->strict);
	return o;
}

struct json_object *about_new(char *const *options, char *const *program, const char *image,
			      const struct session *s, const struct explore_part *p)
{
	struct json_object *o = json_object_new_object();
	char *cwd = getcwd(NULL, 0), *path = NULL;
	struct utsname u;

	uname(&u);
	out_json_string(o, "version", cli_version());
	out_json_int(o, "abi", CHESS_FAMILY_VERSION);
	/* What chance tries needs no kernel to be split, and is for any. */
	out_json_string(o, "kernel", s ? u.release : NULL);
	out_json_string(o, "image", image ? image : AS_INSTALLED);
	out_json_string(o, "cwd", cwd);
	json_object_object_add(o, "options", words_json(options));
	json_object_object_add(o, "program", words_json(program));
	if (program_find(program[0], NULL, &path) == CLI_PROCEED) {
		char *absolute = realpath(path, NULL);

		json_object_object_add(o, "files", files_of(absolute ? absolute : path));
		free(absolute);
	}
	json_object_object_add(o, "session", s ? session_json(s, p) : NULL);
	free(path);
	free(cwd);
	return o;
}

/* --- checks ---------------------------------------------------------------- */

static const char *text_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_string) ?
	       json_object_get_string(v) : NULL;
}

static struct json_object *list_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_array) ?
	       v : NULL;
}

static size_t length_of(struct json_object *list)
{
	return list ? json_object_array_length(list) : 0;
}

static bool are_words(struct json_object *list)
{
	size_t i;

	for (i = 0; i < length_of(list); i++)
		if (!json_object_is_type(json_object_array_get_idx(list, i), json_type_string))
			return false;
	return list;
}

static int check_file(struct json_object *one, const char *image, const char *file)
{
	const char *path = text_of(one, "path"), *id = text_of(one, "id");
	char *now = path ? identity_of(path) : NULL;
	int code = CLI_PROCEED;

	if (!path || !id)
		code = cli_fail(CLI_USAGE, "'%s' does not say which files it is for; split the search again",
				file);
	else if (!now)
		code = cli_fail(CLI_USAGE, "'%s' is for a program that uses '%s', which is not here (image: %s)",
				file, path, image);
	else if (strcmp(now, id))
		code = cli_fail(CLI_USAGE, "'%s' is for another '%s': its build-id is %s, here it is %s (image: %s)",
				file, path, id, now, image);
	free(now);
	return code;
}

int about_check(struct json_object *about, const char *file)
{
	const char *version = text_of(about, "version"), *cwd = text_of(about, "cwd");
	const char *image = text_of(about, "image");
	struct json_object *files = list_of(about, "files");
	int code = CLI_PROCEED;
	size_t i;

	if (!version || !cwd || !image || !length_of(files) ||
	    !are_words(list_of(about, "options")) || !are_words(list_of(about, "program")) ||
	    !length_of(list_of(about, "program")))
		return cli_fail(CLI_USAGE, "'%s' does not say which search it is of; split the search again",
				file);
	if (strcmp(version, cli_version()))
		return cli_fail(CLI_USAGE, "'%s' was made by chessctl %s and this is %s; use the same one, or split the search again",
				file, version, cli_version());
	if (chdir(cwd))
		return cli_fail(CLI_USAGE, "'%s' is of a search in '%s', which cannot be entered: %s",
				file, cwd, strerror(errno));
	for (i = 0; i < length_of(files) && code == CLI_PROCEED; i++)
		code = check_file(json_object_array_get_idx(files, i), image, file);
	return code;
}

int about_check_kernel(struct json_object *about, const char *file)
{
	const char *kernel = text_of(about, "kernel");
	struct utsname u;

	uname(&u);
	if (!kernel || !strcmp(kernel, u.release))
		return CLI_PROCEED;
	return cli_fail(CLI_ENVIRONMENT, "'%s' is for kernel %s, and this is %s; run it there, or split the search again",
			file, kernel, u.release);
}

char **about_command(struct json_object *about, int *argc, char ***program)
{
	struct json_object *options = list_of(about, "options"), *words = list_of(about, "program");
	size_t i;
	char **argv = cli_alloc(length_of(options) + length_of(words) + 3, sizeof(*argv));
	int n = 0;

	argv[n++] = (char *)"explore";
	for (i = 0; i < length_of(options); i++)
		argv[n++] = (char *)json_object_get_string(json_object_array_get_idx(options, i));
	argv[n++] = (char *)"--";
	*program = argv + n;
	for (i = 0; i < length_of(words); i++)
		argv[n++] = (char *)json_object_get_string(json_object_array_get_idx(words, i));
	*argc = n;
	return argv;
}

/* --- the session ----------------------------------------------------------- */

static int fail_session(const char *file)
{
	return cli_fail(CLI_ENVIRONMENT, "what '%s' says of the program cannot be set up here: %s",
			file, chess_error());
}

static int set_later(struct json_object *o, struct runs *r)
{
	struct json_object *list = list_of(o, "later");
	const char **files;
	size_t n = length_of(list), i;
	int ret;

	if (!n || !are_words(list))
		return 0;
	files = cli_alloc(n + 1, sizeof(*files));
	for (i = 0; i < n; i++)
		files[i] = json_object_get_string(json_object_array_get_idx(list, i));
	ret = runs_set_later(r, files);
	free(files);
	return ret;
}

/* Return: 0; -EINVAL: there is no such access; -ENOMEM */
static int know_points(struct json_object *o, const struct session *s)
{
	const struct chess_site_table *table = chess_runner_sites(s->runner);
	const struct explore_options *asked = explore_asked();
	struct json_object *list = list_of(o, "points"), *one;
	const char *path;
	uint32_t site;
	size_t i;
	int ret = 0;

	for (i = 0; asked->has_races && i < length_of(list) && !ret; i++) {
		one = json_object_array_get_idx(list, i);
		path = text_of(one, "path");
		site = path && table ? chess_site_number(table, path,
				json_object_get_uint64(json_object_object_get(one, "offset"))) : 0;
		ret = site ? chess_racing_know(asked->racing, &site, 1) : -EINVAL;
	}
	return ret;
}

int about_begin(struct json_object *about, struct explore_part *p, struct session *s,
		struct runs *r, const char *file)
{
	struct json_object *o = json_object_object_get(about, "session");
	unsigned int patience;
	int ret;

	(void)p;
	if (!o)
		return CLI_PROCEED;
	patience = json_object_get_int(json_object_object_get(o, "patience"));
	if (patience < 1 || patience > 100)
		return cli_fail(CLI_USAGE, "'%s' is not what chessctl writes; split the search again", file);
	r->made = true;
	r->begun = true;
	r->strict = json_object_get_boolean(json_object_object_get(o, "strict"));
	if (r->strict)
		session_expect_no_deaths(s);
	ret = set_later(o, r);
	if (!ret && json_object_get_boolean(json_object_object_get(o, "long_rows")))
		ret = runs_set_long_rows(r);
	if (!ret && patience > 1)
		ret = runs_set_quantum(r, patience);
	if (ret)
		return fail_session(file);
	return know_points(o, s) ? cli_fail(CLI_USAGE, "'%s' has accesses as points that are not in the program's code here; split the search again",
					    file) : CLI_PROCEED;
}
