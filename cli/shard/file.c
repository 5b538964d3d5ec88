// SPDX-License-Identifier: GPL-2.0-only
/*
 * The container of shards and results, see shard.h:
 *
 *	"chess shard N\n"	N: version of the format
 *	struct head
 *	bytes			of the JSON object and the body, compressed
 *
 * Both sums are checked before anything is taken from a file, and what it says of itself is checked
 * all the same: somebody may have written it with a sum that is right.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "cli.h"
#include "mix.h"
#include "shard/shard.h"

#define FORMAT	"chess shard "
#define VERSION	"1\n"
#define HEAD	(sizeof(FORMAT VERSION) - 1)
/* zlib compresses at most 1032 bytes into one. */
#define RATIO_MAX	1032
#define LARGEST	(1ULL << 32)

/**
 * struct head - in front of the bytes
 * @kind: enum shard_kind
 * @meta: bytes of the JSON object
 * @body: bytes after it
 * @packed: bytes that follow
 * @id: of meta and body together
 * @crc: of the bytes that follow
 * @head_crc: of the words before
 */
struct head {
	uint32_t kind, meta;
	uint64_t body, packed, id;
	uint32_t crc, head_crc;
};

static uint32_t head_crc(const struct head *h)
{
	return crc32(0, (const void *)h, offsetof(struct head, head_crc));
}

static uint64_t id_of(enum shard_kind kind, const char *meta, const unsigned char *body, size_t n)
{
	uint64_t id = chess_mix(CHESS_HASH_START, kind);

	id = chess_hash_bytes(id, meta, strlen(meta));
	return chess_mix(chess_hash_bytes(chess_mix(id, n), body, n), n);
}

static const char *meta_text(const struct shard_file *f)
{
	return json_object_to_json_string_ext(f->meta, JSON_C_TO_STRING_PLAIN);
}

static void set_id(struct shard_file *f, uint64_t id)
{
	snprintf(f->id, sizeof(f->id), "%016llx", (unsigned long long)id);
}

void shard_identify(struct shard_file *f)
{
	set_id(f, id_of(f->kind, meta_text(f), f->body, f->n));
}

void shard_clear(struct shard_file *f)
{
	json_object_put(f->meta);
	free(f->body);
	*f = (struct shard_file){ 0 };
}

static int tell_damage(const char *file)
{
	return cli_fail(CLI_USAGE, "'%s' is damaged or not complete: its checksum is wrong; fetch it once more, or split the search again",
			file);
}

static int tell_contents(const char *file)
{
	return cli_fail(CLI_USAGE, "'%s' is not what chessctl writes, though its checksum is right; split the search again",
			file);
}

/* --- reading --------------------------------------------------------------- */

static bool is_id(const char *text)
{
	return strlen(text) == SHARD_ID - 1 && strspn(text, "0123456789abcdef") == SHARD_ID - 1;
}

static bool has(struct json_object *o, const char *key, json_type type)
{
	struct json_object *v;

	return json_object_object_get_ex(o, key, &v) && json_object_is_type(v, type);
}

static bool has_ids(struct json_object *o, const char *key)
{
	struct json_object *list, *v;
	size_t i;

	if (!has(o, key, json_type_array))
		return false;
	list = json_object_object_get(o, key);
	for (i = 0; i < json_object_array_length(list); i++) {
		v = json_object_array_get_idx(list, i);
		if (!json_object_is_type(v, json_type_string) || !is_id(json_object_get_string(v)))
			return false;
	}
	return true;
}

static bool has_number(struct json_object *o, const char *key, double max)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, key, &v))
		return false;
	if (!json_object_is_type(v, json_type_int) && !json_object_is_type(v, json_type_double))
		return false;
	return json_object_get_double(v) >= 0 && json_object_get_double(v) <= max;
}

/* What all readers rely on; commands look at the rest when they need it. */
static bool is_sound(const struct shard_file *f)
{
	struct json_object *o = f->meta;
	bool good = json_object_is_type(o, json_type_object) && has(o, "search", json_type_object) &&
		    has_ids(o, "parents") && has_number(o, "level", 1000) &&
		    has_number(o, "bound", 1000) && has_number(o, "weight", 1e6) &&
		    has_number(o, "prefixes", 1e15);

	if (good && f->kind == SHARD_RESULT)
		good = has_ids(o, "left") && has(o, "result", json_type_object) && !(f->n % 8);
	return good;
}

static int unpack(const char *file, const struct head *h, const unsigned char *packed,
		  struct shard_file *f)
{
	uLongf size = h->meta + h->body;
	unsigned char *bytes = malloc(size + 1);
	struct json_tokener *tok = json_tokener_new_ex(16);
	int ret = CLI_PROCEED;
	char *meta = NULL;

	if (!bytes || !tok)
		cli_no_memory();
	if (uncompress(bytes, &size, packed, h->packed) != Z_OK || size != h->meta + h->body) {
		ret = tell_damage(file);
	} else {
		meta = cli_printf("%.*s", (int)h->meta, bytes);
		f->kind = h->kind;
		f->n = h->body;
		f->body = malloc(h->body + 1);
		if (!f->body)
			cli_no_memory();
		memcpy(f->body, bytes + h->meta, h->body);
		set_id(f, h->id);
		if (id_of(f->kind, meta, f->body, f->n) != h->id)
			ret = tell_damage(file);
	}
	if (ret == CLI_PROCEED) {
		f->meta = json_tokener_parse_ex(tok, meta, strlen(meta));
		if (strlen(meta) != h->meta || !is_sound(f) ||
		    json_tokener_get_error(tok) != json_tokener_success)
			ret = tell_contents(file);
	}
	json_tokener_free(tok);
	free(bytes);
	free(meta);
	return ret;
}

int shard_parse(const char *file, const unsigned char *data, size_t n, struct shard_file *f)
{
	struct head h;

	*f = (struct shard_file){ 0 };
	if (n < sizeof(FORMAT) - 1 || memcmp(data, FORMAT, sizeof(FORMAT) - 1))
		return cli_fail(CLI_USAGE, "'%s' is neither a shard nor the result of one; 'chessctl shard split' makes shards",
				file);
	if (n < HEAD || memcmp(data, FORMAT VERSION, HEAD))
		return cli_fail(CLI_USAGE, "'%s' was written by another version of chessctl; split the search again with this one",
				file);
	if (n < HEAD + sizeof(h))
		return tell_damage(file);
	memcpy(&h, data + HEAD, sizeof(h));
	if (h.head_crc != head_crc(&h) || n - HEAD - sizeof(h) != h.packed ||
	    crc32(0, data + HEAD + sizeof(h), h.packed) != h.crc)
		return tell_damage(file);
	if ((h.kind != SHARD_WORK && h.kind != SHARD_RESULT) || h.body > LARGEST ||
	    h.meta > INT32_MAX || (h.body + h.meta) / RATIO_MAX > h.packed)
		return tell_contents(file);
	return unpack(file, &h, data + HEAD + sizeof(h), f);
}

int shard_read(const char *file, struct shard_file *f)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC), code;
	unsigned char *data = NULL;
	struct stat st = { 0 };
	size_t n = 0;
	ssize_t got;

	*f = (struct shard_file){ 0 };
	if (fd < 0)
		return cli_fail(CLI_USAGE, "'%s' cannot be read: %s", file, strerror(errno));
	fstat(fd, &st);
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return cli_fail(CLI_USAGE, "'%s' is not a file; name shards and results", file);
	}
	data = cli_alloc(1, st.st_size + 1);
	while (n < (size_t)st.st_size && (got = read(fd, data + n, st.st_size - n)) > 0)
		n += got;
	close(fd);
	code = shard_parse(file, data, n, f);
	free(data);
	return code;
}

/* --- writing --------------------------------------------------------------- */

/* With the folder, so that the name is kept too. */
static int sync_folder(const char *file)
{
	const char *slash = strrchr(file, '/');
	char *dir = slash ? cli_printf("%.*s/", (int)(slash - file), file) : cli_printf(".");
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	free(dir);
	if (fd < 0)
		return -errno;
	/* Some file systems have nothing to do there, and say so. */
	fsync(fd);
	close(fd);
	return 0;
}

static int put(int fd, const void *data, size_t n)
{
	const char *at = data;
	ssize_t done;

	for (; n; n -= done, at += done) {
		done = write(fd, at, n);
		if (done < 0)
			return -errno;
	}
	return 0;
}

static int write_to(int fd, const struct head *h, const unsigned char *packed)
{
	int ret = put(fd, FORMAT VERSION, HEAD);

	if (!ret)
		ret = put(fd, h, sizeof(*h));
	if (!ret)
		ret = put(fd, packed, h->packed);
	if (!ret && fsync(fd))
		ret = -errno;
	return ret;
}

int shard_write(const char *file, struct shard_file *f)
{
	const char *meta = meta_text(f);
	struct head h = { .kind = f->kind, .meta = strlen(meta), .body = f->n };
	uLongf packed = compressBound(h.meta + f->n);
	unsigned char *bytes = malloc(h.meta + f->n + 1), *to = malloc(packed);
	char *temp = cli_printf("%s.tmp-%d", file, getpid());
	int fd, ret = 0;

	if (!bytes || !to)
		cli_no_memory();
	memcpy(bytes, meta, h.meta);
	if (f->n)
		memcpy(bytes + h.meta, f->body, f->n);
	h.id = id_of(f->kind, meta, f->body, f->n);
	set_id(f, h.id);
	if (compress2(to, &packed, bytes, h.meta + f->n, Z_BEST_SPEED) != Z_OK)
		cli_no_memory();
	h.packed = packed;
	h.crc = crc32(0, to, packed);
	h.head_crc = head_crc(&h);
	fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	ret = fd < 0 ? -errno : write_to(fd, &h, to);
	if (fd >= 0 && close(fd) && !ret)
		ret = -errno;
	if (!ret && rename(temp, file))
		ret = -errno;
	if (!ret)
		ret = sync_folder(file);
	if (ret)
		unlink(temp);
	free(bytes);
	free(to);
	free(temp);
	return ret ? cli_fail(CLI_ENVIRONMENT, "'%s' cannot be written: %s", file, strerror(-ret)) :
		     CLI_PROCEED;
}

/* --- the header ------------------------------------------------------------ */

static void first_id(struct json_object *o, const char *key, char id[SHARD_ID])
{
	struct json_object *list = json_object_object_get(o, key);

	strcpy(id, SHARD_NO_ID);
	if (list && json_object_array_length(list))
		strcpy(id, json_object_get_string(json_object_array_get_idx(list, 0)));
}

void shard_header_of(const struct shard_file *f, struct shard_header *h)
{
	struct json_object *o = f->meta, *r = json_object_object_get(o, "result"), *v;
	struct json_object *search = json_object_object_get(o, "search");
	const char *text = json_object_to_json_string_ext(search, JSON_C_TO_STRING_PLAIN);

	*h = (struct shard_header){ .kind = f->kind, .preemptions = -1 };
	memcpy(h->id, f->id, sizeof(h->id));
	snprintf(h->search, sizeof(h->search), "%016llx",
		 (unsigned long long)chess_hash_bytes(CHESS_HASH_START, text, strlen(text)));
	first_id(o, "parents", h->parent);
	first_id(o, "left", h->rest);
	h->left = strcmp(h->rest, SHARD_NO_ID);
	h->level = json_object_get_int(json_object_object_get(o, "level"));
	h->bound = json_object_get_int(json_object_object_get(o, "bound"));
	h->weight = json_object_get_double(json_object_object_get(o, "weight"));
	h->prefixes = json_object_get_uint64(json_object_object_get(o, "prefixes"));
	if (json_object_object_get_ex(search, "image", &v) && v)
		snprintf(h->image, sizeof(h->image), "%s", json_object_get_string(v));
	if (!r)
		return;
	h->runs = json_object_get_uint64(json_object_object_get(r, "runs"));
	h->seconds = json_object_get_double(json_object_object_get(r, "seconds"));
	if (json_object_object_get_ex(r, "preemptions", &v) && json_object_is_type(v, json_type_int)) {
		h->preemptions = json_object_get_int(v);
		h->bug = true;
	}
}

int shard_read_header(const char *file, struct shard_header *h)
{
	struct shard_file f;
	int code = shard_read(file, &f);

	*h = (struct shard_header){ 0 };
	if (code == CLI_PROCEED)
		shard_header_of(&f, h);
	shard_clear(&f);
	return code;
}
