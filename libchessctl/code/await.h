/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loops in which a task can only wait: nothing that they do changes anything, so only another
 * task ends them.
 */
#ifndef CHESSCTL_AWAIT_H
#define CHESSCTL_AWAIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <Zydis/Zydis.h>

#define CHESS_AWAIT_ACCESSES	8
#define CHESS_AWAIT_ENDS	16
/* Instructions that are left out on the way to a smaller loop. */
#define CHESS_AWAIT_BARRED	32

/* A jump within a function, by offsets. */
struct chess_await_jump {
	uint32_t from, to;
};

/**
 * struct chess_await_code - one function
 * @decoder: for its instructions
 * @code: @size bytes
 * @start: for each byte, whether an instruction begins there
 * @jump: all jumps within it
 * @jumps: of @jump
 * @frames: rbp points at its frame all the time
 * @rsp_taken: slots from there on, by rsp, may have other names; INT64_MAX: none has
 * @rbp_taken: the same by rbp
 */
struct chess_await_code {
	const ZydisDecoder *decoder;
	const uint8_t *code;
	size_t size;
	const uint8_t *start;
	const struct chess_await_jump *jump;
	size_t jumps;
	bool frames;
	int64_t rsp_taken, rbp_taken;
};

/**
 * struct chess_await_access - an instruction in a loop that accesses memory
 * @at: offset in the function
 * @turns: as chess_operand.awaits
 * @op: as chess_operand.await_op
 * @source: as chess_operand.await_source
 */
struct chess_await_access {
	uint32_t at;
	uint8_t turns, op, source;
};

/**
 * struct chess_await_loop - a loop, by offsets in the function
 * @access: where tasks wait, @n of them
 * @end: where the loop can be left to, @ends of them
 * @barred, @n_barred, @last: for chess_await_next()
 */
struct chess_await_loop {
	struct chess_await_access access[CHESS_AWAIT_ACCESSES];
	unsigned int n;
	uint32_t end[CHESS_AWAIT_ENDS];
	unsigned int ends;
	uint32_t barred[CHESS_AWAIT_BARRED];
	unsigned int n_barred;
	bool last;
};

/**
 * chess_await_next() - the largest loop with a certain jump, and then smaller ones in it
 * @c: the function
 * @jump: one of its jumps
 * @loop: all zero for the first one; else as the last call left it
 *
 * Return: whether there is one in which tasks wait. Each is to be used with all of its ends, or
 * not at all.
 */
bool chess_await_next(const struct chess_await_code *c, const struct chess_await_jump *jump,
		      struct chess_await_loop *loop);

#endif /* CHESSCTL_AWAIT_H */
