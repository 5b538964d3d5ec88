// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See cut.h. Accesses of one task race where a handler of that task makes one of the two. A
 * handler that does not come back, but jumps, makes none: it takes away what its task would
 * have done next, and so do a cancellation at any instruction and a signal that ends the
 * process. And errno a handler changes by its system calls, whose library functions are not
 * looked at.
 *
 * run_races.c calls, and makes points of it.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "array.h"
#include "race/access_list.h"
#include "race/cut.h"
#include "hashset.h"
#include "internal.h"
#include "code/memcalls.h"
#include "code/wrappers.h"

#define BIT_OF(sig)	(1ULL << ((sig) - 1))
/* Handlers within each other; the module records no more. */
#define MAX_DEPTH	8
/* Words of so many bytes are looked at; a longer copy as its first and its last one. */
#define WORD		8
#define MAX_WORDS	64
/* The kernel's way to say that a call failed. */
#define MAX_ERRNO	4095
/* Between the errnos of two tasks. */
#define ERRNO_APART	16

/* Of one task, where the walk through the accesses is. */
struct task {
	uint8_t sig[MAX_DEPTH];		/* handlers it is in */
	uint64_t set[MAX_DEPTH];	/* what each of them blocks beside */
	unsigned int depth;
	uint64_t blocked;
	uint64_t jumps;			/* signals whose handlers jump out, in the whole run */
	size_t jumped;			/* the first that did began at this access */
	bool asynchronous;		/* may be cancelled at any instruction */
	bool killed;			/* by a signal that may come at any instruction */
};

struct walk {
	const struct chess_run_result *run;
	struct task *task;
	size_t tasks;
	size_t event;			/* the next one */
	uint64_t installed;		/* signals with handlers so far */
	bool cancels;			/* somebody calls pthread_cancel() */
	bool kills;			/* some task is killed */
	struct chess_hashset cut_short;	/* words accessed once a handler has jumped */
	/* By task: words that others access, see in_shared() */
	struct chess_hashset *of_others;
};

static int no_memory(const struct chess_run_result *run)
{
	return chess_set_error(ENOMEM, "no memory for %zu accesses", run->n_accesses);
}

static bool is_access(const struct chess_access *a)
{
	return !(a->kind & (CHESS_ACCESS_TOLD | CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED)) &&
	       a->kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE);
}

/* The signals that the C library keeps for itself are no program's. */
static bool is_programs_signal(uint32_t sig)
{
	return sig && sig <= 64 && sig != 32 && sig != 33;
}

static void begin_handler(struct task *t, const struct chess_access *a)
{
	if (t->depth == MAX_DEPTH)
		return;
	t->sig[t->depth] = a->site <= 64 ? a->site : 0;
	t->set[t->depth++] = a->address & ~t->blocked;
	t->blocked |= a->address;
}

/* Of one that jumped out siglongjmp() puts the mask back, which is recorded. */
static void end_handler(struct task *t, bool jumped)
{
	if (!t->depth)
		return;
	t->depth--;
	if (!jumped)
		t->blocked &= ~t->set[t->depth];
}

/* What an entry about a task says of its handlers and its mask. */
static void tell(struct walk *w, const struct chess_access *a)
{
	struct task *t = &w->task[a->task];

	switch (a->size) {
	case CHESS_TOLD_INSTALLED:
		if (is_programs_signal(a->site))
			w->installed |= BIT_OF(a->site);
		break;
	case CHESS_TOLD_OPENED:
		t->blocked &= ~a->address;
		break;
	case CHESS_TOLD_BLOCKED:
		t->blocked |= a->address;
		break;
	case CHESS_TOLD_HANDLER:
		begin_handler(t, a);
		break;
	case CHESS_TOLD_RETURNED:
	case CHESS_TOLD_JUMPED:
		end_handler(t, a->size == CHESS_TOLD_JUMPED);
		break;
	}
}

static bool is_call_of(const struct chess_event *e, const char *symbol)
{
	const struct chess_wrapper *f;

	if (e->type != CHESS_EVENT_POINT)
		return false;
	f = chess_wrapper_of(e);
	return f && !strcmp(f->symbol, symbol);
}

/*
 * Does @e end a task by a signal, other than those by which the kernel answers what the task did
 * itself? Its status is as waitpid() has it.
 */
static bool is_killed(const struct chess_event *e)
{
	if (e->type != CHESS_EVENT_EXIT && e->type != CHESS_EVENT_KILLED)
		return false;
	switch (WTERMSIG(e->object)) {
	case 0: case SIGSEGV: case SIGBUS: case SIGFPE: case SIGILL: case SIGTRAP: case SIGABRT:
	case SIGSYS: case SIGPIPE: case SIGXCPU: case SIGXFSZ:
		return false;
	}
	return true;
}

/* The events up to this one; @fn, where given, sees each. Stops where that says so. */
static int events_until(struct walk *w, uint32_t seq,
			int (*fn)(struct walk *w, const struct chess_event *e, void *arg),
			void *arg)
{
	const struct chess_event *e;
	int ret = 0;

	while (!ret && (e = chess_record_event(w->run->record, w->event)) && e->seq <= seq) {
		w->event++;
		/* Who asks for it asks for asynchronous; the second call takes that back. */
		if (e->task < w->tasks && is_call_of(e, "pthread_setcanceltype"))
			w->task[e->task].asynchronous = !w->task[e->task].asynchronous;
		if (fn && e->task < w->tasks)
			ret = fn(w, e, arg);
	}
	return ret;
}

static int begin_walk(struct walk *w, const struct chess_run_result *run)
{
	memset(w, 0, sizeof(*w));
	w->run = run;
	w->tasks = chess_record_tasks(run->record);
	w->task = calloc(w->tasks + 1, sizeof(*w->task));
	return w->task ? 0 : no_memory(run);
}

static void end_walk(struct walk *w)
{
	size_t i;

	for (i = 0; w->of_others && i < w->tasks; i++)
		chess_hashset_clear(&w->of_others[i]);
	free(w->of_others);
	chess_hashset_clear(&w->cut_short);
	free(w->task);
}

/* Back to the first access, with what is known of the whole run. */
static void rewind_walk(struct walk *w)
{
	size_t i;

	for (i = 0; i < w->tasks; i++)
		w->task[i] = (struct task) {
			.jumps = w->task[i].jumps, .jumped = w->task[i].jumped,
			.killed = w->task[i].killed,
		};
	w->event = 0;
	w->installed = 0;
}

/*
 * Which handlers jump, and which tasks may be cancelled or are killed?
 * Return: whether anything may be cut off.
 */
static bool look_for_cuts(struct walk *w)
{
	const struct chess_run_result *run = w->run;
	bool any = false, asynchronous = false;
	const struct chess_event *e;
	size_t i;

	for (i = 0; (e = chess_record_event(run->record, i)); i++) {
		w->cancels |= is_call_of(e, "pthread_cancel");
		asynchronous |= is_call_of(e, "pthread_setcanceltype");
		if (e->task < w->tasks && is_killed(e))
			w->kills = w->task[e->task].killed = true;
	}
	w->cancels &= asynchronous;
	for (i = 0; i < run->n_accesses; i++) {
		const struct chess_access *a = &run->accesses[i];
		struct task *t = &w->task[a->task];

		if (!(a->kind & CHESS_ACCESS_TOLD) || a->task >= w->tasks)
			continue;
		if (chess_access_tells(a, CHESS_TOLD_JUMPED) && t->depth &&
		    is_programs_signal(t->sig[t->depth - 1])) {
			if (!t->jumps)
				t->jumped = i;
			t->jumps |= BIT_OF(t->sig[t->depth - 1]);
			any = true;
		}
		tell(w, a);
	}
	rewind_walk(w);
	return any || w->cancels || w->kills;
}

/* Each word of an access; false ends it, by what @fn returned. */
static int each_word(const struct chess_access *a, int (*fn)(void *arg, uint64_t word), void *arg)
{
	uint64_t first = a->address / WORD, last = (a->address + a->size - !!a->size) / WORD, word;
	int ret = 0;

	if (last - first >= MAX_WORDS) {
		ret = fn(arg, first);
		return ret < 0 ? ret : fn(arg, last);
	}
	for (word = first; word <= last && ret >= 0; word++)
		ret = fn(arg, word);
	return ret;
}

static int add_word(void *arg, uint64_t word)
{
	return chess_hashset_add(arg, word);
}

/*
 * A process that is killed takes its memory along, but for what it shares: such accesses have the
 * same address in each process, and which memory it is of goes into the word. In @copy.
 */
static bool in_shared(const struct chess_access *a, struct chess_access *copy)
{
	*copy = *a;
	copy->address ^= (uint64_t)(a->memory + 1) << 48;
	return a->kind & CHESS_ACCESS_SHARED;
}

/* What others access, for those tasks that may be cut off by somebody. */
static int add_for_others(struct walk *w, const struct chess_access *a)
{
	struct chess_access shared;
	bool is_shared = in_shared(a, &shared);
	size_t k;
	int ret = 0;

	for (k = 0; k < w->tasks && ret >= 0; k++) {
		if (k == a->task)
			continue;
		if (w->cancels)
			ret = each_word(a, add_word, &w->of_others[k]);
		if (ret >= 0 && is_shared && w->task[k].killed)
			ret = each_word(&shared, add_word, &w->of_others[k]);
	}
	return ret;
}

/* Before the points are looked for: what may be found half done, and by whom. */
static int collect_words(struct walk *w)
{
	const struct chess_run_result *run = w->run;
	size_t i, k, first = SIZE_MAX;
	int ret = 0;

	for (k = 0; k < w->tasks; k++)
		if (w->task[k].jumps && w->task[k].jumped < first)
			first = w->task[k].jumped;
	if (w->cancels || w->kills) {
		w->of_others = calloc(w->tasks + 1, sizeof(*w->of_others));
		if (!w->of_others)
			return no_memory(run);
	}
	for (i = 0; i < run->n_accesses && ret >= 0; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (!is_access(a) || a->task >= w->tasks)
			continue;
		if (i > first)
			ret = each_word(a, add_word, &w->cut_short);
		if (ret >= 0 && w->of_others)
			ret = add_for_others(w, a);
	}
	return ret < 0 ? ret : 0;
}

static int has_word(void *arg, uint64_t word)
{
	/* As an error, so that the walk ends. */
	return chess_hashset_has(arg, word) ? -EEXIST : 0;
}

static bool has_any(struct chess_hashset *set, const struct chess_access *a)
{
	return each_word(a, has_word, set) == -EEXIST;
}

static bool may_be_left(const struct walk *w, const struct task *t)
{
	uint64_t open = t->jumps & w->installed & ~t->blocked;
	unsigned int i;

	for (i = 0; i < t->depth; i++)
		if (t->sig[i])
			open &= ~BIT_OF(t->sig[i]);
	return open;
}

static bool may_be_cut(struct walk *w, const struct chess_access *a)
{
	const struct task *t = &w->task[a->task];
	struct chess_access shared;

	if (may_be_left(w, t) && has_any(&w->cut_short, a))
		return true;
	if (w->cancels && t->asynchronous && has_any(&w->of_others[a->task], a))
		return true;
	return t->killed && in_shared(a, &shared) && has_any(&w->of_others[a->task], &shared);
}

static int add_site(struct chess_hashset *known, struct chess_cut_sites *out, uint32_t site)
{
	int ret = chess_hashset_add(known, site);

	if (ret <= 0)
		return ret;
	if (chess_array_room(&out->v, &out->room, out->n + 1, sizeof(*out->v)))
		return -ENOMEM;
	out->v[out->n++] = site;
	return 0;
}

int chess_cut_find(const struct chess_run_result *run,
		   bool (*is_programs)(void *arg, const struct chess_access *a), void *arg,
		   struct chess_cut_sites *out)
{
	struct chess_hashset known = { 0 };
	struct walk w;
	size_t i;
	int ret = begin_walk(&w, run);

	memset(out, 0, sizeof(*out));
	if (ret || !look_for_cuts(&w)) {
		end_walk(&w);
		return ret;
	}
	ret = collect_words(&w);
	for (i = 0; i < run->n_accesses && !ret; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (a->task >= w.tasks)
			continue;
		events_until(&w, a->seq, NULL, NULL);
		if (a->kind & CHESS_ACCESS_TOLD)
			tell(&w, a);
		else if (is_access(a) && a->kind & CHESS_ACCESS_WRITE && a->site &&
			 may_be_cut(&w, a) && is_programs(arg, a))
			ret = add_site(&known, out, a->site);
	}
	chess_hashset_clear(&known);
	end_walk(&w);
	if (ret) {
		free(out->v);
		memset(out, 0, sizeof(*out));
		return no_memory(run);
	}
	return 0;
}

/* The list that is being made. */
struct list {
	struct chess_access_list all;
	bool writes, reads;
};

static uint64_t errno_of(uint16_t task)
{
	return CHESS_ADDRESS_ERRNO + (uint64_t)task * ERRNO_APART;
}

static int add_failed(struct walk *w, const struct chess_event *e, void *arg)
{
	struct list *l = arg;

	if (e->type != CHESS_EVENT_POINT || e->flags & CHESS_OPF_PROBE || !w->task[e->task].depth ||
	    e->result >= 0 || e->result < -MAX_ERRNO)
		return 0;
	l->writes = true;
	return chess_access_list_push(&l->all, (struct chess_access) {
		.address = errno_of(e->task), .ip = e->ip, .size = sizeof(int), .seq = e->seq,
		.task = e->task, .kind = CHESS_ACCESS_WRITE,
	});
}

static int add_entry(struct walk *w, struct list *l, const struct chess_access *a)
{
	struct chess_access copy = *a;

	if (a->kind & CHESS_ACCESS_TOLD) {
		tell(w, a);
	} else if (a->address != CHESS_ADDRESS_ERRNO || !is_access(a)) {
		return 0;
	} else {
		l->reads |= !w->task[a->task].depth;
		copy.address = errno_of(a->task);
	}
	return chess_access_list_push(&l->all, copy);
}

int chess_cut_errno(const struct chess_run_result *run, struct chess_access **out, size_t *n)
{
	struct list l = { 0 };
	struct walk w;
	size_t i;
	int ret = 0;

	*out = NULL;
	*n = 0;
	if (!chess_accesses_tell(run, CHESS_TOLD_HANDLER))
		return 0;
	ret = begin_walk(&w, run);
	if (ret)
		return ret;
	for (i = 0; i < run->n_accesses && !ret; i++) {
		ret = events_until(&w, run->accesses[i].seq, add_failed, &l);
		if (!ret && run->accesses[i].task < w.tasks)
			ret = add_entry(&w, &l, &run->accesses[i]);
	}
	end_walk(&w);
	if (ret || !l.writes || !l.reads) {
		free(l.all.v);
		return ret ? no_memory(run) : 0;
	}
	*out = l.all.v;
	*n = l.all.n;
	return 0;
}
