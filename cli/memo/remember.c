// SPDX-License-Identifier: GPL-2.0-only
/*
 * Between a search and its memo: what the library calls a place by numbers of sites and addresses
 * is here named by file, offset and operation; see remember.h.
 *
 * A memo that cannot be written any more is no reason to lose what the search finds: that is said,
 * and the rest of the search is not remembered.
 *
 * Runs go to the memo in one transaction for several, as that costs as much as one for a single
 * run: a tenth of a short run. Those that wait are written before the memo is asked about an iRoot
 * of theirs.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "memo/remember.h"
#include "now.h"
#include "out.h"
#include "program.h"
#include "report/symbolize.h"

/* So many runs may wait to be written, and so long. */
#define MOST_WAITING	32
#define MOST_SECONDS	0.5

/**
 * struct file - a file of the program
 * @path: of it
 * @id: build-id, or a hash of its bytes
 */
struct file {
	char *path, *id;
};

/**
 * struct remember - a search with a memo
 * @memo: open, or NULL: from here on nothing is remembered
 * @path: as given
 * @s: the program
 * @calls: for the library
 * @number: in the memo, by the library's number of a place less one; 0: it cannot be named
 * @n: of @number
 * @file: files that have a name, @n_files of them
 * @maps: of @symbols
 * @waiting: runs that are not in the memo yet, @n_waiting of them, the first since @since; and
 *	their @n_roots iRoots
 * @runs: made so far
 * @most_exposed: iRoots that its runs exposed
 * @fresh: of them, those that no search had exposed
 * @attempts: by idiom, runs that were to expose an iRoot; and @successes, those that did
 * @unnamed: places that cannot be named
 * @before: known once the search has ended, as are @given_up and @finished: iRoots that only other
 *	searches exposed
 * @given_up: iRoots that are not tried again
 * @finished: it ended by itself
 */
struct remember {
	struct memo *memo;
	char *path;
	const struct session *s;
	struct chess_memo calls;
	int64_t *number;
	size_t n;
	struct file *file;
	size_t n_files;
	struct symbols *symbols;
	char *maps;
	struct memo_run waiting[MOST_WAITING];
	size_t n_waiting, n_roots;
	struct memo_iroot *waiting_root;
	double since;
	uint64_t runs, most_exposed, fresh;
	uint64_t attempts[CHESS_IDIOMS], successes[CHESS_IDIOMS];
	size_t unnamed;
	uint64_t before, given_up;
	bool finished;
};

static int lose(struct remember *r)
{
	cli_note("note: %s; from here on nothing is remembered", memo_error(r->memo));
	memo_close(r->memo);
	r->memo = NULL;
	return 0;
}

/* Borrowed; NULL: the file cannot be read. */
static const char *id_of(struct remember *r, const char *path)
{
	struct file *f;
	char *hash;
	size_t i;

	for (i = 0; i < r->n_files; i++)
		if (!strcmp(r->file[i].path, path))
			return r->file[i].id;
	r->file = cli_realloc(r->file, r->n_files + 1, sizeof(*r->file));
	f = &r->file[r->n_files++];
	f->path = cli_printf("%s", path);
	f->id = chess_build_id(path);
	if (f->id)
		return f->id;
	hash = program_hash(path);
	f->id = hash ? cli_printf("hash-%s", hash) : NULL;
	free(hash);
	return f->id;
}

/* The file mapped at @ip and its offset there; malloc'ed, or NULL: there is none. */
static char *file_at(const char *maps, uint64_t ip, uint64_t *offset)
{
	unsigned long long start, end, from;
	const char *line, *stop;
	int at;

	for (line = maps; line && *line; line = *stop ? stop + 1 : stop) {
		stop = strchrnul(line, '\n');
		at = 0;
		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %n", &start, &end, &from, &at) < 3 ||
		    !at || ip < start || ip >= end || line + at >= stop || line[at] != '/')
			continue;
		*offset = ip - start + from;
		return cli_printf("%.*s", (int)(stop - line - at), line + at);
	}
	return NULL;
}

static struct symbols *symbols_of(struct remember *r, const char *maps)
{
	if (r->maps && maps && !strcmp(r->maps, maps))
		return r->symbols;
	if (r->symbols)
		symbols_free(r->symbols);
	free(r->maps);
	r->maps = maps ? cli_printf("%s", maps) : NULL;
	r->symbols = symbols_new(maps);
	return r->symbols;
}

static char *operation_of(const struct chess_memo_place *p)
{
	const char *name = p->nr >= 0 ? chess_syscall_name(p->nr) : chess_op_name(p->op);

	return cli_printf("%s%s", p->nr >= 0 ? "syscall " : "", name ? name : "other");
}

static int64_t number_of(struct remember *r, const struct chess_memo_place *p, const char *path,
			 uint64_t offset, const char *maps)
{
	struct place where = { 0 };
	char *op = operation_of(p), *line = NULL;
	struct memo_place q = { .file = id_of(r, path), .offset = offset, .op = op, .path = path };
	int64_t number = 0;

	if (q.file) {
		/* What returns to the next line is called in this one. */
		symbols_instruction(symbols_of(r, maps), p->site ? p->ip : p->ip - 1, &where);
		if (where.file)
			line = cli_printf("%s:%d", strrchr(where.file, '/') ?
					  strrchr(where.file, '/') + 1 : where.file, where.line);
		q.function = where.function ? where.function : "";
		q.line = line ? line : "";
		number = memo_place_number(r->memo, &q);
	}
	place_clear(&where);
	free(line);
	free(op);
	return number;
}

static int note_place(void *arg, const struct chess_memo_place *p, const char *maps)
{
	struct remember *r = arg;
	const char *path = NULL;
	char *found = NULL, *whole;
	uint64_t offset;
	int64_t number = 0;

	if (!r->memo)
		return 0;
	if (!p->site)
		path = found = file_at(maps, p->ip, &offset);
	else if (!chess_site_where(chess_runner_sites(r->s->runner), p->site, &path, &offset))
		path = NULL;
	whole = path ? realpath(path, NULL) : NULL;
	if (whole)
		number = number_of(r, p, whole, offset, maps);
	free(whole);
	free(found);
	if (number < 0)
		return lose(r);
	r->unnamed += !number;
	if (p->number > r->n) {
		r->number = cli_realloc(r->number, p->number, sizeof(*r->number));
		memset(r->number + r->n, 0, (p->number - r->n) * sizeof(*r->number));
		r->n = p->number;
	}
	r->number[p->number - 1] = number;
	return 0;
}

/* What waits goes to the memo. */
static void write_runs(struct remember *r)
{
	int64_t fresh = 0;

	if (r->memo && r->n_waiting)
		fresh = memo_note(r->memo, r->waiting, r->n_waiting, r->waiting_root);
	r->n_waiting = r->n_roots = 0;
	if (fresh < 0)
		lose(r);
	else
		r->fresh += fresh;
}

static bool is_same(const struct memo_iroot *a, const struct memo_iroot *b)
{
	return a->idiom == b->idiom && !memcmp(a->place, b->place, sizeof(a->place));
}

/* Does one of them wait? */
static bool waits(const struct remember *r, const struct memo_iroot *root, size_t n)
{
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < r->n_roots; k++)
			if (is_same(&root[i], &r->waiting_root[k]))
				return true;
	return false;
}

/* False: one of its places has no name, so nothing can be kept of it. */
static bool translate(const struct remember *r, const struct chess_memo_iroot *from,
		      struct memo_iroot *to)
{
	size_t i;

	*to = (struct memo_iroot){
		.idiom = from->idiom, .predicted = from->predicted, .exposed = from->exposed,
		.tried = from->tried,
	};
	for (i = 0; i < CHESS_MEMO_PLACES; i++) {
		if (!from->place[i])
			continue;
		if (from->place[i] > r->n || !r->number[from->place[i] - 1])
			return false;
		to->place[i] = r->number[from->place[i] - 1];
	}
	return true;
}

static int recall(void *arg, struct chess_memo_iroot *root, size_t n)
{
	struct remember *r = arg;
	struct memo_iroot *list;
	size_t *from, i, k = 0;
	int ret = 0;

	if (!r->memo)
		return 0;
	list = cli_alloc(n, sizeof(*list));
	from = cli_alloc(n, sizeof(*from));
	for (i = 0; i < n; i++)
		if (translate(r, &root[i], &list[k]))
			from[k++] = i;
	if (waits(r, list, k))
		write_runs(r);
	if (k && r->memo && memo_recall(r->memo, list, k))
		ret = lose(r);
	else
		for (i = 0; i < k; i++) {
			root[from[i]].before = list[i].before;
			root[from[i]].failed = list[i].failed;
			root[from[i]].failed_here = list[i].failed_here;
		}
	free(list);
	free(from);
	return ret;
}

static int note_run(void *arg, const struct chess_memo_run *run)
{
	struct remember *r = arg;
	struct memo_run noted = {
		.number = ++r->runs, .known = run->known, .idiom = run->idiom,
	};
	size_t i;

	r->waiting_root = cli_realloc(r->waiting_root, r->n_roots + run->n + 1,
				      sizeof(*r->waiting_root));
	/* When sites get other numbers, the library's count begins again. */
	if (run->exposed > r->most_exposed)
		r->most_exposed = run->exposed;
	noted.exposed = r->most_exposed;
	for (i = 0; i < run->n; i++) {
		if (run->root[i].tried) {
			r->attempts[run->root[i].idiom - 1]++;
			r->successes[run->root[i].idiom - 1] += run->root[i].exposed;
		}
		noted.n += translate(r, &run->root[i], &r->waiting_root[r->n_roots + noted.n]);
	}
	if (!r->n_waiting)
		r->since = chess_now();
	r->waiting[r->n_waiting++] = noted;
	r->n_roots += noted.n;
	if (r->n_waiting == MOST_WAITING || chess_now() - r->since >= MOST_SECONDS)
		write_runs(r);
	return 0;
}

int remember_open(struct remember **out, const char *path, const struct session *s,
		  const char *program, uint64_t seed)
{
	struct remember *r = cli_alloc(1, sizeof(*r));
	char *command, *cwd, *absolute;
	int code;

	*out = r;
	r->s = s;
	r->path = cli_printf("%s", path);
	r->calls = (struct chess_memo){
		.place = note_place, .recall = recall, .ran = note_run, .arg = r,
	};
	code = memo_is_remote() ? memo_open_remote(&r->memo) :
				  memo_open(&r->memo, path, MEMO_WRITE);
	if (code != CLI_PROCEED)
		return code;
	command = out_quote(s->argv);
	cwd = getcwd(NULL, 0);
	absolute = out_absolute(program);
	if (memo_begin(r->memo, &(struct memo_session){
			.program = absolute, .build_id = id_of(r, program) ? id_of(r, program) : "",
			.command = command, .cwd = cwd ? cwd : "", .seed = seed }))
		code = cli_fail(CLI_ENVIRONMENT, "%s", memo_error(r->memo));
	free(command);
	free(cwd);
	free(absolute);
	return code;
}

const struct chess_memo *remember_memo(const struct remember *r)
{
	return r ? &r->calls : NULL;
}

void remember_end(struct remember *r, const struct chess_explore_result *res, const char *trace)
{
	size_t i;

	if (!r)
		return;
	write_runs(r);
	/* At a bug it ends as well, and the rest is left. */
	r->finished = !res->stopped && !res->bugs;
	for (i = 0; i < CHESS_IDIOMS; i++) {
		r->before += res->iroots_before[i];
		r->given_up += res->iroots_given_up[i];
	}
	if (r->memo && memo_end(r->memo, chess_verdict_name(res->verdict), trace, res->seconds))
		lose(r);
}

void remember_close(struct remember *r)
{
	if (!r)
		return;
	write_runs(r);
	free(r->waiting_root);
	memo_close(r->memo);
	if (r->symbols)
		symbols_free(r->symbols);
	while (r->n_files) {
		free(r->file[--r->n_files].path);
		free(r->file[r->n_files].id);
	}
	free(r->file);
	free(r->number);
	free(r->maps);
	free(r->path);
	free(r);
}

void remember_print(const struct remember *r)
{
	uint64_t attempts = 0, successes = 0;
	size_t i;

	if (!r)
		return;
	for (i = 0; i < CHESS_IDIOMS; i++) {
		attempts += r->attempts[i];
		successes += r->successes[i];
	}
	printf("  memo %s: %llu iRoots exposed for the first time; %llu runs to expose one, %llu did; not tried: %llu that earlier searches exposed, %llu that are given up\n",
	       r->path, (unsigned long long)r->fresh, (unsigned long long)attempts,
	       (unsigned long long)successes, (unsigned long long)r->before,
	       (unsigned long long)r->given_up);
	if (r->unnamed)
		printf("  %zu place%s in code that belongs to no file: iRoots there are not kept\n",
		       r->unnamed, r->unnamed == 1 ? "" : "s");
}

static void add_number(struct json_object *o, const char *key, uint64_t n)
{
	json_object_object_add(o, key, json_object_new_uint64(n));
}

struct json_object *remember_json(const struct remember *r)
{
	struct json_object *o, *list, *one;
	size_t i;

	if (!r)
		return NULL;
	o = json_object_new_object();
	list = json_object_new_array();
	out_json_string(o, "file", r->path);
	out_json_bool(o, "kept", r->memo);
	out_json_bool(o, "finished", r->finished);
	add_number(o, "exposed", r->most_exposed);
	add_number(o, "new", r->fresh);
	add_number(o, "before", r->before);
	add_number(o, "given_up", r->given_up);
	add_number(o, "unnamed_places", r->unnamed);
	for (i = 0; i < CHESS_IDIOMS; i++) {
		one = json_object_new_object();
		add_number(one, "idiom", i + 1);
		add_number(one, "runs", r->attempts[i]);
		add_number(one, "successes", r->successes[i]);
		json_object_array_add(list, one);
	}
	json_object_object_add(o, "attempts", list);
	return o;
}
