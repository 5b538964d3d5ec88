// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What one run shows: pairs of instructions that raced, and atomic instructions that should
 * be points. It is all that a search needs of a run's accesses, and takes a thousandth of
 * their room: workers send it in their place, and journals keep it. racing.c puts it
 * together with that of other runs.
 *
 * Atomic instructions do not race, but which of them comes first may matter as much. They
 * are points where two of them, one of which writes, would race if they were plain moves:
 * one that no other task uses, or that comes under a lock, is none (CHESS, OSDI'08, 4.4.1).
 *
 * Nor is it seen how the C library writes its own variables, but programs read them: what
 * gmtime() or getpwnam() returned. Where two tasks do so and nothing orders them each may
 * find what a call by the other one left there, so both reads are points, and no race. Where
 * one reads, and another one calls such a function, the read is a point (returned.c).
 *
 * Buffers that read() and the like fill in are the kernel's to write, at a time that is not
 * known, and what write() is given may not be read to its end. The call and unordered accesses
 * to the buffer are points, and no race.
 *
 * A fork copies all streams, and the end of a process flushes them (streams.c). What a task does on
 * the stack of another one may come after the function there has returned (frames.c). A clock goes
 * on from one reading to the next (readings.c). And where a task may be cut off, or a handler may
 * change errno, cut.c says.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "race/access_list.h"
#include "race/cut.h"
#include "race/frames.h"
#include "race/freed.h"
#include "code/image.h"
#include "code/memcalls.h"
#include "internal.h"
#include "mix.h"
#include "race/race.h"
#include "race/racing.h"
#include "race/readings.h"
#include "race/retired.h"
#include "race/returned.h"
#include "race/streams.h"
#include "race/sync_words.h"
#include "race/unseen.h"

#define ATOMIC_UPDATE	(CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC)

/* Of the first page: nobody maps it. */
#define LOWEST_ADDRESS	0x1000

void chess_run_races_free(struct chess_run_races *r)
{
	if (!r)
		return;
	free(r->pair);
	free(r->site);
	free(r->retired);
	free(r);
}

void chess_racing_types_clear(struct chess_racing_types *t)
{
	free(t->maps);
	free(t->variables);
	chess_atomics_clear(&t->atomics);
	memset(t, 0, sizeof(*t));
}

static void know_library(struct chess_racing_types *t, const struct chess_image *image)
{
	const char *base = strrchr(image->path, '/') + 1;

	if ((!strncmp(base, "libc.so", 7) || !strncmp(base, "libc-", 5)) && !t->library_end &&
	    chess_image_variables(image, &t->library, &t->library_end)) {
		t->standard_input = chess_image_symbol(image, "_IO_2_1_stdin_");
		t->standard_output = chess_image_symbol(image, "_IO_2_1_stdout_");
	}
}

static void know_consoles(struct chess_racing_types *t, const struct chess_image *image)
{
	static const char *const names[CHESS_CONSOLES] = {
		"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin",
	};
	size_t i;

	for (i = 0; i < CHESS_CONSOLES; i++)
		if (!t->console[i])
			t->console[i] = chess_image_symbol(image, names[i]);
}

/* The program comes first: it may have copies of what it names of C++'s library. */
static void know_images(struct chess_racing_types *t, const char *maps)
{
	struct chess_image image;
	bool is_program = true;

	for (; (maps = chess_image_next(maps, &image)); is_program = false) {
		know_library(t, &image);
		if (is_program || strstr(image.path, "libstdc++"))
			know_consoles(t, &image);
	}
}

/* It is the same files in every run. */
static int know_types(struct chess_racing_types *t, const char *maps)
{
	if (!maps || (t->maps && !strcmp(t->maps, maps)))
		return 0;
	chess_racing_types_clear(t);
	t->maps = strdup(maps);
	know_images(t, maps);
	return chess_atomics_of_process(maps, &t->atomics);
}

/*
 * What is known of the accesses of a run; @left: some are left out where races are looked for;
 * @kind: of each of the @n accesses from @first on, once all of that is known: many passes ask
 */
struct known {
	const struct chess_racing_types *types;
	struct chess_sync_words words;
	bool left;
	const struct chess_access *first;
	uint8_t *kind;
	size_t n;
};

static bool is_in_library(const struct known *k, const struct chess_access *a)
{
	return a->address - k->types->library < k->types->library_end - k->types->library;
}

/*
 * Of stdout and stderr, which are variables of the C library, only users see which task was
 * first. Their locks would order all tasks that print something, for no other reason.
 */
static bool is_standard_output(const struct known *k, const struct chess_access *a)
{
	return a->kind & CHESS_ACCESS_ATOMIC && is_in_library(k, a) &&
	       a->address != k->types->standard_input;
}

/* An argument that may be NULL; those in shared memory count from where that begins. */
static bool is_nowhere(const struct chess_access *a)
{
	return a->address < LOWEST_ADDRESS && !(a->kind & CHESS_ACCESS_SHARED);
}

/* Calls with an effect that no other task reads in memory. */
static bool is_apart(const struct chess_access *a)
{
	return chess_is_reading(a) ||
	       (a->address == CHESS_ADDRESS_OUTPUT && chess_access_is_perhaps(a));
}

static bool is_buffer(const struct known *k, const struct chess_access *a)
{
	(void)k;
	return chess_access_is_perhaps(a) && !is_nowhere(a) && !is_apart(a);
}

/* Likewise; these may be shared, and other streams of C++ may not. */
static bool is_console(const struct known *k, const struct chess_access *a)
{
	size_t i;

	for (i = 0; i < CHESS_CONSOLES; i++)
		if (a->address && a->address == k->types->console[i])
			return true;
	return false;
}

static bool is_left(const struct known *k, const struct chess_access *a)
{
	return is_buffer(k, a) || is_nowhere(a) || is_standard_output(k, a) || is_console(k, a) ||
	       is_apart(a);
}

static bool any_left(const struct known *k, const struct chess_run_result *run)
{
	size_t i;

	for (i = 0; i < run->n_accesses; i++)
		if (is_left(k, &run->accesses[i]))
			return true;
	return false;
}

static uint8_t find_kind(const struct known *k, const struct chess_access *a)
{
	const struct chess_atomics *atomics = &k->types->atomics;
	uint8_t kind = chess_sync_words_kind(&k->words, a);

	if (k->left && is_left(k, a))
		return kind & ~(CHESS_ACCESS_READ | CHESS_ACCESS_WRITE | CHESS_ACCESS_ATOMIC);
	if (kind & CHESS_ACCESS_ATOMIC || !(kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE)))
		return kind;
	if (chess_atomics_has(atomics, a->address, a->size) || chess_atomics_at(atomics, a->ip))
		kind |= CHESS_ACCESS_ATOMIC;
	return kind;
}

static int know_kinds(struct known *k, const struct chess_run_result *run)
{
	size_t i;

	k->kind = malloc(run->n_accesses + 1);
	if (!k->kind)
		return chess_set_error(ENOMEM, "no memory for %zu accesses", run->n_accesses);
	for (i = 0; i < run->n_accesses; i++)
		k->kind[i] = find_kind(k, &run->accesses[i]);
	k->first = run->accesses;
	k->n = run->n_accesses;
	return 0;
}

/* @a may be of a copy. */
static uint8_t kind_of(const struct known *k, const struct chess_access *a)
{
	uintptr_t at = (uintptr_t)a - (uintptr_t)k->first;

	return at / sizeof(*a) < k->n ? k->kind[at / sizeof(*a)] : find_kind(k, a);
}

static uint8_t ask_kind(void *arg, const struct chess_access *a)
{
	return kind_of(arg, a);
}

static struct chess_race_piece piece_of(const struct chess_access *all,
					const struct chess_race *race)
{
	struct chess_race_piece p = {
		.allocated_number = race->allocated, .freed_number = race->freed,
	};

	if (race->allocated)
		p.allocated = all[race->allocated - 1];
	if (race->freed)
		p.freed = all[race->freed - 1];
	return p;
}

/* Without it accesses need no copy, which may be large. */
static bool is_known(const struct known *k)
{
	return k->words.first_site || k->types->atomics.n || k->types->atomics.n_code ||
	       k->left;
}

/* realloc() is a free() in reports and traces. */
static struct chess_access told(const struct chess_access *a)
{
	struct chess_access copy = *a;

	if (a->kind & CHESS_ACCESS_FRESH)
		copy.kind = CHESS_ACCESS_FRESH;
	return copy;
}

/*
 * A thread that ends has the heap free its cache, and the next one of that arena is given
 * the same piece without a call that is seen. See misuse.c.
 */
static bool is_heaps_own(const struct chess_run_result *run, const struct chess_race *race)
{
	const struct chess_access *a = run->accesses;

	return run->heap_calls_itself && chess_is_free(&a[race->first]) &&
	       chess_is_free(&a[race->second]) &&
	       chess_freed_is_ending(a, run->n_accesses, race->first) &&
	       chess_freed_is_ending(a, run->n_accesses, race->second);
}

/* Several passes see the same accesses: what one forgot is not counted again. */
static void note_missed(struct chess_run_races *out, const struct chess_races *races)
{
	if (out->forgotten < races->forgotten)
		out->forgotten = races->forgotten;
	out->dropped += races->dropped;
}

static int find_pairs(struct known *k, const struct chess_run_result *run,
		      struct chess_run_races *out)
{
	const struct chess_race_opts o = { .kind = is_known(k) ? ask_kind : NULL, .arg = k };
	struct chess_races races;
	size_t i;
	int ret = chess_races_find(run->record, run->accesses, run->n_accesses, &o, &races);

	if (ret)
		return ret;
	note_missed(out, &races);
	out->pair = calloc(races.n + 1, sizeof(*out->pair));
	if (!out->pair)
		ret = chess_set_error(ENOMEM, "no memory for %zu races", races.n);
	for (i = 0; !ret && i < races.n; i++) {
		const struct chess_race *race = &races.v[i];

		if (is_heaps_own(run, race))
			continue;
		out->pair[out->n_pairs++] = (struct chess_racing_pair) {
			.first = told(&run->accesses[race->first]),
			.second = told(&run->accesses[race->second]),
			.address = race->address, .size = race->size,
			.number = { race->first + 1, race->second + 1 },
			.piece = piece_of(run->accesses, race),
			.beside_atomic = race->beside_atomic,
		};
	}
	free(races.v);
	return ret;
}

static int keep_sites(const struct chess_access *a, const struct chess_races *races,
		      struct chess_run_races *out)
{
	size_t i, n = out->n_sites + 2 * races->n;
	uint32_t *site = realloc(out->site, (n + 1) * sizeof(*site));

	if (!site)
		return chess_set_error(ENOMEM, "no memory for points");
	out->site = site;
	for (i = 0; i < races->n; i++) {
		out->site[out->n_sites++] = a[races->v[i].first].site;
		out->site[out->n_sites++] = a[races->v[i].second].site;
	}
	return 0;
}

static bool is_point(const struct known *k, const struct chess_access *a)
{
	uint8_t kind = kind_of(k, a);

	return kind & CHESS_ACCESS_ATOMIC && !(kind & CHESS_ACCESS_ORDERS);
}

static bool is_librarys(const struct known *k, const struct chess_access *a)
{
	return is_in_library(k, a) && kind_of(k, a) & CHESS_ACCESS_READ;
}

/* Some of the accesses, for which most others are left out. */
struct part {
	bool (*has)(const struct known *k, const struct chess_access *a);
	uint8_t less, more;	/* of their kinds */
	uint8_t own;		/* kinds that are recorded of them, although they are left out */
	bool whole;		/* the others are not left out */
};

/* As if they were plain moves, which order nothing. */
static const struct part atomics = { .has = is_point, .less = CHESS_ACCESS_ATOMIC };
/* As if they wrote. */
static const struct part librarys = { .has = is_librarys, .more = CHESS_ACCESS_WRITE };
/* As if they were written or read at the call. */
static const struct part buffers = {
	.has = is_buffer, .own = CHESS_ACCESS_READ | CHESS_ACCESS_WRITE, .whole = true,
};

/* What tasks do to one word: @shared, more than one of them. */
struct touched {
	uint64_t word;
	uint16_t task;
	bool used, shared, written, plain;
};

/* So many words are looked at before the search for races, which needs to know more of each. */
#define TOUCHED		512
#define TOUCHED_MAX	(TOUCHED / 2)

static bool touch(struct touched *table, uint64_t word, const struct chess_access *a)
{
	size_t at = chess_mix(0, word) % TOUCHED;
	struct touched *t;

	while (table[at].used && table[at].word != word)
		at = (at + 1) % TOUCHED;
	t = &table[at];
	if (!t->used)
		*t = (struct touched) { .word = word, .task = a->task, .used = true };
	t->shared |= t->task != a->task;
	t->written |= a->kind & CHESS_ACCESS_WRITE;
	t->plain |= !(a->kind & CHESS_ACCESS_ATOMIC);
	return t->shared && t->written && t->plain;
}

/*
 * May two of them race, if what is freed does not count? Of a run of a small program few words are
 * used by two tasks, and to see that takes less than to find what orders what. A handler is a task
 * of its own there, and a process that was forked reads what its parent had.
 */
static bool may_race(const struct chess_access *a, size_t n)
{
	struct touched table[TOUCHED] = { 0 };
	size_t i, words = 0;

	for (i = 0; i < n; i++) {
		uint64_t word = a[i].address >> 3, last = (a[i].address + a[i].size - 1) >> 3;

		if (a[i].kind & CHESS_ACCESS_TOLD) {
			if (chess_access_tells(&a[i], CHESS_TOLD_HANDLER) ||
			    chess_access_tells(&a[i], CHESS_TOLD_COPIED))
				return true;
			continue;
		}
		if (!a[i].size || a[i].kind & (CHESS_ACCESS_FRESH | CHESS_ACCESS_ALLOCATED) ||
		    !(a[i].kind & (CHESS_ACCESS_READ | CHESS_ACCESS_WRITE)))
			continue;
		if (last < word || last - word >= TOUCHED_MAX - words)
			return true;
		words += last - word + 1;
		for (; word <= last; word++)
			if (touch(table, word, &a[i]))
				return true;
	}
	return false;
}

/* Points are what races in @all, which is freed; NULL: nothing. */
static int keep_all(const struct chess_run_result *run, struct chess_access *all, size_t n,
		    const struct chess_race_opts *o, struct chess_run_races *out)
{
	struct chess_races races = { 0 };
	bool may = all && (!o->no_frees || may_race(all, n));
	int ret = may ? chess_races_find(run->record, all, n, o, &races) : 0;

	note_missed(out, &races);
	if (!ret && races.n)
		ret = keep_sites(all, &races, out);
	free(races.v);
	free(all);
	return ret;
}

static int find_points(const struct known *k, const struct part *part,
		       const struct chess_run_result *run, struct chess_run_races *out)
{
	struct chess_access *plain = NULL;
	/* A count of references is there so that free() comes after it. */
	const struct chess_race_opts o = { .no_frees = true };
	size_t i, n = 0, wanted = 0;

	for (i = 0; i < run->n_accesses; i++)
		wanted += part->has(k, &run->accesses[i]);
	if (wanted)
		plain = malloc((run->n_accesses + 1) * sizeof(*plain));
	if (!plain)
		return wanted ? chess_set_error(ENOMEM, "no memory for %zu accesses",
						run->n_accesses) : 0;
	for (i = 0; i < run->n_accesses; i++) {
		uint8_t kind = kind_of(k, &run->accesses[i]);

		if (part->has(k, &run->accesses[i]))
			kind = (kind & ~part->less) | part->more |
			       (run->accesses[i].kind & part->own);
		else if (!part->whole && !chess_access_goes_with_each(kind))
			continue;
		plain[n] = run->accesses[i];
		plain[n++].kind = kind;
	}
	return keep_all(run, plain, n, &o, out);
}

static enum chess_returned_use use_returned(void *arg, const struct chess_access *a,
					    uint8_t *kind)
{
	const struct known *k = arg;

	*kind = kind_of(k, a);
	if (is_librarys(k, a))
		return CHESS_RETURNED_READ;
	return chess_access_goes_with_each(*kind) ? CHESS_RETURNED_KEEP : CHESS_RETURNED_SKIP;
}

/* What the program reads of the library, where another task calls what may overwrite it. */
static int find_returned(struct known *k, const struct chess_run_result *run,
			 struct chess_run_races *out)
{
	const struct chess_race_opts o = { .no_frees = true };
	struct chess_access *all;
	uint64_t dropped;
	size_t n;
	int ret = chess_returned_find(run, use_returned, k, &all, &n, &dropped);

	if (ret)
		return ret;
	out->dropped += dropped;
	return keep_all(run, all, n, &o, out);
}

/* What another task does in frames that may have ended. */
static int find_in_frames(struct known *k, const struct chess_run_result *run,
			  struct chess_run_races *out)
{
	const struct chess_race_opts o = { 0 };
	struct chess_access *all;
	size_t n;
	int ret = chess_frames_find(run, ask_kind, k, &all, &n);

	return ret ? ret : keep_all(run, all, n, &o, out);
}

/* What another task does to streams that a process copies, or flushes, all at a time. */
static int find_in_streams(struct known *k, const struct chess_run_result *run,
			   struct chess_run_races *out)
{
	const struct chess_race_opts o = { .no_frees = true };
	struct chess_access *all;
	uint64_t dropped;
	size_t n;
	int ret = chess_streams_find(run, ask_kind, k, &all, &n, &dropped);

	if (ret)
		return ret;
	out->dropped += dropped;
	return keep_all(run, all, n, &o, out);
}

static bool is_programs(void *arg, const struct chess_access *a)
{
	return !(kind_of(arg, a) & CHESS_ACCESS_ORDERS);
}

/* As pairs of one. */
static int keep_single(const struct chess_cut_sites *cuts, struct chess_run_races *out)
{
	uint32_t *site = realloc(out->site, (out->n_sites + 2 * cuts->n + 1) * sizeof(*site));
	size_t i;

	if (!site)
		return chess_set_error(ENOMEM, "no memory for points");
	out->site = site;
	for (i = 0; i < cuts->n; i++) {
		out->site[out->n_sites++] = cuts->v[i];
		out->site[out->n_sites++] = cuts->v[i];
	}
	return 0;
}

/* Which of several tasks reads a clock first. */
static int find_readings(struct known *k, const struct chess_run_result *run,
			 struct chess_run_races *out)
{
	const struct chess_race_opts o = { .no_frees = true };
	uint32_t site = CHESS_SITE_READINGS;
	const struct chess_cut_sites some = { .v = &site, .n = 1 };
	struct chess_access *all;
	bool left;
	size_t n;
	int ret = chess_readings_find(run, ask_kind, k, &all, &n, &left);

	if (!ret && left)
		ret = keep_single(&some, out);
	if (!ret)
		return keep_all(run, all, n, &o, out);
	free(all);
	return ret;
}

static int find_cuts(struct known *k, const struct chess_run_result *run,
		     struct chess_run_races *out)
{
	const struct chess_race_opts o = { .no_frees = true };
	struct chess_access *of_errno;
	struct chess_cut_sites cuts;
	size_t n;
	int ret = chess_cut_find(run, is_programs, k, &cuts);

	if (!ret && cuts.n)
		ret = keep_single(&cuts, out);
	free(cuts.v);
	if (!ret)
		ret = chess_cut_errno(run, &of_errno, &n);
	return ret ? ret : keep_all(run, of_errno, n, &o, out);
}

static bool orders_others(void *arg, const struct chess_access *a)
{
	const struct known *k = arg;

	return kind_of(k, a) & (CHESS_ACCESS_ATOMIC | CHESS_ACCESS_ORDERS) ||
	       (k->words.first_site && a->site >= k->words.first_site);
}

/* Accesses up to where some that order others are missing. */
static int leave_off(struct known *k, struct chess_run_result *run, struct chess_run_races *out)
{
	struct chess_retired retired;
	int ret = chess_retired_find(run, orders_others, k, &retired);

	if (ret || !retired.n)
		return ret;
	out->retired = retired.site;
	out->n_retired = retired.n;
	out->lost -= retired.told;
	out->lost += run->n_accesses - retired.whole;
	if (run->n_accesses == retired.whole)
		return 0;
	run->n_accesses = retired.whole;
	chess_sync_words_clear(&k->words);
	return chess_sync_words_find(run, &k->words);
}

static int know_variables(struct chess_racing_types *t)
{
	const char *maps = t->maps;
	size_t room = 0;
	struct chess_image image;
	struct chess_variables v;

	while (maps && (maps = chess_image_next(maps, &image))) {
		if (!chess_image_variables(&image, &v.start, &v.end))
			continue;
		if (chess_array_room(&t->variables, &room, t->n_variables + 1, sizeof(v)))
			return chess_set_error(ENOMEM, "no memory for the variables of files");
		t->variables[t->n_variables++] = v;
	}
	return 0;
}

/* A byte of a variable that no file has: a stream that was opened is in the heap. */
static bool is_opened_stream(const struct known *k, const struct chess_access *a)
{
	size_t i;

	if ((a->kind & ATOMIC_UPDATE) != ATOMIC_UPDATE || a->size != 1 || !a->site ||
	    a->kind & CHESS_ACCESS_SHARED)
		return false;
	for (i = 0; i < k->types->n_variables; i++) {
		const struct chess_variables *v = &k->types->variables[i];

		if (a->address - v->start < v->end - v->start)
			return false;
	}
	return true;
}

/* See chess_handler_streams_find(). */
static uint64_t stream_of(void *arg, const struct chess_access *a)
{
	const struct known *k = arg;

	if (a->address == CHESS_ADDRESS_OUTPUT)
		return k->types->standard_output ? k->types->standard_output : a->address;
	if (is_standard_output(k, a) || is_console(k, a) || is_opened_stream(k, a))
		return a->address;
	return 0;
}

/* What the search does not cover, as if it were points. */
static int note_unseen(struct known *k, struct chess_racing_types *t,
		       const struct chess_run_result *run, struct chess_run_races *out)
{
	struct chess_cut_sites one = { .n = 1 };
	uint32_t causes = 0, i, site;
	int ret = 0;

	if (!t->variables && chess_accesses_tell(run, CHESS_TOLD_HANDLER))
		ret = know_variables(t);
	if (!ret)
		ret = chess_unseen_find(run, stream_of, k, &causes);
	one.v = &site;
	for (i = 0; i < CHESS_UNSEEN_CAUSES && !ret; i++) {
		site = CHESS_SITE_UNSEEN + i;
		if (causes & 1U << i)
			ret = keep_single(&one, out);
	}
	return ret;
}

/* What system calls may access is recorded without a trap. */
static size_t count_trapped(const struct chess_run_result *run)
{
	size_t i, n = 0;

	for (i = 0; i < run->n_accesses; i++)
		n += !chess_access_is_of_syscall(&run->accesses[i]);
	return n;
}

int chess_run_races_find(struct chess_racing_types *t, const struct chess_run_result *whole,
			 struct chess_run_races **out)
{
	struct chess_run_result view = *whole, *run = &view;
	struct chess_run_races *r = calloc(1, sizeof(*r));
	struct known k = { .types = t };
	int ret = 0;

	*out = NULL;
	if (!r)
		return chess_set_error(ENOMEM, "no memory for races");
	r->accesses = run->n_accesses;
	r->trapped = count_trapped(run);
	r->lost = run->lost_accesses;
	r->rested = chess_accesses_tell(run, CHESS_TOLD_RESTS);
	if (run->record && run->n_accesses) {
		ret = know_types(t, run->maps);
		if (!ret)
			ret = chess_sync_words_find(run, &k.words);
		if (!ret)
			ret = leave_off(&k, run, r);
		k.left = !ret && any_left(&k, run);
		if (!ret)
			ret = know_kinds(&k, run);
		if (!ret)
			ret = find_pairs(&k, run, r);
		if (!ret)
			ret = find_points(&k, &atomics, run, r);
		if (!ret)
			ret = find_points(&k, &librarys, run, r);
		if (!ret)
			ret = find_points(&k, &buffers, run, r);
		if (!ret)
			ret = find_returned(&k, run, r);
		if (!ret)
			ret = note_unseen(&k, t, whole, r);
		if (!ret)
			ret = find_in_frames(&k, run, r);
		if (!ret)
			ret = find_in_streams(&k, run, r);
		if (!ret)
			ret = find_readings(&k, run, r);
		if (!ret)
			ret = find_cuts(&k, run, r);
		free(k.kind);
		chess_sync_words_clear(&k.words);
	}
	if (ret)
		chess_run_races_free(r);
	else
		*out = r;
	return ret;
}
