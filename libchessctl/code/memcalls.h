/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls of functions that access memory for their caller: memcpy(), strcpy(), snprintf() and
 * so on. The C library's own code is not looked at, so the call stands for what it does.
 */
#ifndef CHESSCTL_MEMCALLS_H
#define CHESSCTL_MEMCALLS_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/constants.h"
#include "code/memcall_table.h"
#include "code/operand.h"

/*
 * A call that asks where errno is reads it, as far as accesses tell: 4 bytes at this address,
 * which is far from all that programs map by default. Each task has one of its own.
 */
#define CHESS_ADDRESS_ERRNO	0x3e0000000004
/*
 * Likewise for all tasks of a process: standard input, for functions whose arguments do not
 * name it, the functions that exit() will call, the environment, what strtok() remembers, what
 * mbrtowc() does where it is given no state, which keys of threads there are, the functions
 * that fork() will call, where the data segment ends, the limits of resources, the clock, and
 * standard output.
 */
#define CHESS_ADDRESS_STDIN	0x3d0000000000
#define CHESS_ADDRESS_EXITS	0x3d0000000040
#define CHESS_ADDRESS_ENVIRONMENT 0x3d0000000080
#define CHESS_ADDRESS_TOKENS	0x3d00000000c0
#define CHESS_ADDRESS_SHIFT	0x3d0000000100
#define CHESS_ADDRESS_KEYS	0x3d0000000140
#define CHESS_ADDRESS_FORKS	0x3d0000000180
#define CHESS_ADDRESS_BREAK	0x3d00000001c0
#define CHESS_ADDRESS_LIMITS	0x3d0000000200
#define CHESS_ADDRESS_CLOCK	0x3d0000000240
#define CHESS_ADDRESS_OUTPUT	0x3d0000000280

/* Where a file leads to one of them: @at is a stub (.plt), or the pointer that it jumps by. */
struct chess_memcall_way {
	uint64_t at;
	const struct chess_memcall *function;
};

/**
 * struct chess_memcalls - those of one file
 * @way: in order of addresses; chess_memcalls_free() it
 * @n: how many
 * @room: of @way
 * @variable: where the file has the C library's variables that it uses, by enum
 *	chess_memcall_state; 0: it does not use that one, or has a pointer to it
 * @handles: it installs handlers of signals
 */
struct chess_memcalls {
	struct chess_memcall_way *way;
	size_t n, room;
	uint64_t variable[CHESS_MEMCALL_STATES];
	bool handles;
};

/* Of a file that is linked dynamically; in others there are none. 0 or -ENOMEM */
int chess_memcalls_read(Elf *elf, struct chess_memcalls *out);
/* Does it call open_memstream() or the like? Then which variable they are given is to be noted. */
bool chess_memcalls_have_memstream(const struct chess_memcalls *m);
/* A call of @function; @held: the constants that it is given. */
void chess_memcalls_note_memstream(struct chess_memcalls *m, const struct chess_memcall *function,
				   const struct chess_constants *held);
/* The function that a call leads to by @at, or NULL. */
const struct chess_memcall *chess_memcalls_find(const struct chess_memcalls *m, uint64_t at);
/* The register of argument @number, 1 to CHESS_MEMCALL_ARGUMENTS. */
uint8_t chess_memcall_register(unsigned int number);
/* The register with the format of a call of @function; CHESS_REG_NONE: it has none. */
uint8_t chess_memcall_format(const struct chess_memcall *function);
/**
 * chess_memcall_operands() - what a call accesses
 * @m: those of the file that has the call
 * @address: of the call in that file
 * @function: what it calls
 * @format: the @size bytes from where the format begins, if @function has one that is known
 * @size: see @format
 * @out: gets the operands; of more than CHESS_OPERANDS_MAX the first ones
 */
void chess_memcall_operands(const struct chess_memcalls *m, uint64_t address,
			    const struct chess_memcall *function, const char *format, size_t size,
			    struct chess_insn *out);
/*
 * Where @held says that the state a call of @function is given is NULL, and the function then has
 * one of its own, that one takes its place in @out's operands.
 */
void chess_memcall_own_state(const struct chess_memcall *function,
			     const struct chess_constants *held, struct chess_insn *out);
/* Where all that @function does is to copy memory or to fill it, @out's operands say so. */
void chess_memcall_copy(const struct chess_memcall *function, bool jump, struct chess_insn *out);
/*
 * What a call accesses, perhaps, that hands its arguments on to vprintf(), in @out's operands;
 * @format: the @size bytes from where argument @number points. Return: whether there is anything
 */
bool chess_memcall_handed_on(const char *format, size_t size, unsigned int number,
			     struct chess_insn *out);
/* What a report calls one of the addresses above; NULL: @address is another one. */
const char *chess_memcalls_state(uint64_t address);
void chess_memcalls_free(struct chess_memcalls *m);

#endif /* CHESSCTL_MEMCALLS_H */
