// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of a search in pieces: what is written is read back, and what is damaged, cut, foreign or
 * of another version is refused with the sentence for that. fuzz-shard changes them in more ways.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli.h"
#include "shard/shard.h"
#include "../harness.h"

#define META "{\"search\":{\"image\":\"oci:prog@sha256:12\"},\"parents\":[\"0123456789abcdef\"]," \
	"\"level\":1,\"bound\":2,\"weight\":0.125,\"prefixes\":7"
#define RESULT META ",\"left\":[\"fedcba9876543210\"],\"left_sizes\":[]," \
	"\"result\":{\"runs\":12,\"seconds\":1.5,\"preemptions\":1}}"

static char path[] = "/tmp/chess-shard-test-XXXXXX";

static void write_file(enum shard_kind kind, const char *meta, const char *body, size_t n)
{
	struct shard_file f = { .kind = kind, .meta = json_tokener_parse(meta), .n = n };

	ASSERT_TRUE(f.meta);
	f.body = malloc(n + 1);
	memcpy(f.body, body, n);
	ASSERT_EQ(CLI_PROCEED, shard_write(path, &f));
	shard_clear(&f);
}

static unsigned char *read_bytes(size_t *n)
{
	unsigned char *data = malloc(1 << 16);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*n = read(fd, data, 1 << 16);
	close(fd);
	return data;
}

/* What the reader says of these bytes; "" where it takes them. */
static const char *said_of(const unsigned char *data, size_t n)
{
	static char text[512];
	int err = dup(STDERR_FILENO), said = memfd_create("said", MFD_CLOEXEC), code;
	struct shard_file f;

	dup2(said, STDERR_FILENO);
	code = shard_parse("the.shard", data, n, &f);
	dup2(err, STDERR_FILENO);
	close(err);
	memset(text, 0, sizeof(text));
	if (pread(said, text, sizeof(text) - 1, 0) < 0)
		abort();
	close(said);
	EXPECT_EQ(code == CLI_PROCEED, !*text);
	EXPECT_TRUE(code == CLI_PROCEED || code == CLI_USAGE);
	EXPECT_TRUE(!*text || strchr(text, '\n') == text + strlen(text) - 1);
	shard_clear(&f);
	return text;
}

TEST(what_is_written_is_read_back)
{
	struct shard_header h;
	struct shard_file f;

	close(mkstemp(path));
	write_file(SHARD_WORK, META "}", "prefixes", 8);
	ASSERT_EQ(CLI_PROCEED, shard_read(path, &f));
	EXPECT_TRUE(f.kind == SHARD_WORK && f.n == 8 && !memcmp(f.body, "prefixes", 8));
	shard_clear(&f);
	ASSERT_EQ(CLI_PROCEED, shard_read_header(path, &h));
	EXPECT_TRUE(h.level == 1 && h.bound == 2 && h.weight == 0.125 && h.prefixes == 7);
	EXPECT_TRUE(!strcmp(h.parent, "0123456789abcdef") && !strcmp(h.image, "oci:prog@sha256:12"));
	EXPECT_TRUE(!h.left && !h.bug && h.preemptions == -1 && !h.runs);
	write_file(SHARD_RESULT, RESULT, "12345678", 8);
	ASSERT_EQ(CLI_PROCEED, shard_read_header(path, &h));
	EXPECT_TRUE(h.kind == SHARD_RESULT && h.runs == 12 && h.seconds == 1.5);
	EXPECT_TRUE(h.left && !strcmp(h.rest, "fedcba9876543210") && h.bug && h.preemptions == 1);
	unlink(path);
}

TEST(id_is_that_of_the_contents)
{
	struct shard_header one, same, other;

	close(mkstemp(strcpy(path, "/tmp/chess-shard-test-XXXXXX")));
	write_file(SHARD_WORK, META "}", "prefixes", 8);
	shard_read_header(path, &one);
	write_file(SHARD_WORK, META "}", "prefixes", 8);
	shard_read_header(path, &same);
	write_file(SHARD_WORK, META "}", "prefixet", 8);
	shard_read_header(path, &other);
	EXPECT_TRUE(!strcmp(one.id, same.id) && strcmp(one.id, other.id));
	EXPECT_TRUE(!strcmp(one.search, other.search));
	unlink(path);
}

TEST(each_byte_counts)
{
	unsigned char *data;
	size_t n, i;

	close(mkstemp(strcpy(path, "/tmp/chess-shard-test-XXXXXX")));
	write_file(SHARD_RESULT, RESULT, "12345678", 8);
	data = read_bytes(&n);
	EXPECT_TRUE(n > 100 && !*said_of(data, n));
	for (i = 0; i < n; i++) {
		data[i] ^= 1;
		if (!*said_of(data, n))
			printf("# byte %zu does not count\n", i);
		EXPECT_TRUE(*said_of(data, n));
		data[i] ^= 1;
		EXPECT_TRUE(*said_of(data, i));
	}
	EXPECT_TRUE(*said_of(data, n - 1));
	data[12] = '2';
	EXPECT_TRUE(strstr(said_of(data, n), "another version of chessctl"));
	data[0] = 'C';
	EXPECT_TRUE(strstr(said_of(data, n), "neither a shard nor the result of one"));
	free(data);
	unlink(path);
}

TEST(what_lacks_something_is_refused_though_its_sum_is_right)
{
	static const char *const meta[] = {
		"{}", "[]", "{\"search\":{},\"parents\":[]}",
		"{\"search\":{},\"parents\":[\"short\"],\"level\":1,\"bound\":2,\"weight\":0,\"prefixes\":7}",
		"{\"search\":{},\"parents\":[],\"level\":1001,\"bound\":2,\"weight\":0,\"prefixes\":7}",
		"{\"search\":{},\"parents\":[],\"level\":-1,\"bound\":2,\"weight\":0,\"prefixes\":7}",
		"{\"search\":{},\"parents\":[],\"level\":1,\"bound\":2,\"weight\":\"x\",\"prefixes\":7}",
	};
	unsigned char *data;
	size_t n, i;

	close(mkstemp(strcpy(path, "/tmp/chess-shard-test-XXXXXX")));
	for (i = 0; i < sizeof(meta) / sizeof(meta[0]); i++) {
		write_file(SHARD_WORK, meta[i], "", 0);
		data = read_bytes(&n);
		EXPECT_TRUE(strstr(said_of(data, n), "is not what chessctl writes"));
		free(data);
	}
	unlink(path);
}

TEST_HARNESS_MAIN
