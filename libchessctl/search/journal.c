// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a search has done, on disk: its runs in the order in which the search asked for
 * them. A search is deterministic except for its runs. So one that was killed continues by
 * asking for its runs again, from the first, and receives those of the journal; after the
 * last of them it runs the program. Strategies know nothing of that.
 *
 *	"chess search journal N\n"	N: the format
 *	block, block, ..		struct block, then its bytes, compressed
 *
 * Blocks are appended and never changed, each with a single write. What a killed process
 * had not written yet is run again, and so is a block at the end that is not complete.
 * Anything else that is wrong (a checksum) is damage, and is reported.
 *
 * A process that has a journal open holds a lock on the file.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "array.h"
#include "internal.h"
#include "now.h"
#include "run/pack.h"

#define FORMAT	"chess search journal "
#define VERSION	"1\n"

/* How much may be lost when we are killed: runs of this duration, or this many bytes. */
#define PAUSE_MS	250
#define BLOCK_BYTES	(256 * 1024)
/* A worker or a VM that was killed with its parent takes a moment to end. */
#define LOCK_MS		3000
/* zlib compresses at most 1032 bytes into one. */
#define RATIO_MAX	1032

enum kind { BLOCK_ABOUT = 1, BLOCK_RUNS, BLOCK_NOTE };

/**
 * struct block - in front of each block
 * @kind: enum kind
 * @runs: in it
 * @size: bytes before compression
 * @packed: bytes that follow
 * @crc: of those
 * @head_crc: of the words before
 */
struct block {
	uint32_t kind, runs, size, packed, crc, head_crc;
};

/* In front of each run in a block. */
struct entry {
	uint64_t plan;
	double seconds;
	uint32_t size, zero;
};

/**
 * struct chess_journal - an open journal
 * @fd: the file
 * @path: its name
 * @about: what create() was given; ends with NULL
 * @note: notes in the order in which they were made; @n_notes of them
 * @runs: in the file
 * @cut: the file had half a block at its end
 * @at: where the next block is read, or written
 * @end: after the last good block
 * @bytes: of the block being read
 * @u: what is left of it
 * @fresh: runs that are not written yet; @n_fresh of them
 * @flushed: when runs were last written, in seconds
 * @pause: how long runs may wait
 * @before: how long the search took in earlier processes, as far as the journal was read
 * @start: when this process began
 */
struct chess_journal {
	int fd;
	char *path;
	char **about, **note;
	size_t n_about, n_notes;
	uint64_t runs;
	bool cut;
	off_t at, end;
	unsigned char *bytes;
	struct chess_unpack u;
	struct chess_pack fresh;
	uint32_t n_fresh;
	double flushed, pause, before, start;
};

/* --- blocks ---------------------------------------------------------------- */

static uint32_t head_crc(const struct block *b)
{
	return crc32(0, (const void *)b, offsetof(struct block, head_crc));
}

static int write_block(struct chess_journal *j, enum kind kind, const struct chess_pack *p,
		       uint32_t runs)
{
	uLongf packed = compressBound(p->n);
	unsigned char *bytes = p->failed ? NULL : malloc(sizeof(struct block) + packed);
	struct block b = { .kind = kind, .runs = runs, .size = p->n };
	ssize_t n;

	if (packed > UINT32_MAX) {
		free(bytes);
		return chess_set_error(EOVERFLOW, "the journal '%s' has no room for a run of %zu bytes",
				       j->path, p->n);
	}
	if (!bytes || compress2(bytes + sizeof(b), &packed, p->data, p->n, Z_BEST_SPEED) != Z_OK) {
		free(bytes);
		return chess_set_error(ENOMEM, "no memory for the journal of the search");
	}
	b.packed = packed;
	b.crc = crc32(0, bytes + sizeof(b), packed);
	b.head_crc = head_crc(&b);
	memcpy(bytes, &b, sizeof(b));
	n = pwrite(j->fd, bytes, sizeof(b) + packed, j->end);
	free(bytes);
	if (n != (ssize_t)(sizeof(b) + packed))
		return chess_set_error(n < 0 ? errno : ENOSPC,
				       "the journal '%s' could not be written: %s", j->path,
				       strerror(n < 0 ? errno : ENOSPC));
	/* A reader at the end stays at the end. */
	if (j->at == j->end)
		j->at += n;
	j->end += n;
	return 0;
}

static int tell_damage(const struct chess_journal *j, off_t at)
{
	return chess_set_error(EBADMSG, "the journal '%s' is damaged at byte %lld: the search cannot continue from it; begin a new one",
			       j->path, (long long)at);
}

static int tell_unreadable(const struct chess_journal *j)
{
	return chess_set_error(errno, "the journal '%s' cannot be read: %m", j->path);
}

/* @n bytes at @at. Return: 1; 0: the file has fewer; -errno. */
static int read_bytes(const struct chess_journal *j, void *to, size_t n, off_t at)
{
	ssize_t got;

	for (; n; n -= got, at += got, to = (char *)to + got) {
		got = pread(j->fd, to, n, at);
		if (got < 0)
			return tell_unreadable(j);
		if (!got)
			return 0;
	}
	return 1;
}

/* The bytes that @b describes; the file has that many, so the number can be trusted. */
static int unpack_block(struct chess_journal *j, const struct block *b, unsigned char *packed)
{
	uLongf size = b->size;
	unsigned char *bytes;
	int ret = read_bytes(j, packed, b->packed, j->at + sizeof(*b));

	if (ret <= 0)
		return ret;
	if (crc32(0, packed, b->packed) != b->crc || b->size / RATIO_MAX > b->packed)
		return tell_damage(j, j->at);
	bytes = malloc((size_t)b->size + 1);
	if (!bytes)
		return chess_set_error(ENOMEM, "no memory for the journal '%s'", j->path);
	free(j->bytes);
	j->bytes = bytes;
	if (uncompress(bytes, &size, packed, b->packed) != Z_OK || size != b->size)
		return tell_damage(j, j->at);
	j->u = (struct chess_unpack) { .at = bytes, .left = size };
	return 1;
}

/*
 * The block at j->at: its bytes become those of j->u. Return: 1; 0: there is none, or not
 * all of it; -errno.
 */
static int read_block(struct chess_journal *j, struct block *b)
{
	int ret = read_bytes(j, b, sizeof(*b), j->at);
	unsigned char *packed;
	struct stat st;

	j->u = (struct chess_unpack) { 0 };
	if (ret <= 0)
		return ret;
	if (b->head_crc != head_crc(b))
		return tell_damage(j, j->at);
	if (fstat(j->fd, &st))
		return tell_unreadable(j);
	if (st.st_size - j->at - (off_t)sizeof(*b) < (off_t)b->packed)
		return 0;
	packed = malloc((size_t)b->packed + 1);
	if (!packed)
		return chess_set_error(ENOMEM, "no memory for the journal '%s'", j->path);
	ret = unpack_block(j, b, packed);
	free(packed);
	if (ret > 0)
		j->at += sizeof(*b) + b->packed;
	return ret;
}

/* --- opening --------------------------------------------------------------- */

/* All strings of the current block, appended to the list. */
static int keep_strings(struct chess_journal *j, char ***list, size_t *n)
{
	while (j->u.left && !j->u.bad) {
		if (chess_array_extend(list, *n, *n + 2, sizeof(**list)))
			return chess_set_error(ENOMEM, "no memory for a journal");
		(*list)[*n] = chess_unpack_string(&j->u);
		*n += !!(*list)[*n];
	}
	return j->u.bad ? tell_damage(j, j->at) : 0;
}

/* All of it is checked before anything is done. */
static int scan(struct chess_journal *j)
{
	struct block b;
	int ret = 0;

	while (!ret && (ret = read_block(j, &b)) > 0) {
		j->end = j->at;
		j->runs += b.runs;
		ret = 0;
		if (b.kind == BLOCK_ABOUT)
			ret = keep_strings(j, &j->about, &j->n_about);
		else if (b.kind == BLOCK_NOTE)
			ret = keep_strings(j, &j->note, &j->n_notes);
	}
	if (!ret && !j->n_about)
		ret = tell_damage(j, j->at);
	j->u.left = 0;
	return ret;
}

static int lock(const struct chess_journal *j)
{
	struct timespec nap = { .tv_nsec = 10000000 };
	unsigned int i;

	for (i = 0; i < LOCK_MS / 10; i++) {
		/* Where the file system has no locks, no other process can be detected. */
		if (!flock(j->fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
			return 0;
		nanosleep(&nap, NULL);
	}
	return chess_set_error(EBUSY, "another chessctl is running the search of '%s'; wait for its end",
			       j->path);
}

static struct chess_journal *new_journal(const char *path, int fd)
{
	struct chess_journal *j = calloc(1, sizeof(*j));

	if (j)
		j->path = strdup(path);
	if (!j || !j->path) {
		free(j);
		close(fd);
		chess_set_error(ENOMEM, "no memory for a journal");
		return NULL;
	}
	j->fd = fd;
	j->pause = PAUSE_MS / 1e3;
	j->start = chess_now();
	j->flushed = j->start;
	return j;
}

static int read_version(struct chess_journal *j)
{
	char head[sizeof(FORMAT VERSION) - 1];
	ssize_t n = pread(j->fd, head, sizeof(head), 0);

	if (n < (ssize_t)sizeof(FORMAT) - 1 || memcmp(head, FORMAT, sizeof(FORMAT) - 1))
		return chess_set_error(EINVAL, "'%s' is not a journal of a search; --continue takes the folder of its traces",
				       j->path);
	if (n != sizeof(head) || memcmp(head, FORMAT VERSION, sizeof(head)))
		return chess_set_error(EPROTONOSUPPORT, "the journal '%s' was written by another version of chessctl; begin a new search",
				       j->path);
	j->at = n;
	return 0;
}

struct chess_journal *chess_journal_open(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), ret;
	struct chess_journal *j;
	struct stat st;

	if (fd < 0) {
		chess_set_error(errno, "the journal '%s' cannot be opened: %m", path);
		return NULL;
	}
	j = new_journal(path, fd);
	if (!j)
		return NULL;
	ret = lock(j);
	if (!ret)
		ret = read_version(j);
	if (!ret)
		ret = scan(j);
	if (!ret && !fstat(fd, &st))
		j->cut = st.st_size != j->end;
	if (!ret && j->cut && ftruncate(fd, j->end))
		ret = chess_set_error(errno, "the journal '%s' cannot be written: %m", path);
	j->at = sizeof(FORMAT VERSION) - 1;
	if (!ret)
		return j;
	chess_journal_close(j);
	errno = -ret;
	return NULL;
}

/* Under a temporary name at first, so that no process sees half of it. */
int chess_journal_create(const char *path, char *const *about)
{
	struct chess_pack p = { 0 };
	struct chess_journal *j;
	char *temp;
	int fd, ret;

	if (asprintf(&temp, "%s.tmp-%d", path, getpid()) < 0)
		return chess_set_error(ENOMEM, "no memory for a journal");
	fd = open(temp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	j = fd < 0 ? NULL : new_journal(temp, fd);
	if (!j) {
		ret = fd < 0 ? chess_set_error(errno, "the journal '%s' cannot be made: %m", path) :
			       -ENOMEM;
		free(temp);
		return ret;
	}
	for (; *about; about++)
		chess_pack_string(&p, *about);
	j->end = write(fd, FORMAT VERSION, sizeof(FORMAT VERSION) - 1);
	ret = j->end < 0 ? -errno : write_block(j, BLOCK_ABOUT, &p, 0);
	if (!ret && link(temp, path))
		ret = -errno;
	if (ret && ret != -EEXIST)
		chess_set_error(-ret, "the journal '%s' cannot be made: %s", path, strerror(-ret));
	unlink(temp);
	chess_journal_close(j);
	free(p.data);
	free(temp);
	return ret;
}

void chess_journal_close(struct chess_journal *j)
{
	if (!j)
		return;
	chess_journal_flush(j);
	close(j->fd);
	while (j->n_about)
		free(j->about[--j->n_about]);
	while (j->n_notes)
		free(j->note[--j->n_notes]);
	free(j->about);
	free(j->note);
	free(j->bytes);
	free(j->fresh.data);
	free(j->path);
	free(j);
}

char *const *chess_journal_about(const struct chess_journal *j)
{
	return j->about;
}

char *const *chess_journal_notes(const struct chess_journal *j)
{
	static char *none[] = { NULL };

	return j->note ? j->note : none;
}

uint64_t chess_journal_runs(const struct chess_journal *j)
{
	return j->runs;
}

bool chess_journal_was_cut(const struct chess_journal *j)
{
	return j->cut;
}

void chess_journal_set_pause(struct chess_journal *j, unsigned int ms)
{
	j->pause = ms / 1e3;
}

double chess_journal_seconds(const struct chess_journal *j)
{
	return j->at < j->end || j->u.left ? j->before : j->before + (chess_now() - j->start);
}

/* --- runs ------------------------------------------------------------------ */

/* Does j->u have a run? Return: 1, 0, -errno. */
static int find_run(struct chess_journal *j)
{
	struct block b;
	int ret;

	while (!j->u.left && j->at < j->end) {
		ret = read_block(j, &b);
		if (ret <= 0)
			return ret ? ret : tell_damage(j, j->at);
		if (b.kind != BLOCK_RUNS)
			j->u.left = 0;
	}
	return !!j->u.left;
}

int chess_journal_take(struct chess_journal *j, const struct chess_plan *plan,
		       struct chess_run_result *out)
{
	int ret = find_run(j);
	struct chess_unpack u;
	struct entry e;
	uint64_t key;

	if (ret <= 0)
		return ret;
	chess_unpack_get(&j->u, &e, sizeof(e));
	if (j->u.bad || e.size > j->u.left)
		return tell_damage(j, j->at);
	ret = chess_plan_key(plan, &key);
	if (ret)
		return ret;
	if (key != e.plan)
		return chess_set_error(ESTALE, "the journal '%s' has other runs than this search asks for: another version of chessctl wrote it; begin a new search",
				       j->path);
	u = (struct chess_unpack) { .at = j->u.at, .left = e.size };
	ret = chess_unpack_result(&u, out);
	j->u.at += e.size;
	j->u.left -= e.size;
	j->before = e.seconds;
	j->start = chess_now();
	return ret ? ret : 1;
}

int chess_journal_flush(struct chess_journal *j)
{
	int ret = 0;

	if (j->n_fresh)
		ret = write_block(j, BLOCK_RUNS, &j->fresh, j->n_fresh);
	j->fresh.n = 0;
	j->n_fresh = 0;
	j->flushed = chess_now();
	return ret;
}

int chess_journal_add(struct chess_journal *j, const struct chess_plan *plan,
		      const struct chess_run_result *res)
{
	struct entry e = { .seconds = chess_journal_seconds(j) };
	size_t begin = j->fresh.n;
	int ret = chess_plan_key(plan, &e.plan);

	if (ret)
		return ret;
	chess_pack_put(&j->fresh, &e, sizeof(e));
	chess_pack_result(&j->fresh, res);
	if (j->fresh.failed)
		return chess_set_error(ENOMEM, "no memory for the journal of the search");
	e.size = j->fresh.n - begin - sizeof(e);
	memcpy(j->fresh.data + begin, &e, sizeof(e));
	j->n_fresh++;
	j->runs++;
	if (j->fresh.n < BLOCK_BYTES && chess_now() - j->flushed < j->pause)
		return 0;
	return chess_journal_flush(j);
}

int chess_journal_note(struct chess_journal *j, const char *text)
{
	struct chess_pack p = { 0 };
	int ret = chess_journal_flush(j);

	chess_pack_string(&p, text);
	if (!ret)
		ret = write_block(j, BLOCK_NOTE, &p, 0);
	free(p.data);
	return ret;
}
