// SPDX-License-Identifier: GPL-2.0-only
/*
 * See bugs.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bugs.h"
#include "cli.h"
#include "keep.h"

static void announce(void *arg, const char *path)
{
	struct bugs *b = arg;

	resume_note_trace(b->resume, b->tried, path, b->part);
}

/* One that an earlier life of the search has written. */
static bool is_written(const char *path)
{
	struct chess_trace *t = chess_trace_read(path);
	bool written = t;

	chess_trace_free(t);
	return written;
}

/*
 * What a failed write must not cost anybody is the bug: the verdict is told as
 * ever, and the search finds it again, as it goes the same way every time.
 * Return: path, malloc'ed, or NULL after one sentence
 */
static char *write_trace(struct bugs *b, const struct chess_trace *t)
{
	bool part = false;
	const char *kept = resume_trace(b->resume, b->tried, &part);
	char *path;
	int ret;

	path = kept ? cli_printf("%s", kept) :
	       out_trace_name(b->dir, t->program, chess_verdict_name(t->verdict), announce, b);
	if (kept && !part && is_written(kept))
		return path;
	if (kept && b->part)
		announce(b, kept);
	if (!path) {
		cli_note("the bug was found, but no trace of it can be made in '%s': %s; repeat the search with another folder, --out DIR",
			 b->dir->path, strerror(errno));
		return NULL;
	}
	ret = chess_trace_write(t, path);
	if (ret) {
		cli_note("the bug was found, but its trace '%s' could not be written: %s; repeat the search with another folder, --out DIR",
			 path, strerror(-ret));
		unlink(path);
		free(path);
		return NULL;
	}
	return path;
}

/* No schedule is run twice; only a run that diverged can be the same as an earlier one. */
bool bugs_wants(void *arg, const struct chess_run_result *bad)
{
	const struct bugs *b = arg;
	uint64_t print;
	unsigned int i;

	if (!bad->record || b->failed || b->tried == TRACES_MAX)
		return false;
	print = chess_record_hash(bad->record);
	for (i = 0; i < b->tried; i++)
		if (b->prints[i] == print)
			return false;
	return true;
}

/* A trace of @bad. */
int bugs_keep(void *arg, const struct chess_run_result *bad)
{
	struct chess_run_result again = { 0 };
	struct bugs *b = arg;
	struct chess_trace t;
	bool use;

	if (!bugs_wants(b, bad))
		return 0;
	out_progress_end(b->progress);
	use = !session_interrupted() && keep_run_again(b->s, bad, &again);
	b->part = !use && session_interrupted();
	session_trace(b->s, use ? &again : bad, &t);
	/* Addresses are the same in every run, so its maps serve for names. */
	if (!t.maps)
		t.maps = again.maps;
	b->paths[b->n] = write_trace(b, &t);
	if (b->paths[b->n])
		b->n++;
	else
		b->failed = true;
	if (b->tried) {
		chess_run_result_clear(&again);
	} else {
		b->again = again;
		b->same = use;
	}
	b->prints[b->tried++] = chess_record_hash(bad->record);
	return 0;
}

void bugs_clear(struct bugs *b)
{
	size_t i;

	for (i = 0; i < b->n; i++)
		free(b->paths[i]);
	chess_run_result_clear(&b->again);
}

struct json_object *bugs_json(const struct bugs *b)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < b->n; i++) {
		char *path = out_absolute(b->paths[i]);

		json_object_array_add(list, json_object_new_string(path));
		free(path);
	}
	return list;
}
