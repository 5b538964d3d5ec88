// SPDX-License-Identifier: GPL-2.0-only
/*
 * The folder of a search that shard submit hands out; see submit.h. What is in it is made under
 * another name and renamed.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "out.h"
#include "shard/submit.h"

#define SEARCH_VERSION	1

char *submit_path(const struct submit *s, const char *fmt, ...)
{
	char *end, *path;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&end, fmt, ap) < 0)
		cli_no_memory();
	va_end(ap);
	path = cli_printf("%s/%s", s->dir, end);
	free(end);
	return path;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	remove(path);
	return 0;
}

void submit_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int write_all(int fd, const char *text, size_t n)
{
	ssize_t done;

	for (; n; text += done, n -= done) {
		done = write(fd, text, n);
		if (done < 0 && errno == EINTR)
			done = 0;
		if (done < 0)
			return -errno;
	}
	return fsync(fd) ? -errno : 0;
}

int submit_write_file(const char *path, const char *text)
{
	char *temporary = cli_printf("%s.%d", path, (int)getpid());
	int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	int ret = fd < 0 ? -errno : write_all(fd, text, strlen(text));

	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temporary, path))
		ret = -errno;
	if (ret) {
		unlink(temporary);
		cli_fail(CLI_ENVIRONMENT, "shard: %s cannot be written: %s", path, strerror(-ret));
	}
	free(temporary);
	return ret ? CLI_ENVIRONMENT : CLI_PROCEED;
}

int submit_commit(const struct submit *s, const char *id, const char *from)
{
	char *to = submit_path(s, "done/%s", id);
	int ret = 1;

	/* An empty one cannot be there: what is renamed to it has a file. */
	if (rename(from, to))
		ret = errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR ? 0 : -errno;
	free(to);
	return ret;
}

static int make(const struct submit *s, const char *name)
{
	if (!mkdirat(s->fd, name, 0777) || errno == EEXIST)
		return CLI_PROCEED;
	return cli_fail(CLI_ENVIRONMENT, "shard: %s/%s cannot be made: %s", s->dir, name,
			strerror(errno));
}

static bool has(const struct submit *s, const char *name)
{
	return !faccessat(s->fd, name, F_OK, 0);
}

int submit_open(struct submit *s, const char *dir, bool fresh)
{
	static const char *const parts[] = { "cut", "done", "work", "wave" };
	size_t i;
	int ret = CLI_PROCEED;

	*s = (struct submit){ .fd = -1, .lock = -1, .stop = UINT32_MAX };
	if (fresh && mkdir(dir, 0777) && errno != EEXIST)
		return cli_fail(CLI_ENVIRONMENT, "shard: the folder %s cannot be made: %s", dir,
				strerror(errno));
	s->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->fd < 0)
		return cli_fail(CLI_USAGE, "shard: the folder %s cannot be opened: %s", dir,
				strerror(errno));
	s->dir = realpath(dir, NULL);
	if (!s->dir)
		return cli_fail(CLI_ENVIRONMENT, "shard: where the folder %s is cannot be found out: %s",
				dir, strerror(errno));
	if (!fresh && !has(s, "search.json"))
		return cli_fail(CLI_USAGE, "shard: %s is not the folder of a search, as it has no search.json; begin one with shard submit --dir",
				dir);
	if (fresh && has(s, "search.json"))
		return cli_fail(CLI_USAGE, "shard: %s is the folder of a search already; continue that with --resume %s, or name another folder",
				dir, dir);
	for (i = 0; ret == CLI_PROCEED && i < sizeof(parts) / sizeof(parts[0]); i++)
		ret = make(s, parts[i]);
	return ret;
}

int submit_lock(struct submit *s)
{
	s->lock = openat(s->fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (s->lock >= 0 && !flock(s->lock, LOCK_EX | LOCK_NB))
		return CLI_PROCEED;
	if (errno == EWOULDBLOCK)
		return cli_fail(CLI_USAGE, "shard: another chessctl hands out the shards of %s; wait until it has ended",
				s->dir);
	return cli_fail(CLI_ENVIRONMENT, "shard: %s/lock cannot be locked: %s", s->dir,
			strerror(errno));
}

int submit_write_search(struct submit *s)
{
	struct json_object *o = json_object_new_object();
	char *path = submit_path(s, "search.json");
	int ret;

	out_json_int(o, "version", SEARCH_VERSION);
	out_json_string(o, "engine", s->o.engine);
	out_json_string(o, "sshlogin", s->o.login);
	out_json_int(o, "workers", s->o.workers);
	out_json_double(o, "share", s->o.share);
	out_json_double(o, "share_max", s->o.share_max);
	out_json_bool(o, "keep_going", s->o.keep_going);
	out_json_bool(o, "host", s->o.host);
	out_json_string(o, "cwd", s->o.cwd);
	out_json_strings(o, "split", s->o.split);
	ret = submit_write_file(path, json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY));
	json_object_put(o);
	free(path);
	return ret;
}

static const char *string_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, json_type_string) ?
	       strdup(json_object_get_string(v)) : NULL;
}

static double number_of(struct json_object *o, const char *key)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) ? json_object_get_double(v) : 0;
}

/* What it says is kept until the process ends. */
static bool read_options(struct submit_options *o, struct json_object *from)
{
	struct json_object *list, *word;
	size_t i, n;

	if (number_of(from, "version") != SEARCH_VERSION ||
	    !json_object_object_get_ex(from, "split", &list) ||
	    !json_object_is_type(list, json_type_array))
		return false;
	n = json_object_array_length(list);
	o->split = cli_alloc(n + 1, sizeof(*o->split));
	for (i = 0; i < n; i++) {
		word = json_object_array_get_idx(list, i);
		if (!json_object_is_type(word, json_type_string))
			return false;
		o->split[i] = cli_printf("%s", json_object_get_string(word));
	}
	o->engine = string_of(from, "engine");
	o->login = string_of(from, "sshlogin");
	o->cwd = (char *)string_of(from, "cwd");
	o->workers = number_of(from, "workers");
	o->share = number_of(from, "share");
	o->share_max = number_of(from, "share_max");
	o->keep_going = number_of(from, "keep_going") != 0;
	o->host = number_of(from, "host") != 0;
	return n && o->engine && o->cwd && o->workers && o->share > 0 &&
	       o->share_max >= o->share;
}

int submit_read_search(struct submit *s)
{
	char *path = submit_path(s, "search.json");
	struct json_object *from = json_object_from_file(path);
	bool good = from && read_options(&s->o, from);

	json_object_put(from);
	free(path);
	if (good)
		return CLI_PROCEED;
	return cli_fail(CLI_USAGE, "shard: %s/search.json is damaged, or of another version of chessctl; search again in another folder",
			s->dir);
}

void submit_close(struct submit *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		free(s->shard[i].path);
	for (i = 0; i < s->n_results; i++)
		free(s->result[i]);
	for (i = 0; i < s->n_cuts; i++)
		free(s->cut[i]);
	free(s->cut);
	free(s->shard);
	free(s->known);
	free(s->result);
	free(s->dir);
	if (s->lock >= 0)
		close(s->lock);
	if (s->fd >= 0)
		close(s->fd);
}
