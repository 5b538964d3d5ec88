/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of a search that is done in pieces: a shard is work that waits, a result is work that was
 * done. docs/shards.md has the format. Commands read and write them through this header, and so
 * does what hands shards out to machines.
 */
#ifndef CLI_SHARD_H
#define CLI_SHARD_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sixteen hexadecimal digits and a zero. */
#define SHARD_ID	17
/* As the parent of what no shard was before. */
#define SHARD_NO_ID	"0000000000000000"

enum shard_kind {
	SHARD_WORK = 1,		/* prefixes that wait for their runs */
	SHARD_RESULT,		/* what was done with one shard, or with several */
};

/**
 * struct shard_header - what is to be known of a file to hand it out, or to see what came of it
 * @kind: of the file
 * @id: of its contents: two files with the same one are the same
 * @search: the same for all files of one search
 * @parent: of a shard, the shard that left it over; of a result, the shard that was run, or the
 *	first one of those that were split again; SHARD_NO_ID: none, as the search began there
 * @level: fewest preemptions (or what else the strategy counts) of what waits; of a result, of
 *	what it left over
 * @bound: of the search
 * @weight: share of the whole search that waits; by Knuth's estimate, a guess
 * @prefixes: so many wait
 * @runs: that a result is of; 0 in a shard
 * @seconds: that those runs took
 * @left: a result: something was left over
 * @rest: the shard with that, where there is one; else SHARD_NO_ID
 * @bug: a result: a run failed
 * @preemptions: of that run; -1: there is none
 * @image: what the program's files are in, as given with --image; "as installed"
 */
struct shard_header {
	enum shard_kind kind;
	char id[SHARD_ID], search[SHARD_ID], parent[SHARD_ID];
	unsigned int level, bound;
	double weight;
	uint64_t prefixes, runs;
	double seconds;
	bool left;
	char rest[SHARD_ID];
	bool bug;
	int preemptions;
	char image[256];
};

/*
 * The whole file is read and its checksum verified. Return: CLI_PROCEED, or an exit code after one
 * sentence on stderr that names the file.
 */
int shard_read_header(const char *file, struct shard_header *h);

/**
 * struct shard_file - a file in memory
 * @kind: of it
 * @id: of the contents; shard_write() works it out
 * @meta: what it says of itself
 * @body: of a shard, the prefixes, as chess_frontier_pack() makes them; of a result, the numbers of
 *	its happens-before classes, eight bytes each
 * @n: bytes of it
 */
struct shard_file {
	enum shard_kind kind;
	char id[SHARD_ID];
	struct json_object *meta;
	unsigned char *body;
	size_t n;
};

/* As shard_read_header(); shard_clear() it in both cases. */
int shard_read(const char *file, struct shard_file *f);
/* The same from memory; @file is for sentences. */
int shard_parse(const char *file, const unsigned char *data, size_t n, struct shard_file *f);
/* Under another name at first, then renamed: no process sees half of it. As shard_read(). */
int shard_write(const char *file, struct shard_file *f);
/* Works out f->id. */
void shard_identify(struct shard_file *f);
void shard_clear(struct shard_file *f);
void shard_header_of(const struct shard_file *f, struct shard_header *h);

#endif /* CLI_SHARD_H */
