// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is in the folder of a search: shards, and what came of each; see submit.h. And new cuts:
 * shards that no worker has are put together and cut again. Before that each of them is claimed in
 * done/, so that a worker that is thought to be gone cannot hand in a result as well.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "mix.h"
#include "shard/submit.h"

static size_t slot_of(const struct submit *s, const char *id)
{
	size_t at = strtoull(id, NULL, 16) & (s->slots - 1);

	while (s->known[at] && strcmp(s->shard[s->known[at] - 1].id, id))
		at = (at + 1) & (s->slots - 1);
	return at;
}

struct submit_shard *submit_shard_of(const struct submit *s, const char *id)
{
	size_t at = s->slots ? s->known[slot_of(s, id)] : 0;

	return at ? &s->shard[at - 1] : NULL;
}

static void grow(struct submit *s)
{
	size_t i;

	if (2 * (s->n + 1) <= s->slots)
		return;
	s->slots = s->slots ? 2 * s->slots : 256;
	free(s->known);
	s->known = cli_alloc(s->slots, sizeof(*s->known));
	memset(s->known, 0, s->slots * sizeof(*s->known));
	for (i = 0; i < s->n; i++)
		s->known[slot_of(s, s->shard[i].id)] = i + 1;
}

static bool ends_with(const char *name, const char *end)
{
	size_t n = strlen(name), k = strlen(end);

	return n > k && !strcmp(name + n - k, end);
}

/* The file @path, from the root, is a shard of the search. */
static int add(struct submit *s, const char *path)
{
	struct shard_header h;
	int ret = shard_read_header(path, &h);

	if (ret != CLI_PROCEED)
		return ret;
	if (h.kind != SHARD_WORK)
		return cli_fail(CLI_USAGE, "shard: %s is not a shard", path);
	if (submit_shard_of(s, h.id))
		return CLI_PROCEED;
	if (s->n == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->shard = cli_realloc(s->shard, s->room, sizeof(*s->shard));
	}
	grow(s);
	s->shard[s->n] = (struct submit_shard){
		.path = cli_printf("%s", path + strlen(s->dir) + 1), .h = h, .fate = SUBMIT_WAITS,
	};
	memcpy(s->shard[s->n].id, h.id, sizeof(h.id));
	s->known[slot_of(s, h.id)] = s->n + 1;
	s->n++;
	return CLI_PROCEED;
}

/* Calls @f for each entry of the folder that does not begin with a dot, until one fails. */
static int each(struct submit *s, const char *dir,
		int (*f)(struct submit *s, const char *dir, const char *name))
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int ret = CLI_PROCEED;

	if (!d)
		return cli_fail(CLI_ENVIRONMENT, "shard: the folder %s cannot be read: %s", dir,
				strerror(errno));
	while (ret == CLI_PROCEED && (e = readdir(d)))
		if (e->d_name[0] != '.')
			ret = f(s, dir, e->d_name);
	closedir(d);
	return ret;
}

static int add_piece(struct submit *s, const char *dir, const char *name)
{
	char *path;
	int ret;

	if (!ends_with(name, ".shard"))
		return CLI_PROCEED;
	path = cli_printf("%s/%s", dir, name);
	ret = add(s, path);
	free(path);
	return ret;
}

/* What a worker has left: a result is counted, a shard waits. */
static int add_done_file(struct submit *s, const char *dir, const char *name)
{
	struct shard_header h;
	char *path;
	int ret;

	if (ends_with(name, ".shard"))
		return add_piece(s, dir, name);
	if (!ends_with(name, ".result"))
		return CLI_PROCEED;
	path = cli_printf("%s/%s", dir, name);
	ret = shard_read_header(path, &h);
	if (ret != CLI_PROCEED) {
		free(path);
		return ret;
	}
	s->result = cli_realloc(s->result, s->n_results + 1, sizeof(*s->result));
	s->result[s->n_results++] = path;
	s->runs += h.runs;
	if (h.bug) {
		s->bug = true;
		if (!s->o.keep_going && h.preemptions >= 0 &&
		    (unsigned int)h.preemptions < s->stop)
			s->stop = h.preemptions;
	}
	return CLI_PROCEED;
}

/* Nothing of a cut changes once it is there. A search that is over at once is a result. */
static int add_cut(struct submit *s, const char *dir, const char *name)
{
	char *path;
	size_t i;
	int ret;

	for (i = 0; i < s->n_cuts; i++)
		if (!strcmp(s->cut[i], name))
			return CLI_PROCEED;
	path = cli_printf("%s/%s", dir, name);
	ret = each(s, path, add_done_file);
	free(path);
	if (ret != CLI_PROCEED)
		return ret;
	s->cut = cli_realloc(s->cut, s->n_cuts + 1, sizeof(*s->cut));
	s->cut[s->n_cuts++] = cli_printf("%s", name);
	return CLI_PROCEED;
}

static int note_done(struct submit *s, const char *dir, const char *id)
{
	struct submit_shard *shard = submit_shard_of(s, id);
	char *path;
	int ret = CLI_PROCEED;

	/* Of a cut that is not there yet; it is seen the next time. */
	if (!shard || shard->fate == SUBMIT_DONE || shard->fate == SUBMIT_CUT)
		return CLI_PROCEED;
	path = cli_printf("%s/%s/cut", dir, id);
	if (!access(path, F_OK)) {
		shard->fate = SUBMIT_CUT;
	} else {
		shard->fate = SUBMIT_DONE;
		free(path);
		path = cli_printf("%s/%s", dir, id);
		ret = each(s, path, add_done_file);
	}
	free(path);
	return ret;
}

/* What is not done has so much of the whole. */
static void weigh(struct submit *s)
{
	size_t i;

	s->left_weight = 0;
	for (i = 0; i < s->n; i++)
		if (s->shard[i].fate == SUBMIT_WAITS || s->shard[i].fate == SUBMIT_RUNS)
			s->left_weight += s->shard[i].h.weight;
}

int submit_scan(struct submit *s)
{
	char *cuts = submit_path(s, "cut"), *done = submit_path(s, "done");
	size_t before;
	int ret = each(s, cuts, add_cut);

	/* What one result has left may be done as well. */
	do {
		before = s->n;
		if (ret == CLI_PROCEED)
			ret = each(s, done, note_done);
	} while (ret == CLI_PROCEED && s->n > before);
	weigh(s);
	free(cuts);
	free(done);
	return ret;
}

/* --- cuts ------------------------------------------------------------------ */

/* Shard @id goes into cut @name, unless there is a result of it by now. */
static int claim(struct submit *s, const char *id, const char *name)
{
	char *dir = submit_path(s, "work/.claim.%s", id), *file = cli_printf("%s/cut", dir);
	int ret;

	submit_remove(dir);
	if (mkdir(dir, 0777))
		ret = cli_fail(CLI_ENVIRONMENT, "shard: the folder %s cannot be made: %s", dir,
			       strerror(errno));
	else
		ret = submit_write_file(file, name);
	if (ret == CLI_PROCEED) {
		int done = submit_commit(s, id, dir);

		if (done < 0)
			ret = cli_fail(CLI_ENVIRONMENT, "shard: %s/done/%s cannot be made: %s",
				       s->dir, id, strerror(-done));
		if (!done)
			submit_remove(dir);
	}
	free(file);
	free(dir);
	return ret;
}

/* Name of the cut that shard @id was claimed for; malloc'ed, NULL: none */
static char *claimed_for(const struct submit *s, const char *id)
{
	char *path = submit_path(s, "done/%s/cut", id), text[64] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	free(path);
	return n > 0 ? cli_printf("%s", text) : NULL;
}

static bool is_claimed(const struct submit *s, const char *id, const char *name)
{
	char *of = claimed_for(s, id);
	bool is = of && !strcmp(of, name);

	free(of);
	return is;
}

/* The name of the cut is a hash of its parents, which are claimed; so it can be made by anybody. */
static int make_cut(struct submit *s, const char *name, char *const *files, size_t n,
		    size_t pieces, const char *parents)
{
	char *temporary = submit_path(s, "work/.cut.%s", name), *to = submit_path(s, "cut/%s", name);
	char *list = cli_printf("%s/parents", temporary), *count = cli_printf("%zu", pieces);
	char **argv = cli_alloc(n + 9, sizeof(*argv));
	size_t k = 0, i;
	int ret;

	submit_remove(temporary);
	argv[k++] = (char *)"shard";
	argv[k++] = (char *)"split";
	argv[k++] = (char *)"--shards";
	argv[k++] = count;
	argv[k++] = (char *)"--out";
	argv[k++] = temporary;
	for (i = 0; i < n; i++) {
		argv[k++] = (char *)"--from";
		argv = cli_realloc(argv, k + 2 * (n - i) + 8, sizeof(*argv));
		argv[k++] = files[i];
	}
	argv[k] = NULL;
	ret = submit_chessctl(argv, open("/dev/null", O_WRONLY | O_CLOEXEC), false);
	ret = ret == CLI_OK ? submit_write_file(list, parents) :
	      cli_fail(CLI_ENVIRONMENT, "shard: shards of %s could not be cut again", s->dir);
	if (ret == CLI_PROCEED && rename(temporary, to) && errno != EEXIST && errno != ENOTEMPTY)
		ret = cli_fail(CLI_ENVIRONMENT, "shard: %s cannot be made: %s", to, strerror(errno));
	free(argv);
	free(count);
	free(list);
	free(to);
	free(temporary);
	return ret;
}

int submit_cut(struct submit *s, struct submit_shard *const *shards, size_t n, size_t pieces)
{
	uint64_t hash = CHESS_HASH_START;
	char name[32], **files = cli_alloc(n, sizeof(*files)), *text;
	size_t i, k = 0, size = 0;
	int ret = CLI_PROCEED;

	for (i = 0; i < n; i++)
		hash = chess_mix(hash, strtoull(shards[i]->id, NULL, 16));
	snprintf(name, sizeof(name), "%016llx.%zu", (unsigned long long)hash, pieces);
	for (i = 0; i < n && ret == CLI_PROCEED; i++)
		ret = claim(s, shards[i]->id, name);
	text = cli_alloc(n * SHARD_ID + 1, 1);
	for (i = 0; i < n && ret == CLI_PROCEED; i++) {
		if (!is_claimed(s, shards[i]->id, name))
			continue;
		shards[i]->fate = SUBMIT_CUT;
		files[k++] = submit_path(s, "%s", shards[i]->path);
		size += sprintf(text + size, "%s\n", shards[i]->id);
	}
	text[size] = 0;
	if (k && ret == CLI_PROCEED)
		ret = make_cut(s, name, files, k, pieces, text);
	while (k)
		free(files[--k]);
	free(files);
	free(text);
	return ret;
}

/* --- what is begun and not done --------------------------------------------- */

/* The cut @name is there, made of all shards that were claimed for it. */
static int finish_cut(struct submit *s, const char *name)
{
	char *path = submit_path(s, "cut/%s", name), *dot = strchr(name, '.');
	char **files = cli_alloc(s->n + 1, sizeof(*files));
	char *text = cli_alloc(s->n * SHARD_ID + 1, 1);
	size_t i, k = 0, size = 0;
	int ret = CLI_PROCEED;

	for (i = 0; i < s->n && access(path, F_OK); i++) {
		if (!is_claimed(s, s->shard[i].id, name))
			continue;
		files[k++] = submit_path(s, "%s", s->shard[i].path);
		size += sprintf(text + size, "%s\n", s->shard[i].id);
	}
	text[size] = 0;
	if (k && dot)
		ret = make_cut(s, name, files, k, strtoull(dot + 1, NULL, 10), text);
	while (k)
		free(files[--k]);
	free(files);
	free(text);
	free(path);
	return ret;
}

int submit_cut_rest(struct submit *s)
{
	size_t i, n = s->n;
	int ret = CLI_PROCEED;

	for (i = 0; i < n && ret == CLI_PROCEED; i++) {
		char *name = s->shard[i].fate == SUBMIT_CUT ? claimed_for(s, s->shard[i].id) : NULL;

		if (name)
			ret = finish_cut(s, name);
		free(name);
	}
	return ret == CLI_PROCEED ? submit_scan(s) : ret;
}

int submit_cut_first(struct submit *s, size_t pieces)
{
	char *temporary = submit_path(s, "work/.cut.first"), *to = submit_path(s, "cut/first");
	char *count = cli_printf("%zu", pieces), **argv;
	size_t n = 0, k = 0;
	int ret = CLI_OK;

	while (s->o.split[n])
		n++;
	argv = cli_alloc(n + 9, sizeof(*argv));
	argv[k++] = (char *)"shard";
	argv[k++] = (char *)"split";
	argv[k++] = (char *)"--shards";
	argv[k++] = count;
	argv[k++] = (char *)"--out";
	argv[k++] = temporary;
	if (s->o.host)
		argv[k++] = (char *)"--host";
	memcpy(argv + k, s->o.split, (n + 1) * sizeof(*argv));
	if (access(to, F_OK)) {
		submit_remove(temporary);
		ret = submit_chessctl(argv, open("/dev/null", O_WRONLY | O_CLOEXEC), true);
		if (ret == CLI_OK && rename(temporary, to))
			ret = cli_fail(CLI_ENVIRONMENT, "shard: %s cannot be made: %s", to,
				       strerror(errno));
	}
	free(argv);
	free(count);
	free(to);
	free(temporary);
	return ret == CLI_OK ? CLI_PROCEED : ret;
}
