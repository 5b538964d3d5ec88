// SPDX-License-Identifier: GPL-2.0-only
/*
 * See runs.h. What a report needs of a failing run (what its tasks wait for, what it
 * wrote) does not come back from workers, nor from a journal. Those few runs that a trace is
 * written of are made once more by the session's own runner.
 */
#include <chessctl/races.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "leftovers.h"
#include "runs.h"

/**
 * struct helper - what a worker opens its session with, and the session
 * @points: of the session, copied
 * @main: the session, whose access points the worker's has
 * @looks: accesses that race are points, so it looks at those of its runs
 * @racing: what it looks with
 */
static struct helper {
	const struct session_opts *o;
	char **argv;
	const char *path;
	const char *points;
	const struct session *main;
	bool looks;
	struct chess_racing *racing;
	struct session s;
	struct chess_ctl *ctl;
} helper;

/* What raced in it is known when it is handed on: that is kept and sent, accesses are not. */
static int run_here(struct session *s, struct chess_racing *racing,
		    const struct chess_plan *plan, struct chess_run_result *out)
{
	int ret;

	if (session_interrupted())
		return -EINTR;
	ret = chess_runner_run_plan(s->runner, plan, NULL, 0, out);
	if (ret || !racing)
		return ret;
	ret = chess_racing_look(racing, out);
	if (ret)
		chess_run_result_clear(out);
	return ret;
}

static int run_helper(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct helper *h = ctx;

	return run_here(&h->s, h->racing, plan, out);
}

static int open_helper(void *arg, unsigned int worker, struct chess_executor *x)
{
	struct helper *h = arg;

	(void)worker;
	h->ctl = chess_ctl_open();
	if (!h->ctl)
		return -errno;
	h->s.helper = true;
	h->s.points = cli_printf("%s", h->points);
	session_copy_later(&h->s, h->main->later, h->main->n_later);
	if (session_open(&h->s, h->ctl, h->argv, cli_printf("%s", h->path), NULL, h->o, true) !=
	    CLI_PROCEED)
		return -EIO;
	if (h->main->long_rows)
		session_set_long_rows(&h->s);
	if (h->main->patience > 1 && session_set_quantum(&h->s, h->main->patience))
		return -EIO;
	if (h->main->surroundings & CHESS_SURROUNDINGS_PRIVATE_TMP)
		session_private_tmp(&h->s);
	*x = (struct chess_executor) { .run = run_helper, .ctx = h };
	if (h->looks)
		h->racing = chess_racing_new();
	if (h->looks && !h->racing)
		return -ENOMEM;
	return h->main->accesses.n ? session_set_points(&h->s, h->main->accesses.sites,
							 h->main->accesses.n) : 0;
}

static void close_helper(void *arg, unsigned int worker)
{
	struct helper *h = arg;

	(void)worker;
	session_close(&h->s);
	chess_ctl_close(h->ctl);
	chess_racing_free(h->racing);
}

static bool is_interrupted(void *arg)
{
	(void)arg;
	return session_interrupted();
}

static int start_workers(struct runs *r)
{
	r->pool = chess_pool_new(&r->po);
	if (!r->pool)
		return -errno;
	r->jobs = chess_pool_executor(r->pool);
	return 0;
}

int runs_open(struct runs *r, struct session *s, unsigned int jobs, char **argv,
	      const char *path, const struct session_opts *o)
{
	r->po = (struct chess_pool_opts) {
		.sz = sizeof(r->po), .jobs = jobs, .open = open_helper, .close = close_helper,
		.interrupted = is_interrupted, .arg = &helper,
	};
	r->s = s;
	if (jobs < 2)
		return CLI_PROCEED;
	helper = (struct helper) {
		.o = o, .argv = argv, .path = path, .points = s->points, .main = s,
		.looks = r->racing,
	};
	if (start_workers(r))
		return cli_fail(CLI_ENVIRONMENT, "explore: %s", chess_error());
	return CLI_PROCEED;
}

static int start_anew(struct runs *r)
{
	int ret;

	chess_pool_free(r->pool);
	r->pool = NULL;
	ret = start_workers(r);
	/* In the middle of a search, it still is the one whose plans are made ahead. */
	if (!ret && r->peek)
		r->jobs.ahead(r->jobs.ctx, r->peek, r->search);
	return ret;
}

int runs_set_points(struct runs *r, const uint32_t *sites, size_t n)
{
	int ret = session_set_points(r->s, sites, n);

	if (ret || !r->pool)
		return ret;
	return start_anew(r);
}

int runs_set_later(struct runs *r, const char *const *files)
{
	int ret = session_set_later(r->s, files);

	if (ret || !r->pool)
		return ret;
	return start_anew(r);
}

int runs_set_long_rows(struct runs *r)
{
	session_set_long_rows(r->s);
	return r->pool ? start_anew(r) : 0;
}

int runs_set_quantum(struct runs *r, unsigned int times)
{
	int ret = session_set_quantum(r->s, times);

	return ret || !r->pool ? ret : start_anew(r);
}

void runs_close(struct runs *r)
{
	chess_pool_free(r->pool);
	r->pool = NULL;
}

/* The same run with all that is known of it. If it does not come again so be it. */
static int make_whole(struct runs *r, const struct chess_plan *plan, struct chess_run_result *run)
{
	struct chess_run_result again = { 0 }, swap;
	int ret = run_here(r->s, r->racing, plan, &again);

	if (ret)
		return ret;
	if (again.record && again.verdict == run->verdict &&
	    chess_record_compare(again.record, run->record) == SIZE_MAX) {
		swap = *run;
		*run = again;
		again = swap;
	}
	chess_run_result_clear(&again);
	return 0;
}

/*
 * A child that is meant to die dies in every schedule; one that dies in some of them was not
 * meant to, though its parent takes it in good part. So the first run decides whether any death
 * is expected. Workers and journals do not know of that: such a run is made once more.
 */
static int judge_deaths(struct runs *r, const struct chess_plan *plan,
			struct chess_run_result *out)
{
	if (!r->begun) {
		r->begun = true;
		r->strict = !out->expected;
		if (r->strict)
			session_expect_no_deaths(r->s);
		return 0;
	}
	if (!r->strict || !out->expected || chess_verdict_is_bug(out->verdict))
		return 0;
	chess_run_result_clear(out);
	return run_here(r->s, r->racing, plan, out);
}

static int make_now(struct runs *r, const struct chess_plan *plan,
		    struct chess_run_result *out)
{
	return r->pool ? r->jobs.run(r->jobs.ctx, plan, out) :
			 run_here(r->s, r->racing, plan, out);
}

/* A search that is continued begins with a prefix, which a run may leave where files are left. */
static bool ends_alike(const struct chess_run_result *run, const struct chess_run_result *again)
{
	if (run->verdict == CHESS_VERDICT_DIVERGED)
		return again->verdict != CHESS_VERDICT_DIVERGED;
	return run->verdict == again->verdict && run->status == again->status;
}

/*
 * Names of temporary files are the same in each run, so those that a run leaves would be in the way
 * of the next one. A run that ends in the same way in an empty /tmp does not need what is there.
 */
static int make_without_leftovers(struct runs *r, const struct chess_plan *plan,
				  struct chess_run_result *out)
{
	struct chess_run_result again = { 0 };
	int ret;

	if (!session_private_tmp(r->s))
		return 0;
	ret = run_here(r->s, r->racing, plan, &again);
	if (ret || !ends_alike(out, &again) || !chess_runner_left_files(r->s->runner)) {
		session_shared_tmp(r->s);
		chess_run_result_clear(ret ? out : &again);
		return ret;
	}
	chess_run_result_clear(out);
	*out = again;
	cli_note("the first run left files in /tmp or /dev/shm: each run has these empty from here on (--private-tmp)");
	return r->pool ? start_anew(r) : 0;
}

/* The first run that is made, and not taken from a journal. */
static int make_first(struct runs *r, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct leftovers before = { 0 };
	int ret;

	r->made = true;
	if (leftovers_are_asked_for(r->s->argv))
		return make_now(r, plan, out);
	leftovers_note(&before);
	ret = make_now(r, plan, out);
	if (!ret && !chess_verdict_is_bug(out->verdict) && leftovers_are_more(&before))
		ret = make_without_leftovers(r, plan, out);
	leftovers_clear(&before);
	return ret;
}

/* Made now. In the journal before anybody looks at it. */
static int make(struct runs *r, const struct chess_plan *plan, struct chess_run_result *out)
{
	int ret = r->made ? make_now(r, plan, out) : make_first(r, plan, out);

	if (ret || !r->j || !chess_journal_add(r->j, plan, out))
		return ret;
	cli_note("note: %s; from here on the search cannot be continued if it is interrupted",
		 chess_error());
	r->j = NULL;
	return 0;
}

static int run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct runs *r = ctx;
	bool partial = r->pool;
	int ret;

	if (session_interrupted())
		return -EINTR;
	ret = r->j ? chess_journal_take(r->j, plan, out) : 0;
	partial |= ret > 0;
	ret = ret ? ret : make(r, plan, out);
	if (ret >= 0)
		ret = judge_deaths(r, plan, out);
	if (ret < 0)
		return ret;
	if (!partial || !out->record || !chess_verdict_is_bug(out->verdict) ||
	    !r->wanted(r->arg, out))
		return 0;
	ret = make_whole(r, plan, out);
	if (ret)
		chess_run_result_clear(out);
	return ret;
}

static void ahead(void *ctx, chess_peek *peek, void *search)
{
	struct runs *r = ctx;

	r->peek = peek;
	r->search = search;
	if (r->pool)
		r->jobs.ahead(r->jobs.ctx, peek, search);
}

struct chess_executor runs_executor(struct runs *r)
{
	return (struct chess_executor) { .run = run, .ctx = r, .ahead = ahead };
}
