// SPDX-License-Identifier: GPL-2.0-only
/*
 * Shards and results that somebody else wrote: fuzz-shard. Damage is refused with one sentence that
 * names the file. What has a checksum that is right is read as a command reads it: its header, and
 * the prefixes of a shard, with which a search goes on.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "op_list.h"
#include "fuzz.h"
#include "cli.h"
#include "mix.h"
#include "shard/shard.h"

#define HEAD	"chess shard 1\n"

/* As cli/shard/file.c writes it. */
struct head {
	uint32_t kind, meta;
	uint64_t body, packed, id;
	uint32_t crc, head_crc;
};

static const struct op first[] = { { LOCK, 0 }, { LOCK, 1 }, { UNLOCK, 1 }, { UNLOCK, 0 } };
static const struct op second[] = { { YIELD, 0 }, { TIMED_LOCK, 1 }, { LOCK, 0 }, { UNLOCK, 0 } };

static struct fuzz_input *contents(void)
{
	static unsigned char room[FUZZ_BYTES];
	static struct fuzz_input bytes = { .data = room };

	return &bytes;
}

static void seal(struct head *h, const unsigned char *packed)
{
	h->crc = crc32(0, packed, h->packed);
	h->head_crc = crc32(0, (const void *)h, offsetof(struct head, head_crc));
}

static bool get_head(const struct fuzz_input *in, struct head *h)
{
	if (in->n < strlen(HEAD) + sizeof(*h))
		return false;
	memcpy(h, in->data + strlen(HEAD), sizeof(*h));
	return h->packed <= in->n - strlen(HEAD) - sizeof(*h);
}

static bool unpack(const struct fuzz_input *in, const struct head *h, struct fuzz_input *out)
{
	uLongf size = FUZZ_BYTES;

	if (uncompress(out->data, &size, in->data + strlen(HEAD) + sizeof(*h), h->packed) != Z_OK)
		return false;
	out->n = size;
	return h->meta <= size;
}

/* With an id that is right, as far as it matters to the reader. */
static uint64_t id_of(const struct head *h, const unsigned char *data)
{
	uint64_t id = chess_mix(CHESS_HASH_START, h->kind);

	id = chess_hash_bytes(id, data, h->meta);
	id = chess_hash_bytes(chess_mix(id, h->body), data + h->meta, h->body);
	return chess_mix(id, h->body);
}

static void pack(struct fuzz_input *in, struct head h, const struct fuzz_input *bytes)
{
	static unsigned char room[sizeof(h) + FUZZ_BYTES + FUZZ_BYTES / 8];
	uLongf packed = sizeof(room) - sizeof(h);
	size_t gone = sizeof(h) + h.packed;

	if (h.meta > bytes->n)
		h.meta = bytes->n;
	h.body = bytes->n - h.meta;
	if (compress2(room + sizeof(h), &packed, bytes->data, bytes->n, Z_BEST_SPEED) != Z_OK)
		return;
	h.packed = packed;
	h.id = id_of(&h, bytes->data);
	seal(&h, room + sizeof(h));
	memcpy(room, &h, sizeof(h));
	fuzz_replace(in, strlen(HEAD), gone, room, sizeof(h) + packed);
}

/* --- the corpus --------------------------------------------------------------- */

static void keep_file(enum shard_kind kind, const char *meta, unsigned char *body, size_t n)
{
	struct shard_file f = {
		.kind = kind, .meta = json_tokener_parse(meta), .body = body, .n = n,
	};
	char path[] = "/tmp/chess-fuzz-XXXXXX";
	static unsigned char data[FUZZ_BYTES];
	int fd = mkstemp(path);
	ssize_t got;

	close(fd);
	if (fd < 0 || !f.meta || shard_write(path, &f) != CLI_PROCEED)
		abort();
	fd = open(path, O_RDONLY | O_CLOEXEC);
	got = read(fd, data, sizeof(data));
	close(fd);
	unlink(path);
	fuzz_keep(data, got);
	shard_clear(&f);
}

#define SEARCH	"{\"search\":{\"version\":\"1\",\"kernel\":\"6.12\",\"image\":\"as installed\",\"cwd\":\"/\",\"options\":[\"--bound=2\"],\"program\":[\"./a\"],\"files\":[{\"path\":\"/a\",\"id\":\"12\"}],\"session\":{\"later\":[],\"points\":[{\"path\":\"/a\",\"offset\":12}],\"long_rows\":false,\"patience\":1,\"strict\":true}},"
#define SIZES	"\"level\":1,\"bound\":2,\"weight\":0.25,\"prefixes\":7"

static void begin(void)
{
	static const struct op_list p = { .ops = { first, second }, .n = { 4, 4 }, .tasks = 2 };
	struct chess_frontier *rest = chess_frontier_new();
	const struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .keep_going = true, .rest = rest, .enough = 12,
	};
	struct chess_explore_result res;
	struct box b = { .p = &p };
	struct chess_executor x = op_list_executor(&b);
	unsigned char *body;
	size_t n;

	op_list_every = 1;
	if (!rest || chess_explore(&x, &o, &res) || chess_frontier_pack(rest, &body, &n))
		abort();
	chess_explore_result_clear(&res);
	chess_frontier_free(rest);
	op_list_forget(&b);
	keep_file(SHARD_WORK, SEARCH "\"parents\":[]," SIZES "}", body, n);
	body = calloc(4, 8);
	keep_file(SHARD_RESULT, SEARCH "\"parents\":[\"0123456789abcdef\"]," SIZES ",\"left\":[\"fedcba9876543210\"],\"left_sizes\":[{" SIZES "}],\"result\":{\"runs\":12,\"seconds\":1.5,\"runs_at\":[2,10],\"preemptions\":1,\"trace\":\"a.trace\",\"left_out\":{\"diverged\":0}}}",
		  body, 32);
}

/* --- changes ------------------------------------------------------------------- */

static void change_head(struct fuzz_input *in)
{
	struct head h;

	if (!get_head(in, &h))
		return;
	switch (fuzz_below(5)) {
	case 0:
		h.kind = fuzz_one_in(2) ? fuzz_below(4) : fuzz_number();
		break;
	case 1:
		h.meta = fuzz_number();
		break;
	case 2:
		h.body = fuzz_number();
		break;
	case 3:
		h.packed = fuzz_number();
		break;
	case 4:
		h.id = fuzz_number();
		break;
	}
	if (h.packed <= in->n - strlen(HEAD) - sizeof(h) && fuzz_one_in(2))
		seal(&h, in->data + strlen(HEAD) + sizeof(h));
	memcpy(in->data + strlen(HEAD), &h, sizeof(h));
}

static void change_contents(struct fuzz_input *in)
{
	struct fuzz_input *bytes = contents();
	size_t from, n;
	struct head h;

	if (!get_head(in, &h) || !unpack(in, &h, bytes) || !bytes->n)
		return;
	switch (fuzz_below(5)) {
	case 0:
		fuzz_bytes(bytes->data, bytes->n);
		break;
	case 1:
	case 2:
		/* The prefixes, or classes. */
		fuzz_bytes(bytes->data + h.meta, bytes->n - h.meta);
		break;
	case 3:
		from = fuzz_below(bytes->n);
		n = fuzz_below(bytes->n - from + 1);
		fuzz_replace(bytes, from, n, NULL, 0);
		break;
	case 4:
		fuzz_bytes(bytes->data, h.meta);
		break;
	}
	pack(in, h, bytes);
}

static void mutate(struct fuzz_input *in)
{
	unsigned int times = 1 + fuzz_below(3);

	while (times-- && in->n) {
		switch (fuzz_below(8)) {
		case 0:
			fuzz_bytes(in->data, in->n);
			break;
		case 1:
			change_head(in);
			break;
		case 2:
			in->n = fuzz_below(in->n + 1);
			break;
		default:
			change_contents(in);
			break;
		}
	}
}

/* --- reading ------------------------------------------------------------------- */

static void go_on(const struct shard_file *f)
{
	static const struct op_list p = { .ops = { first, second }, .n = { 4, 4 }, .tasks = 2 };
	struct chess_frontier *work = chess_frontier_unpack(f->body, f->n), *part[3];
	struct chess_explore_opts o = {
		.sz = sizeof(o), .bound = 2, .keep_going = true, .max_runs = 20, .from = work,
	};
	struct chess_explore_result res;
	struct box b = { .p = &p };
	struct chess_executor x = op_list_executor(&b);
	size_t i;

	fuzz_expect(work || *chess_error(), "a refusal of prefixes has a sentence");
	if (!work)
		return;
	for (i = 0; i < 3; i++)
		part[i] = chess_frontier_new();
	fuzz_expect(!chess_frontier_split(work, part, 3), "any prefixes can be dealt");
	for (i = 0; i < 3; i++)
		chess_frontier_free(part[i]);
	if (!chess_explore(&x, &o, &res))
		chess_explore_result_clear(&res);
	op_list_forget(&b);
	chess_frontier_free(work);
}

/* The sentences of a reader go here. */
static int said = -1;

static size_t sentences(const char *path)
{
	char text[1024];
	ssize_t n = pread(said, text, sizeof(text) - 1, 0);
	size_t lines = 0;
	char *at;

	text[n > 0 ? n : 0] = '\0';
	for (at = text; *at; at++)
		lines += *at == '\n';
	fuzz_expect(!lines || strstr(text, path), "a refusal names the file");
	return lines;
}

static bool read_shard(const unsigned char *data, size_t n)
{
	const char *path = fuzz_file(data, n);
	int err = dup(STDERR_FILENO), code;
	struct shard_header h;
	struct shard_file f;

	if (said < 0)
		said = memfd_create("said", MFD_CLOEXEC);
	if (ftruncate(said, 0))
		abort();
	lseek(said, 0, SEEK_SET);
	dup2(said, STDERR_FILENO);
	code = shard_read(path, &f);
	dup2(err, STDERR_FILENO);
	close(err);
	fuzz_expect(sentences(path) == (code != CLI_PROCEED), "a refusal is one sentence");
	fuzz_expect(code == CLI_PROCEED || code == CLI_USAGE, "a refusal says that the file is at fault");
	if (code == CLI_PROCEED) {
		shard_header_of(&f, &h);
		fuzz_expect(strlen(h.id) == SHARD_ID - 1 && strlen(h.parent) == SHARD_ID - 1,
			    "ids have their length");
		if (f.kind == SHARD_WORK)
			go_on(&f);
	}
	shard_clear(&f);
	return code == CLI_PROCEED;
}

int main(int argc, char **argv)
{
	static const struct fuzz_target target = {
		.name = "shard", .begin = begin, .mutate = mutate, .run = read_shard,
	};

	return fuzz_main(&target, argc, argv);
}
