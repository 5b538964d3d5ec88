/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What was done to each byte of memory: for every word of eight bytes the accesses so far,
 * of each task, instruction and kind the last one. That is enough to find every pair of
 * instructions that races: what is ordered after the last one is so after those before.
 */
#ifndef CHESSCTL_SHADOW_H
#define CHESSCTL_SHADOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct chess_shadow_entry - accesses of one instruction by one task to one word
 * @ip: instruction
 * @access: number of the last one
 * @clock: of the task then; what a detector wants to know of it
 * @next: of the same word: index plus one
 * @task: who
 * @kind: CHESS_ACCESS_*
 * @mask: which bytes
 */
struct chess_shadow_entry {
	uint64_t ip;
	size_t access;
	uint32_t clock;
	uint32_t next;
	uint16_t task;
	uint8_t kind;
	uint8_t mask;
};

struct chess_shadow_word {
	uint64_t key;
	uint32_t head;		/* entry, index plus one; 0: none */
	bool used;
};

/* All zero but @max when empty. */
struct chess_shadow {
	struct chess_shadow_word *word;
	size_t words, used;
	struct chess_shadow_entry *entry;
	size_t n, room, max;
	uint32_t free;		/* first unused entry, index plus one */
};

/* Which word, of which address space. */
uint64_t chess_shadow_key(uint16_t space, uint64_t address);
/* Which bytes of the word at @word are from @start on and before @end. */
uint8_t chess_shadow_mask(uint64_t word, uint64_t start, uint64_t end);
/* Of the word, or NULL where it is new and there is no memory, or never accessed (@add false). */
struct chess_shadow_word *chess_shadow_find(struct chess_shadow *s, uint64_t key, bool add);
/* A new entry of @word, or NULL: no more room. */
struct chess_shadow_entry *chess_shadow_add(struct chess_shadow *s, struct chess_shadow_word *word);
/* Takes the entry out that @link, a word's head or an entry's next, leads to. */
void chess_shadow_drop(struct chess_shadow *s, uint32_t *link);
/* The bytes of @mask in @word are new memory. */
void chess_shadow_forget(struct chess_shadow *s, struct chess_shadow_word *word, uint8_t mask);
void chess_shadow_free(struct chess_shadow *s);

#endif /* CHESSCTL_SHADOW_H */
