/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: what strategy maple says and asks of iRoots, so that a caller can remember them
 * beyond the end of a search (Maple, OOPSLA'12, section 5). The library keeps nothing itself.
 */
#ifndef CHESSCTL_API_MEMO_H
#define CHESSCTL_API_MEMO_H

#include <chessctl/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Places of one iRoot. */
#define CHESS_MEMO_PLACES	4
/*
 * An iRoot that so many runs of all searches together were to expose, in vain, is not tried again:
 * the threshold of the paper's section 6.3.2. One search alone makes fewer attempts.
 */
#define CHESS_MEMO_GIVE_UP	6

/**
 * struct chess_memo_place - an operation in the program
 * @number: by which iRoots name it, from 1 on. The same number names another place where sites
 *	have got other numbers, and is then reported again
 * @site: of an access to memory: number of its site; 0: it is a call
 * @nr: number of the system call, or -1
 * @op: enum chess_op
 * @ip: address of the instruction; of a call, of the one after it
 */
struct chess_memo_place {
	uint32_t number, site;
	int32_t nr;
	uint16_t op;
	uint64_t ip;
};

/**
 * struct chess_memo_iroot - an iRoot
 * @idiom: from 1
 * @place: numbers of A, B, C and D; 0: the idiom has none
 * @predicted: a run says that another schedule may expose it
 * @exposed: a run of this search exposed it
 * @tried: the run was made to expose it
 * @before: a run of another search exposed it
 * @failed: runs of all searches, this one too, that were to expose it and did not
 * @failed_here: of them, those with the same input, which need not be made again
 *
 * The last three are filled in by recall().
 */
struct chess_memo_iroot {
	uint32_t place[CHESS_MEMO_PLACES];
	uint8_t idiom;
	bool predicted, exposed, tried;
	bool before;
	uint32_t failed, failed_here;
};

/**
 * struct chess_memo_run - a run has ended
 * @root: iRoots that it predicted or exposed as the first run of the search, and the one that it
 *	was to expose, @n of them
 * @idiom: of the one it was to expose; 0: none, it was a profile
 * @known: iRoots that the search knows
 * @exposed: of them, those that its runs exposed
 */
struct chess_memo_run {
	const struct chess_memo_iroot *root;
	size_t n, known, exposed;
	unsigned int idiom;
};

/**
 * struct chess_memo - who remembers
 * @place: a place of iRoots that come next; @maps is the maps text of the run, or NULL
 * @recall: what is remembered of @n iRoots? Called when they are found, and of one again before
 *	it is tried. Those that nothing is known of stay as they are
 * @ran: what a run has shown
 * @arg: for all of them
 *
 * Each returns 0, or a negative errno, which ends the search. What they are given is the library's
 * and good until they return.
 */
struct chess_memo {
	int (*place)(void *arg, const struct chess_memo_place *place, const char *maps);
	int (*recall)(void *arg, struct chess_memo_iroot *root, size_t n);
	int (*ran)(void *arg, const struct chess_memo_run *run);
	void *arg;
};

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_MEMO_H */
