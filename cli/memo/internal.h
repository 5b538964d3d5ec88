/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files that know where a memo is share: store.c has SQLite, remote.c a stream.
 */
#ifndef CLI_MEMO_INTERNAL_H
#define CLI_MEMO_INTERNAL_H

#include <sqlite3.h>

#include "memo/memo.h"

/* In the head of the file: "ChMm", and the version of the tables. */
#define MEMO_APPLICATION	0x43684d6d
#define MEMO_VERSION		1

/* How memo_*() does what it says. */
struct memo_ops {
	int (*begin)(struct memo *m, const struct memo_session *s);
	int64_t (*place)(struct memo *m, const struct memo_place *p);
	int (*recall)(struct memo *m, struct memo_iroot *root, size_t n);
	int64_t (*note)(struct memo *m, const struct memo_run *run, size_t n,
			const struct memo_iroot *root);
	int (*end)(struct memo *m, const char *verdict, const char *trace, double seconds);
	void (*close)(struct memo *m);
};

enum memo_statement {
	MEMO_SELECT_PLACE, MEMO_INSERT_PLACE, MEMO_SELECT_IROOT, MEMO_FAILED, MEMO_INSERT_IROOT,
	MEMO_EXPOSE, MEMO_ATTEMPT, MEMO_RUN, MEMO_STATEMENTS,
};

/**
 * struct memo - an open one
 * @ops: how
 * @path: as given; NULL: it is remote
 * @db: the database
 * @statement: prepared when they are first needed
 * @session: number of the search that goes on
 * @fd: stream to it, where it is remote
 * @error: why the last call failed
 */
struct memo {
	const struct memo_ops *ops;
	char *path;
	sqlite3 *db;
	sqlite3_stmt *statement[MEMO_STATEMENTS];
	int64_t session;
	int fd;
	char error[512];
};

/* -1, with the sentence */
int memo_failed(struct memo *m, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* store.c: statements in one; 0 or -1 with memo_error() */
int memo_exec(struct memo *m, const char *sql);

/*
 * What remote.c and serve.c say to each other: a head, and so many bytes. Both are of one build
 * and on one machine. Strings end with NUL and follow each other.
 */
enum memo_message {
	MEMO_MSG_BEGIN = 1,	/* seed, four strings */
	MEMO_MSG_PLACE,		/* offset, five strings; the answer is its number */
	MEMO_MSG_RECALL,	/* struct memo_iroot's; and the same as answer */
	MEMO_MSG_NOTE,		/* count, struct memo_run's, struct memo_iroot's; a number */
	MEMO_MSG_END,		/* seconds, two strings */
	MEMO_MSG_OK,
	MEMO_MSG_FAILED,	/* a string */
};

struct memo_head {
	uint32_t type, length;
};

/* No message is longer: a search knows of 20,000 iRoots or so, and each is smaller than this. */
#define MEMO_MESSAGE_MAX	(8u << 20)

/* 0, or -1: the stream has ended */
int memo_send(int fd, uint32_t type, const void *a, size_t na, const void *b, size_t nb);
/* @data: malloc'ed, with a NUL after its end */
int memo_receive(int fd, struct memo_head *head, char **data);

#endif /* CLI_MEMO_INTERNAL_H */
