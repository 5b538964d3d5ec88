// SPDX-License-Identifier: GPL-2.0-only
/*
 * Journals that somebody else wrote: fuzz-journal. A search goes on from each that is taken
 * for good. One that is refused has to be left as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "op_list.h"
#include "fuzz.h"
#include "run/pack.h"
#include "race/racing.h"

#define HEAD	"chess search journal 1\n"

/* As libchessctl/search/journal.c writes them. */
struct block {
	uint32_t kind, runs, size, packed, crc, head_crc;
};

struct entry {
	uint64_t plan;
	double seconds;
	uint32_t size, zero;
};

static const struct chess_explore_opts search = {
	.sz = sizeof(search), .bound = 2, .keep_going = true, .max_runs = 40,
};

/* --- blocks ------------------------------------------------------------------ */

static void seal(struct block *b, const unsigned char *packed)
{
	b->crc = crc32(0, packed, b->packed);
	b->head_crc = crc32(0, (const void *)b, offsetof(struct block, head_crc));
}

/* The block at @at; false: there is none, or not all of it. */
static bool get_block(const struct fuzz_input *in, size_t at, struct block *b)
{
	if (at > in->n || in->n - at < sizeof(*b))
		return false;
	memcpy(b, in->data + at, sizeof(*b));
	return b->packed <= in->n - at - sizeof(*b);
}

/* Its bytes, at most FUZZ_BYTES. */
static bool unpack(const struct fuzz_input *in, size_t at, const struct block *b,
		   struct fuzz_input *out)
{
	uLongf size = FUZZ_BYTES;

	if (b->size > FUZZ_BYTES || uncompress(out->data, &size, in->data + at + sizeof(*b),
					       b->packed) != Z_OK)
		return false;
	out->n = size;
	return true;
}

static void pack(struct fuzz_input *in, size_t at, struct block b, const struct fuzz_input *bytes)
{
	static unsigned char room[sizeof(b) + FUZZ_BYTES + FUZZ_BYTES / 8];
	uLongf packed = sizeof(room) - sizeof(b);
	size_t gone = sizeof(b) + b.packed;

	if (compress2(room + sizeof(b), &packed, bytes->data, bytes->n, Z_BEST_SPEED) != Z_OK)
		return;
	b.size = bytes->n;
	b.packed = packed;
	seal(&b, room + sizeof(b));
	memcpy(room, &b, sizeof(b));
	fuzz_replace(in, at, gone, room, sizeof(b) + packed);
}

static struct fuzz_input *bytes_of_block(void)
{
	static unsigned char room[FUZZ_BYTES];
	static struct fuzz_input bytes = { .data = room };

	return &bytes;
}

/* --- the corpus -------------------------------------------------------------- */

static const struct op first[] = { { LOCK, 0 }, { LOCK, 1 }, { UNLOCK, 1 }, { UNLOCK, 0 } };
static const struct op second[] = { { YIELD, 0 }, { TIMED_LOCK, 1 }, { LOCK, 0 }, { UNLOCK, 0 } };

struct writer {
	struct chess_executor x;
	struct chess_journal *j;
};

/* What a run that had traps on its accesses brings, too. */
static void add_accesses(struct chess_run_result *out)
{
	struct chess_access a = { .address = 0x404040, .ip = 0x401000, .size = 8, .seq = 1,
				  .kind = CHESS_ACCESS_WRITE };
	int i;

	out->accesses = calloc(3, sizeof(a));
	if (!out->accesses)
		abort();
	for (i = 0; i < 3; i++, out->n_accesses++) {
		a.site = i;
		a.task = i & 1;
		out->accesses[i] = a;
	}
	strcpy(out->outside_comm, "somebody");
	out->lost_accesses = 1;
}

static void add_races(struct chess_run_result *out)
{
	struct chess_run_races *r = calloc(1, sizeof(*r));

	if (!r)
		abort();
	r->pair = calloc(2, sizeof(*r->pair));
	r->site = calloc(2, sizeof(*r->site));
	if (!r->pair || !r->site)
		abort();
	r->n_pairs = 2;
	r->n_sites = 2;
	r->accesses = 4;
	out->races = r;
}

static int write_run(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	struct writer *w = ctx;
	int ret = w->x.run(w->x.ctx, plan, out);

	if (!ret && plan->length % 3 == 1)
		add_accesses(out);
	if (!ret && plan->length % 3 == 2)
		add_races(out);
	return ret ? ret : chess_journal_add(w->j, plan, out);
}

/* How long something took is another each time, and inputs are to be the same. */
static void forget_time(struct fuzz_input *in)
{
	struct fuzz_input *bytes = bytes_of_block();
	size_t at = strlen(HEAD), run;
	struct entry e;
	struct block b;

	for (; get_block(in, at, &b); at += sizeof(b) + b.packed) {
		if (b.kind != 2 || !unpack(in, at, &b, bytes))
			continue;
		for (run = 0; run + sizeof(e) <= bytes->n; run += sizeof(e) + e.size) {
			memcpy(&e, bytes->data + run, sizeof(e));
			e.seconds = 1;
			memcpy(bytes->data + run, &e, sizeof(e));
		}
		pack(in, at, b, bytes);
		get_block(in, at, &b);
	}
}

/* @pause: how many runs a block gets, by the time that may pass. */
static void keep_search(unsigned int pause)
{
	static const struct op_list p = { .ops = { first, second }, .n = { 4, 4 }, .tasks = 2 };
	static unsigned char data[FUZZ_BYTES];
	char *about[] = { (char *)"hash", (char *)"/", (char *)"explore", (char *)"./prog", NULL };
	char path[] = "/tmp/chess-fuzz-XXXXXX";
	struct fuzz_input in = { .data = data };
	struct chess_explore_result res;
	struct box b = { .p = &p };
	struct writer w = { .x = op_list_executor(&b) };
	struct chess_executor x = { .run = write_run, .ctx = &w };
	int fd = mkstemp(path);

	op_list_every = 1;
	close(fd);
	unlink(path);
	if (fd < 0 || chess_journal_create(path, about))
		abort();
	w.j = chess_journal_open(path);
	if (!w.j)
		abort();
	chess_journal_set_pause(w.j, pause);
	chess_journal_note(w.j, "kernel 6.12.0");
	chess_journal_note(w.j, "trace 1 chess-traces/prog-deadlock-1.trace");
	if (chess_explore(&x, &search, &res))
		abort();
	chess_explore_result_clear(&res);
	chess_journal_close(w.j);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	in.n = read(fd, data, sizeof(data));
	close(fd);
	unlink(path);
	forget_time(&in);
	fuzz_keep(in.data, in.n);
	op_list_forget(&b);
}

static void begin(void)
{
	keep_search(0);
	keep_search(1000000);
}

/* --- changes ----------------------------------------------------------------- */

static size_t any_block(const struct fuzz_input *in, struct block *b)
{
	size_t at = strlen(HEAD), times = fuzz_below(8), next;

	if (!get_block(in, at, b))
		return 0;
	for (; times--; at = next) {
		next = at + sizeof(*b) + b->packed;
		if (!get_block(in, next, b))
			break;
	}
	return get_block(in, at, b) ? at : 0;
}

static void change_head(struct fuzz_input *in)
{
	struct block b;
	size_t at = any_block(in, &b);

	if (!at)
		return;
	((uint32_t *)&b)[fuzz_below(4)] = fuzz_one_in(3) ? fuzz_below(5) : fuzz_number();
	/* At times the sum of the bytes is right for as many as there now are. */
	if (b.packed <= in->n - at - sizeof(b) && fuzz_one_in(2))
		seal(&b, in->data + at + sizeof(b));
	else
		b.head_crc = crc32(0, (const void *)&b, offsetof(struct block, head_crc));
	memcpy(in->data + at, &b, sizeof(b));
}

static void change_bytes(struct fuzz_input *in)
{
	struct fuzz_input *bytes = bytes_of_block();
	struct block b;
	size_t at = any_block(in, &b), from, n;

	if (!at || !unpack(in, at, &b, bytes))
		return;
	switch (fuzz_below(5)) {
	case 0:
		fuzz_bytes(bytes->data, bytes->n);
		break;
	case 1:
	case 2:
		/* Where a run begins: counts and lengths. */
		fuzz_bytes(bytes->data, bytes->n < 150 ? bytes->n : 150);
		break;
	case 3:
		from = fuzz_below(bytes->n);
		n = fuzz_below(bytes->n - from + 1);
		fuzz_replace(bytes, from, n, NULL, 0);
		break;
	case 4:
		from = fuzz_below(bytes->n);
		n = fuzz_below(bytes->n - from + 1);
		fuzz_replace(bytes, fuzz_below(bytes->n), 0, bytes->data + from, n);
		break;
	}
	pack(in, at, b, bytes);
}

/* Again, from another journal, or away. */
static void change_blocks(struct fuzz_input *in)
{
	const struct fuzz_input *from = fuzz_one_in(2) ? in : fuzz_any();
	static unsigned char copy[FUZZ_BYTES];
	struct block b, other_block;
	size_t at = any_block(in, &b), other_at = any_block(from, &other_block), n;

	if (!at || !other_at)
		return;
	n = sizeof(b) + other_block.packed;
	memcpy(copy, from->data + other_at, n);
	if (fuzz_one_in(3))
		fuzz_replace(in, at, sizeof(b) + b.packed, NULL, 0);
	else
		fuzz_replace(in, at, 0, copy, n);
}

static void mutate(struct fuzz_input *in)
{
	unsigned int times = 1 + fuzz_below(3);

	while (times-- && in->n) {
		switch (fuzz_below(12)) {
		case 0:
			fuzz_bytes(in->data, in->n);
			break;
		case 1:
		case 2:
			change_head(in);
			break;
		case 3:
			change_blocks(in);
			break;
		case 4:
			in->n = fuzz_below(in->n + 1);
			break;
		default:
			change_bytes(in);
			break;
		}
	}
}

/* --- reading ----------------------------------------------------------------- */

static int take(void *ctx, const struct chess_plan *plan, struct chess_run_result *out)
{
	int ret = chess_journal_take(ctx, plan, out);
	struct chess_pack p = { 0 };

	if (ret <= 0)
		return ret ? ret : -ECANCELED;
	/* What a search goes on with it may have to write. */
	chess_pack_result(&p, out);
	free(p.data);
	return 0;
}

static size_t length_of(char *const *list)
{
	size_t n = 0;

	for (; *list; list++)
		n += strlen(*list);
	return n;
}

static void go_on(struct chess_journal *j)
{
	struct chess_executor x = { .run = take, .ctx = j };
	struct chess_explore_opts o = search;
	struct chess_explore_result res;
	int ret;

	fuzz_expect(length_of(chess_journal_about(j)) + length_of(chess_journal_notes(j)) <
		    100 * FUZZ_BYTES, "strings of a journal are in it");
	ret = chess_explore(&x, &o, &res);
	fuzz_expect(ret <= 0, "a search ends well or with an error");
	if (!ret)
		chess_explore_result_clear(&res);
}

static bool is_as_it_was(const char *path, const unsigned char *data, size_t n)
{
	static unsigned char now[FUZZ_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = read(fd, now, sizeof(now));

	close(fd);
	return got == (ssize_t)n && !memcmp(now, data, n);
}

static bool read_journal(const unsigned char *data, size_t n)
{
	const char *path = fuzz_file(data, n);
	struct chess_journal *j = chess_journal_open(path);

	if (!j) {
		fuzz_expect(errno == EBADMSG || errno == EINVAL || errno == EPROTONOSUPPORT,
			    "a refusal says that the file is at fault");
		fuzz_expect(strstr(chess_error(), path), "a refusal names the file");
		fuzz_expect(is_as_it_was(path, data, n), "what is refused is left as it was");
		return false;
	}
	go_on(j);
	chess_journal_close(j);
	return true;
}

int main(int argc, char **argv)
{
	static const struct fuzz_target target = {
		.name = "journal", .begin = begin, .mutate = mutate, .run = read_journal,
	};

	return fuzz_main(&target, argc, argv);
}
