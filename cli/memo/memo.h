/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A memo: the iRoots of a program, which searches exposed them, and which tried in vain, in an
 * SQLite database that outlives them (Maple, OOPSLA'12, section 5). It is a file of this machine
 * (store.c); a search in the VM reaches it through its host (remote.c, serve.c).
 *
 * Nothing in it depends on one run or one search: an operation in the program is named by the
 * build-id of its file, its offset there and what it does.
 */
#ifndef CLI_MEMO_H
#define CLI_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <chessctl/chessctl.h>

struct memo;

/**
 * struct memo_session - a search that begins
 * @program: its file, from the root
 * @build_id: of that, or another name that goes with what is in it
 * @command: its command line, as a shell reads it
 * @cwd: where it is searched
 * @seed: of the search
 *
 * Searches with the same @build_id, @command and @cwd have the same input.
 */
struct memo_session {
	const char *program, *build_id, *command, *cwd;
	uint64_t seed;
};

/**
 * struct memo_place - an operation in a program
 * @file: build-id of the file, or another name that goes with what is in it
 * @offset: in that file
 * @op: what it does
 * @path: of the file; this and the next two are for people, and no part of the key
 * @function: it is in, or ""
 * @line: "file.c:12", or ""
 */
struct memo_place {
	const char *file;
	uint64_t offset;
	const char *op, *path, *function, *line;
};

/**
 * struct memo_iroot - an iRoot; see struct chess_memo_iroot
 * @place: numbers from memo_place_number(); 0: the idiom has none
 */
struct memo_iroot {
	int64_t place[CHESS_MEMO_PLACES];
	uint32_t failed, failed_here;
	uint8_t idiom;
	uint8_t predicted, exposed, tried, before;
};

/**
 * struct memo_run - a run of the search
 * @number: in it, from 1
 * @idiom: of the iRoot that it was to expose; 0: it was a profile
 * @known: iRoots of the search by then
 * @exposed: of them, those that its runs exposed
 */
struct memo_run {
	uint64_t number, known, exposed;
	uint32_t idiom;
	uint32_t n;	/* of the iRoots that come with it */
};

/* Opened how? */
enum memo_open {
	MEMO_READ,	/* it must be there, and stays as it is */
	MEMO_WRITE,	/* it is made if need be */
};

/*
 * CLI_PROCEED, or an exit code after one sentence. A file that is damaged, of a newer chessctl or
 * of something else stays as it is.
 */
int memo_open(struct memo **out, const char *path, enum memo_open how);
void memo_close(struct memo *m);
/* Why the last call failed; never NULL. */
const char *memo_error(const struct memo *m);

/* Each returns 0 (the number, where one is asked for) or -1 with memo_error(). */
int memo_begin(struct memo *m, const struct memo_session *s);
int64_t memo_place_number(struct memo *m, const struct memo_place *p);
/* fills in @before, @failed and @failed_here */
int memo_recall(struct memo *m, struct memo_iroot *root, size_t n);
/*
 * @n runs of the search, and the iRoots of each after each other. All of it, or nothing where we
 * are killed meanwhile. Return: how many no search had exposed
 */
int64_t memo_note(struct memo *m, const struct memo_run *run, size_t n,
		  const struct memo_iroot *root);
/* @trace: of the bug, from the root; NULL: there is none */
int memo_end(struct memo *m, const char *verdict, const char *trace, double seconds);

/* merge.c: all of the memo at @from comes into @m. CLI_PROCEED, or an exit code after a sentence */
int memo_merge(struct memo *m, const char *from);

/*
 * serve.c: a process that serves the memo at @path to one search at a time. Return: its end of a
 * socket, or -1 after one sentence; memo_serve_end() once that is closed everywhere
 */
/* The virtio port that the VM sees of it is called so. */
#define MEMO_PORT	"chess.memo"
int memo_serve(const char *path);
void memo_serve_end(void);
/* remote.c: the memo that the host of this VM serves. As memo_open() */
int memo_open_remote(struct memo **out);
/* Is there one? */
bool memo_is_remote(void);
/* one that is at the other end of a stream; for tests */
struct memo *memo_of_stream(int fd);

#endif /* CLI_MEMO_H */
