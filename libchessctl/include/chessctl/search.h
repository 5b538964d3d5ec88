/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: the search over a program's schedules; several runs at a time; its journal;
 * and the smallest schedule that shows a bug.
 */
#ifndef CHESSCTL_API_SEARCH_H
#define CHESSCTL_API_SEARCH_H

#include <chessctl/api.h>
#include <chessctl/memo.h>
#include <chessctl/module.h>
#include <chessctl/record.h>
#include <chessctl/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* strategy.h / explore.c: the search. The engine asks an executor for runs, so
 * that units can drive it with a model instead of the kernel.
 */
/* The plan that the search will probably ask for @k runs after the next one; the results of
 * the runs before may change it. Fills in @plan, which is all zero and which the caller
 * frees. Returns 1; 0: it cannot predict that far; or -errno
 */
typedef int chess_peek(void *search, size_t k, struct chess_plan *plan);
struct chess_executor {
	int (*run)(void *ctx, const struct chess_plan *plan, struct chess_run_result *out);
	void *ctx;
	/* in place of chess_run_result_clear() when a result is of no more use, so that
	 * the next run can have its memory; may be NULL
	 */
	void (*drop)(void *ctx, struct chess_run_result *res);
	/* called before the first run, for executors that can make runs before they are asked
	 * for; and with NULL after the last one. May be NULL
	 */
	void (*ahead)(void *ctx, chess_peek *peek, void *search);
};
struct chess_racing;	/* <chessctl/races.h> */
/* Where a search is. */
struct chess_explore_progress {
	uint64_t runs;
	double seconds;
	unsigned int bound;
	unsigned int found;	/* bugs so far */
	double estimate;	/* see struct chess_explore_result */
	/* why reductions have left schedules out wrongly; NULL: nothing shows that they have */
	const char *flaw;
	uint64_t classes;	/* happens-before classes so far, if they are counted */
};
/* Ways of a search that need not be taken; docs/strategies.md says when that is sound. */
enum chess_reduction {
	CHESS_REDUCE_HB = 1,	/* they lead where the search has been (OSDI'08, 4.4.2) */
	CHESS_REDUCE_SLEEP = 2,	/* sleep sets */
	CHESS_REDUCE_YIELD = 4,	/* with HB: a yield does not order what others do */
	/* alone: they lead to a state of the program where the search has been; for
	 * executors that report it, see chess_record_push_state()
	 */
	CHESS_REDUCE_STATE = 8,
	/* alone: another schedule is run only where one shows that dependent operations can
	 * come in another order (POPL'14; with a bound OOPSLA'13)
	 */
	CHESS_REDUCE_DPOR = 16,
};
/**
 * enum chess_branch_cause - why the reduction dpor takes a branch
 * @CHESS_BRANCH_ORDER: to have two ops in the other order
 * @CHESS_BRANCH_CHOICE: a deadline or timer may pass, or it is chosen who is woken, or which thread
 *	takes a signal
 * @CHESS_BRANCH_END: the run ended while the task could continue
 * @CHESS_BRANCH_ASLEEP: the run went on as another one had
 */
enum chess_branch_cause {
	CHESS_BRANCH_ORDER, CHESS_BRANCH_CHOICE, CHESS_BRANCH_END, CHESS_BRANCH_ASLEEP,
};
/**
 * struct chess_branch - a branch that dpor takes
 * @record: of the run that shows it to be needed
 * @cause: with CHESS_BRANCH_ORDER what follows says more
 * @first: the point whose op comes after that of @second there, an index; CHESS_NO_EVENT: the
 *	task begins there
 * @second: the other one
 * @first_on_all: what @first does depends on everything
 * @second_on_all: the same of @second
 */
#define CHESS_NO_EVENT	((size_t)-1)
struct chess_branch {
	const struct chess_record *record;
	enum chess_branch_cause cause;
	size_t first, second;
	bool first_on_all, second_on_all;
};
struct chess_frontier;
struct chess_explore_opts {
	size_t sz;
	unsigned int bound;	/* of preemptions, or what else the strategy counts */
	const char *strategy;	/* NULL: "icb"; docs/strategies.md has the others */
	uint64_t max_runs;	/* 0: no limit, or the strategy's own */
	double max_seconds;	/* 0: no limit */
	uint64_t seed;
	bool keep_going;	/* continue after a bug */
	/* called after each run; return false to stop */
	bool (*progress)(void *arg, const struct chess_explore_progress *p);
	void *progress_arg;
	/* called for each run that shows a bug, before the next one; borrows the
	 * result. May run schedules of its own; returns 0, or -errno to end the search.
	 */
	int (*found)(void *arg, const struct chess_run_result *bad);
	void *found_arg;
	unsigned int depth;	/* pct: of the bug; 0: 3 */
	/* may a task be preempted at the point that is event @i? It must follow from the
	 * events up to there. NULL: at each. Only where chess_strategy_is_exhaustive().
	 */
	bool (*in_scope)(void *arg, const struct chess_record *r, size_t i);
	void *scope_arg;
	/* icb and dfs: no preemption at sync ops on objects that no tasks race for */
	bool skip_ordered;
	bool count_classes;	/* of the happens-before relation, see @classes below */
	/* how long the search has taken; NULL: since the call */
	double (*seconds)(void *arg);
	void *seconds_arg;
	unsigned int reduce;	/* enum chess_reduction; 0: every schedule is run */
	/* hold: at whose points tasks are held; what was done is noted there, so that
	 * another search for the same program does the rest
	 */
	struct chess_racing *racing;
	/* no way at which a deadline or timer passes before its time; the executor has to
	 * see to it that policies take none
	 */
	bool no_early;
	/* called for each branch that is left out because its prefix leads elsewhere, with the
	 * last run of it; borrows both. May run schedules of its own; returns 0, or -errno to end
	 * the search
	 */
	int (*left)(void *arg, const struct chess_plan *plan, const struct chess_run_result *run);
	void *left_arg;
	/* when @bound is done, larger ones are searched as long as the search has made fewer
	 * runs than this, those by chance not counted; 0: none is. The result has the last bound
	 * that was finished; a limit in a larger one than @bound does not make it incomplete
	 */
	uint64_t grow_runs;
	/* called for each branch that dpor takes, within the bound; not for those of the search
	 * without a bound that goes along with turns
	 */
	void (*branch)(void *arg, const struct chess_branch *b);
	void *branch_arg;
	/* dpor: runs that are predicted are made all the same, and compared with that */
	bool check_predicted;
	/*
	 * who remembers iRoots beyond this search; NULL: nobody. Strategies maple, rff and auto
	 * make use of it; what runs of the others expose is only noted. Needs @racing
	 */
	const struct chess_memo *memo;
	/*
	 * iRoots: so many points of a task at most lie between its two accesses (the paper's
	 * vulnerability window); 0: CHESS_IROOT_WINDOW
	 */
	unsigned int iroot_window;
	/*
	 * A part of a search. @from: where it begins, what another search has left; NULL: at the
	 * root. @rest: empty; gets what is not run when the search ends early; NULL: nobody wants
	 * it. Only where chess_strategy_has_parts(), without skip_ordered and dpor
	 */
	const struct chess_frontier *from;
	struct chess_frontier *rest;
	/*
	 * the search ends early once so many prefixes wait, or half as many of a short one, after
	 * so many runs; 0: it does not
	 */
	uint64_t enough, enough_runs;
	unsigned int levels;	/* it ends before bound @levels; 0: no level ends it */
	/* called at the end with the numbers of the happens-before classes; may be NULL */
	void (*each_class)(void *arg, const uint64_t *number, size_t n);
	void *class_arg;
};
/* Why a branch that a run could have taken was not taken. New entries go at the end. */
enum chess_left_out {
	CHESS_LEFT_OUT_DIVERGED,	/* its prefix could not be followed */
	CHESS_LEFT_OUT_RECORD,	/* after a run whose record is not the whole run */
	CHESS_LEFT_OUT_LIMIT,	/* the search was stopped; how many prefixes waited */
	CHESS_LEFT_OUT_SCOPE,	/* a preemption out of scope */
	CHESS_LEFT_OUT_ORDERED,	/* a preemption before an op that no task races with */
	CHESS_LEFT_OUT_HB,	/* it leads where the search has been */
	CHESS_LEFT_OUT_SLEEP,	/* it begins with a task that sleeps */
	CHESS_LEFT_OUT_UNSOUND,	/* for a reduction that turned out to be wrong */
	CHESS_LEFT_OUT_STATE,	/* it leads to a state in which the search has been */
	CHESS_LEFT_OUT_FORCED,	/* runs in which the module took schedules away */
	CHESS_LEFT_OUT_CAUSES,
};
/* "diverged", ..; NULL: there is no such cause */
CHESS_API const char *chess_left_out_name(enum chess_left_out cause);
/* may a result be "ok" although ways were left out for this? It says no more than before */
CHESS_API bool chess_left_out_may_be_ok(enum chess_left_out cause);
/* No estimate is larger; one that is this large says no more than that. */
#define CHESS_ESTIMATE_MAX	1e37
/* Idioms of iRoots (Maple, OOPSLA'12, section 2), which are numbered from 1. */
#define CHESS_IDIOMS	5
/* The paper counts instructions, and takes 1,000. */
#define CHESS_IROOT_WINDOW	30
/* Strategies that auto consists of. */
#define CHESS_SHARES	5
struct chess_explore_result {
	enum chess_verdict verdict;	/* first bug, else ok or incomplete */
	bool complete;
	unsigned int bound;		/* last bound that was searched to its end, or in work */
	uint64_t runs;
	uint64_t diverged;	/* branches pruned: their prefix could not be followed, see why */
	uint64_t retries;	/* runs beyond @runs, of prefixes that were not followed at once */
	unsigned int bugs;
	double seconds;
	struct chess_run_result bad;	/* of the first bug; record NULL if none */
	size_t max_points, max_tasks;
	char *why;		/* of the first run that was incomplete or pruned; or NULL */
	/* how many runs the whole search takes, guessed from those so far; its number of
	 * runs once it is complete; 0: not known, or the strategy never ends
	 */
	double estimate;
	bool stopped;		/* by a limit or by the user: there may be more to run */
	/* [N]: runs with N preemptions, as the strategy counts them; they add up to @runs
	 * without @chance_runs, which are those by chance beside a strategy that counts
	 */
	uint64_t chance_runs;
	uint64_t *runs_at;
	size_t n_runs_at;
	uint64_t classes;	/* different orders of dependent ops in all runs; 0: not counted */
	uint64_t left_out[CHESS_LEFT_OUT_CAUSES];
	uint64_t expected_runs;	/* in which a process died of a signal, as was expected */
	uint64_t watchdog_runs;	/* with a deadline that was taken for a watchdog's */
	/* maple: by idiom, how many iRoots are known, and how many of them some run exposed */
	uint64_t iroots[CHESS_IDIOMS], iroots_exposed[CHESS_IDIOMS];
	/*
	 * turns: of @chance_runs, those of delay bounding, and how many bounds of delays are done,
	 * from 0 on
	 */
	uint64_t delay_runs;
	unsigned int delay_levels;
	/* turns: of @chance_runs, those of a search without a bound; that has run every schedule */
	uint64_t unbounded_runs;
	bool unbounded;
	/*
	 * dpor: schedules that were not run, as the order of their dependent operations is that of
	 * a run, from which it follows what they would do
	 */
	uint64_t predicted;
	/*
	 * maple: by idiom, of @iroots_exposed, those that only other searches exposed; and of the
	 * others, those that are not tried again, see CHESS_MEMO_GIVE_UP
	 */
	uint64_t iroots_before[CHESS_IDIOMS], iroots_given_up[CHESS_IDIOMS];
	/*
	 * rff: reads-from pairs that runs showed; of them, those through the kernel; with those
	 * that another schedule may show; and plans that were kept since they showed new ones
	 */
	uint64_t pairs, pairs_kernel, pairs_known, plans_kept;
	/*
	 * auto: it was that; and by part, see chess_share_name(), its runs, and the happens-before
	 * classes and iRoots that they were the first to show
	 */
	bool shared;
	uint64_t share_runs[CHESS_SHARES];
	uint64_t share_classes[CHESS_SHARES], share_iroots[CHESS_SHARES];
};
/*
 * frontier.c: the prefixes that wait, of a search that ended early. Other searches for the same
 * program, also elsewhere, run them: each in one search, and all schedules are run once.
 */
CHESS_API struct chess_frontier *chess_frontier_new(void);
CHESS_API void chess_frontier_free(struct chess_frontier *f);
/* how many wait */
CHESS_API uint64_t chess_frontier_count(const struct chess_frontier *f);
/* their share of the whole search, as far as can be estimated; 1 is all of it */
CHESS_API double chess_frontier_weight(const struct chess_frontier *f);
/* the fewest preemptions (or what else the strategy counts) of any */
CHESS_API unsigned int chess_frontier_level(const struct chess_frontier *f);
/* @more as well; 0 or -ENOMEM */
CHESS_API int chess_frontier_append(struct chess_frontier *f, const struct chess_frontier *more);
/* into @n empty ones, of about equal weight, level by level; 0 or -ENOMEM */
CHESS_API int chess_frontier_split(const struct chess_frontier *f, struct chess_frontier **out,
			size_t n);
/* as bytes, malloc'ed, the same on each machine; 0 or -ENOMEM */
CHESS_API int chess_frontier_pack(const struct chess_frontier *f, unsigned char **bytes, size_t *n);
/* NULL and errno with a sentence: EBADMSG, it is not what chess_frontier_pack() makes */
CHESS_API struct chess_frontier *chess_frontier_unpack(const unsigned char *bytes, size_t n);
/* can a search with it be cut into parts? */
CHESS_API bool chess_strategy_has_parts(const char *strategy);
/* the names of all strategies, as "a, b, c" */
CHESS_API const char *chess_strategies(void);
/* the strategy that part @part of auto is, from 0; NULL after the last one */
CHESS_API const char *chess_share_name(unsigned int part);
/* what its bound is a number of, in singular; NULL: it has none, or there is no such one */
CHESS_API const char *chess_strategy_counts(const char *strategy);
/* can a search with it end with every schedule run? NULL is the default */
CHESS_API bool chess_strategy_is_exhaustive(const char *strategy);
/*
 * Can chess_explore() be asked for this? Nothing is run and nothing is needed but
 * @o, so a caller learns it before it prepares a machine. 0, or -EINVAL with the
 * sentence chess_explore() would fail with.
 */
CHESS_API int chess_explore_check(const struct chess_explore_opts *o);
CHESS_API int chess_explore(const struct chess_executor *x, const struct chess_explore_opts *o,
			    struct chess_explore_result *out);
CHESS_API void chess_explore_result_clear(struct chess_explore_result *res);

/*
 * pool.c: an executor that makes several runs at a time, in processes of its own; what
 * comes of a search is the same. Results have no waits, no maps and no output: a run
 * whose report needs them is to be made again.
 */
struct chess_pool;
struct chess_pool_opts {
	size_t sz;
	unsigned int jobs;	/* processes */
	/* in process number @worker, when it has its first run to make: fill in *x. 0 or
	 * -errno with chess_error()
	 */
	int (*open)(void *arg, unsigned int worker, struct chess_executor *x);
	/* in the process, before it ends, if it was opened. It may have got a SIGTERM,
	 * which asks to end the run that it makes with -EINTR. May be NULL
	 */
	void (*close)(void *arg, unsigned int worker);
	/* asked while runs are waited for: end with -EINTR? May be NULL */
	bool (*interrupted)(void *arg);
	void *arg;
};
CHESS_API struct chess_pool *chess_pool_new(const struct chess_pool_opts *o);
CHESS_API void chess_pool_free(struct chess_pool *pool);
CHESS_API struct chess_executor chess_pool_executor(struct chess_pool *pool);

/*
 * journal.c: the runs of a search in a file, so that a search that was killed can be
 * continued. A search that is started again with the same options asks for the same runs;
 * those of the journal are taken from there, and new ones are added after the last.
 */
struct chess_journal;
/* a new file; @about ends with NULL. 0, -EEXIST (no sentence) or -errno */
CHESS_API int chess_journal_create(const char *path, char *const *about);
/* NULL, errno and a sentence: EBUSY another process has it open, EINVAL not a journal,
 * EPROTONOSUPPORT of another version, EBADMSG damaged. Flushed when it is closed.
 */
CHESS_API struct chess_journal *chess_journal_open(const char *path);
CHESS_API void chess_journal_close(struct chess_journal *j);
CHESS_API char *const *chess_journal_about(const struct chess_journal *j);
/* what chess_journal_note() was given before it was opened; ends with NULL */
CHESS_API char *const *chess_journal_notes(const struct chess_journal *j);
CHESS_API uint64_t chess_journal_runs(const struct chess_journal *j);
/* its last block had not been written to the end; those runs are lost */
CHESS_API bool chess_journal_was_cut(const struct chess_journal *j);
/* how long runs may wait to be written; 250 ms */
CHESS_API void chess_journal_set_pause(struct chess_journal *j, unsigned int ms);
/* of the search: at the run that was taken last, else until now */
CHESS_API double chess_journal_seconds(const struct chess_journal *j);
/* 1: *@out is the next run of the journal; 0: there is none; -errno, -ESTALE: it was made
 * under another plan
 */
CHESS_API int chess_journal_take(struct chess_journal *j, const struct chess_plan *plan,
			struct chess_run_result *out);
/* only when no run is left to take. 0 or -errno: then no more may be added */
CHESS_API int chess_journal_add(struct chess_journal *j, const struct chess_plan *plan,
			const struct chess_run_result *res);
CHESS_API int chess_journal_flush(struct chess_journal *j);
/* is in the file when this returns 0, and so are all runs before */
CHESS_API int chess_journal_note(struct chess_journal *j, const char *text);

/* shrink.c: the smallest schedule that shows the bug of a failing one. Size counts in
 * this order: fewest preemptions, then context switches, then points.
 */
struct chess_shrink_size {
	size_t preemptions;
	size_t switches;	/* the token went to another task */
	size_t points;
	size_t choices;		/* decisions that are not the default's */
};
CHESS_API struct chess_shrink_size chess_shrink_size_of(const struct chess_record *r);
struct chess_shrink_opts {
	size_t sz;
	uint64_t max_runs;	/* 0: no limit */
	double max_seconds;	/* 0: no limit */
	/* called after each run; stage is "drop", "search", "select" or "move" */
	void (*progress)(void *arg, const char *stage, uint64_t runs, double seconds,
			 const struct chess_shrink_size *best);
	void *progress_arg;
	/* choices are taken away, and no other schedules are looked for */
	bool drop_only;
};
struct chess_shrink_result {
	struct chess_run_result best;	/* the smallest run; the one given, if none is smaller */
	struct chess_shrink_size before, after;
	uint64_t runs;
	double seconds;
	bool fewest;		/* no schedule with fewer preemptions shows the bug */
	bool smallest;		/* nor does a smaller one with as many: all were run */
	bool one_minimal;	/* no choice of it can be taken away alone */
	bool moves_done;	/* nor put elsewhere alone, for a smaller one */
	bool selected;		/* no selection of the choices given has fewer preemptions */
	bool interrupted;
};
CHESS_API int chess_shrink(const struct chess_executor *x, const struct chess_record *failing,
			   const struct chess_shrink_opts *o, struct chess_shrink_result *out);
CHESS_API void chess_shrink_result_clear(struct chess_shrink_result *res);

/**
 * struct chess_pair - the critical pair: two steps in one order, and the run fails; in the other,
 *	and it passes
 * @failing: the run that fails; owned by the pair, as is the next
 * @passing: the run that passes; both are equal up to event @at
 * @at: index of the event at which they part. Two tasks could run there
 * @first: the task whose step comes first in @failing
 * @second: the one whose step comes first in @passing
 * @first_seq: number of the point that @first stands at there; 0: it is about to start
 * @second_seq: the same of @second
 * @runs: that were made to find it
 */
struct chess_pair {
	struct chess_run_result failing, passing;
	size_t at;
	uint16_t first, second;
	uint32_t first_seq, second_seq;
	uint64_t runs;
};
CHESS_API int chess_pair_find(const struct chess_executor *x, const struct chess_record *failing,
			      size_t at, struct chess_pair *out);
CHESS_API void chess_pair_clear(struct chess_pair *p);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_SEARCH_H */
