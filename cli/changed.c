// SPDX-License-Identifier: GPL-2.0-only
/*
 * See changed.h. Values of variables are not kept, for they may be secrets: 16 bits of a
 * hash tell that one is another, and no more.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "changed.h"
#include "cli.h"
#include "mix.h"
#include "program.h"

#define SHOWN_MAX	12
/* A larger file that is mapped, and has no build-id, is data. */
#define HASHED_MAX	(64 << 20)

extern char **environ;

static void add(struct changed *c, char *text)
{
	char **more = realloc(c->text, (c->n + 1) * sizeof(*more));

	if (!more) {
		free(text);
		return;
	}
	c->text = more;
	c->text[c->n++] = text;
}

void changed_clear(struct changed *c)
{
	while (c->n)
		free(c->text[--c->n]);
	free(c->text);
	c->text = NULL;
}

/* --- what a trace keeps --------------------------------------------------------- */

static uint16_t check_of(const char *value)
{
	uint64_t h = chess_hash_bytes(CHESS_HASH_START, value, strlen(value));

	return h ^ h >> 16 ^ h >> 32 ^ h >> 48;
}

/* What a shell notes of itself, and what we pass to the VM, are not input. */
static bool is_ours(const char *variable)
{
	return !strncmp(variable, "_=", 2) || !strncmp(variable, "SHLVL=", 6) ||
	       !strncmp(variable, "CHESS_VM_", 9);
}

static int by_name(const void *a, const void *b)
{
	const struct chess_trace_variable *x = a, *y = b;

	return strcmp(x->name, y->name);
}

void changed_note_surroundings(struct chess_trace *t)
{
	static struct chess_trace_variable *list;
	static size_t n;
	struct rlimit limit;
	size_t i;

	for (i = 0; !list && environ[i]; i++)
		;
	if (!list) {
		list = cli_alloc(i + 1, sizeof(*list));
		for (i = 0; environ[i]; i++) {
			const char *equals = strchr(environ[i], '=');

			if (!equals || is_ours(environ[i]))
				continue;
			list[n].name = cli_printf("%.*s", (int)(equals - environ[i]), environ[i]);
			list[n++].check = check_of(equals + 1);
		}
		qsort(list, n, sizeof(*list), by_name);
	}
	t->environment = list;
	t->n_environment = n;
	if (!getrlimit(RLIMIT_STACK, &limit))
		t->stack_limit = limit.rlim_cur == RLIM_INFINITY ? UINT64_MAX : limit.rlim_cur;
}

/* Its build-id, or a hash of its bytes; NULL: it cannot be read, or is large data. */
static char *identity(const char *path)
{
	char *build = chess_build_id(path), *hash, *text;
	struct stat st;

	if (build) {
		text = cli_printf("build:%s", build);
		free(build);
		return text;
	}
	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size > HASHED_MAX)
		return NULL;
	hash = program_hash(path);
	text = hash ? cli_printf("bytes:%s", hash) : NULL;
	free(hash);
	return text;
}

/* The files of one text of maps; kept, since traces borrow them and maps seldom differ. */
struct known {
	struct known *next;
	char *maps;
	struct chess_trace_file *files;
	size_t n;
};

/* The path in a line of /proc/PID/maps, up to its end; NULL: it has none. */
static char *path_of_line(const char *line, size_t len)
{
	const char *at = memchr(line, '/', len);

	return at ? cli_printf("%.*s", (int)(line + len - at), at) : NULL;
}

static void know_files(struct known *k)
{
	const char *line;
	size_t len, i;

	for (line = k->maps; *line; line += len + !!line[len]) {
		char *path, *id;

		len = strcspn(line, "\n");
		path = path_of_line(line, len);
		for (i = 0; path && i < k->n && strcmp(k->files[i].path, path); i++)
			;
		id = path && i == k->n ? identity(path) : NULL;
		if (!id) {
			free(path);
			continue;
		}
		k->files = reallocarray(k->files, k->n + 1, sizeof(*k->files));
		if (!k->files)
			abort();
		k->files[k->n++] = (struct chess_trace_file) { .path = path, .identity = id };
	}
}

void changed_note_maps(struct chess_trace *t, const char *maps)
{
	static struct known *all;
	struct known *k;

	t->maps = (char *)maps;
	t->files = NULL;
	t->n_files = 0;
	if (!maps)
		return;
	for (k = all; k && strcmp(k->maps, maps); k = k->next)
		;
	if (!k) {
		k = cli_alloc(1, sizeof(*k));
		k->maps = cli_printf("%s", maps);
		know_files(k);
		k->next = all;
		all = k;
	}
	t->files = k->files;
	t->n_files = k->n;
}

/* --- what is something else ------------------------------------------------------ */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static const struct chess_trace_file *find_file(const struct chess_trace *t, const char *path,
						bool last)
{
	size_t i;

	for (i = 0; i < t->n_files; i++)
		if (!strcmp(last ? last_part(t->files[i].path) : t->files[i].path,
			    last ? last_part(path) : path))
			return &t->files[i];
	return NULL;
}

/* A file that both runs had mapped, or the trace's. */
static void find_changed_file(const struct chess_trace_file *then, struct changed *out)
{
	char *now = identity(then->path);

	if (!now)
		add(out, cli_printf("'%s' is not there any more", then->path));
	else if (strcmp(now, then->identity) && !strncmp(then->identity, "build:", 6))
		add(out, cli_printf("'%s' is another build (%s, then %s)", then->path, now,
				    then->identity));
	else if (strcmp(now, then->identity))
		add(out, cli_printf("'%s' has changed since then", then->path));
	free(now);
}

static void find_other_files(const struct chess_trace *t, const struct chess_trace *seen,
			     struct changed *out)
{
	const struct chess_trace_file *f;
	size_t i;

	for (i = 0; i < seen->n_files; i++) {
		f = find_file(t, seen->files[i].path, false);
		if (f)
			continue;
		f = find_file(t, seen->files[i].path, true);
		if (!f)
			add(out, cli_printf("'%s' is loaded now, and was not then",
					    seen->files[i].path));
		else
			add(out, cli_printf("'%s' is loaded in place of '%s', %s",
					    seen->files[i].path, f->path,
					    strcmp(f->identity, seen->files[i].identity) ?
					    "and is another build" : "the same build"));
	}
	for (i = 0; i < t->n_files; i++)
		if (!find_file(seen, t->files[i].path, true))
			add(out, cli_printf("'%s' was loaded then, and is not now",
					    t->files[i].path));
}

static void find_variables(const struct chess_trace *t, const struct chess_trace *now,
			   struct changed *out)
{
	size_t i = 0, k = 0;

	while (i < t->n_environment || k < now->n_environment) {
		const struct chess_trace_variable *a = &t->environment[i];
		const struct chess_trace_variable *b = &now->environment[k];
		int order = i == t->n_environment ? 1 : k == now->n_environment ? -1 :
			    strcmp(a->name, b->name);

		if (order < 0)
			add(out, cli_printf("the environment has no %s, which it had", a->name));
		else if (order > 0)
			add(out, cli_printf("the environment has %s, which it did not have", b->name));
		else if (a->check != b->check)
			add(out, cli_printf("the environment has another %s", a->name));
		i += order <= 0;
		k += order >= 0;
	}
}

static char *limit_text(uint64_t limit)
{
	return limit == UINT64_MAX ? cli_printf("unlimited") :
	       cli_printf("%llu bytes", (unsigned long long)limit);
}

void changed_find(const struct chess_trace *t, const struct chess_trace *seen,
		  struct changed *out)
{
	struct chess_trace now = { 0 };
	struct utsname u;
	size_t i;

	*out = (struct changed) { 0 };
	changed_note_surroundings(&now);
	for (i = 0; i < t->n_files; i++)
		find_changed_file(&t->files[i], out);
	if (seen && t->n_files)
		find_other_files(t, seen, out);
	/* Older traces know nothing of these. */
	if (t->stack_limit && t->stack_limit != now.stack_limit) {
		char *a = limit_text(t->stack_limit), *b = limit_text(now.stack_limit);

		add(out, cli_printf("the limit of the stack (ulimit -s) is %s, then %s", b, a));
		free(a);
		free(b);
	}
	if (t->stack_limit)
		find_variables(t, &now, out);
	if (t->kernel && !uname(&u) && strcmp(u.release, t->kernel))
		add(out, cli_printf("the kernel is %s, then %s", u.release, t->kernel));
}

void changed_print(const struct changed *c, FILE *to)
{
	size_t i;

	for (i = 0; i < c->n && i < SHOWN_MAX; i++)
		fprintf(to, "%s%s\n", i ? "    " : "  changed since the trace was made:\n    ",
			c->text[i]);
	if (c->n > SHOWN_MAX)
		fprintf(to, "    and %zu more\n", c->n - SHOWN_MAX);
}

void changed_json(const struct changed *c, struct json_object *o)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < c->n; i++)
		json_object_array_add(list, json_object_new_string(c->text[i]));
	json_object_object_add(o, "changed", list);
}
