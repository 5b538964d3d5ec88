/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * How the address of a memory operand follows from the registers before its
 * instruction: what goes with a trap at an access, see struct chess_probe.
 */
#ifndef _UAPI_LINUX_CHESS_OPERAND_H
#define _UAPI_LINUX_CHESS_OPERAND_H

#include <linux/types.h>

#define CHESS_OPERAND_READ	0x01
#define CHESS_OPERAND_WRITE	0x02
/* Locked, or as good as (xchg): no other access comes between its read and its write. */
#define CHESS_OPERAND_ATOMIC	0x04
/* The address has 32 bits (prefix 67). */
#define CHESS_OPERAND_ADDR32	0x08
/* A string instruction that rcx counts. */
#define CHESS_OPERAND_REPEAT	0x10
/* Of several elements the first is all that is certain: the data may end it (cmps, scas). */
#define CHESS_OPERAND_UPTO	0x20
/* @mask is the number of a vector register: the top bits of its elements; else a k register. */
#define CHESS_OPERAND_VECTOR_MASK 0x40
/*
 * Of @elements in a row, or less where @mask counts less, only the first one is certain, as of a
 * string whose end is not known; forms PLAIN and COUNTED. The others are recorded as
 * CHESS_ACCESS_MAY_READ or CHESS_ACCESS_MAY_WRITE.
 */
#define CHESS_OPERAND_PERHAPS	0x80

/**
 * enum chess_operand_form - what is done with base + index * scale + disp
 * @CHESS_FORM_PLAIN: @size bytes are there
 * @CHESS_FORM_STRING: elements of @size bytes, upwards or downwards by the direction flag
 * @CHESS_FORM_BITS: @mask is a general register that counts bits from there; the word of
 *	@size bytes that has the bit is accessed
 * @CHESS_FORM_TABLE: the byte al counts from there (xlat)
 * @CHESS_FORM_COUNTED: @mask is a general register that counts elements of @size bytes, upwards
 * @CHESS_FORM_GATHER: @index is a vector of @index_size bytes an element; each of the
 *	@elements whose mask is set is an access of @size bytes of its own
 * @CHESS_FORM_MASKED: of @elements of @size bytes in a row those whose mask is set
 * @CHESS_FORM_PACKED: as many elements in a row as the mask has bits
 * @CHESS_FORM_ANY: @size bytes, if any of @elements bits of the mask is set
 */
enum chess_operand_form {
	CHESS_FORM_PLAIN,
	CHESS_FORM_STRING,
	CHESS_FORM_BITS,
	CHESS_FORM_TABLE,
	CHESS_FORM_COUNTED,
	CHESS_FORM_GATHER,
	CHESS_FORM_MASKED,
	CHESS_FORM_PACKED,
	CHESS_FORM_ANY,
};

/* General registers as instructions number them: rax rcx rdx rbx rsp rbp rsi rdi r8 .. r15. */
#define CHESS_REG_RCX	1
#define CHESS_REG_RSP	4
#define CHESS_REG_RBP	5
#define CHESS_REG_RSI	6
#define CHESS_REG_RDI	7
/* The instruction's own address; @disp has its length in it. */
#define CHESS_REG_RIP	16
#define CHESS_REG_NONE	0xff

enum chess_segment_base { CHESS_BASE_ZERO, CHESS_BASE_FS, CHESS_BASE_GS };

#define CHESS_AWAITS_MAX	3
/* xchg, and cmpxchg, between a register and memory. */
#define CHESS_AWAIT_XCHG	1
#define CHESS_AWAIT_CMPXCHG	2

/*
 * What a call that copies returns: its first argument, or the byte after the last one that it
 * wrote.
 */
#define CHESS_COPY_KIND		0x0f
#define CHESS_COPY_TO_START	1
#define CHESS_COPY_TO_END	2
/* As CHESS_COPY_TO_START; it fills memory with zeroes. */
#define CHESS_COPY_ZEROES	3
/* A string: strcpy(), and the same to the end of another one: strcat(). */
#define CHESS_COPY_STRING	4
#define CHESS_COPY_APPEND	5
/* It returns where it wrote the zero: stpcpy(). */
#define CHESS_COPY_STRING_END	6
/* As much of a string as its third argument says, and zeroes after it: strncpy(). */
#define CHESS_COPY_PADDED	7
/*
 * Its fourth argument, or of a string the third one, is how much room there is, and with less than
 * it needs it fails.
 */
#define CHESS_COPY_CHECKED	0x40
/* The instruction is a jump: the function returns to the caller of this one. */
#define CHESS_COPY_JUMP		0x80

/**
 * struct chess_operand - how to compute one memory operand's address
 * @disp: added
 * @size: bytes, of one element where there are several
 * @flags: CHESS_OPERAND_*
 * @form: enum chess_operand_form
 * @base: CHESS_REG_* or a number below 16
 * @index: the same, or a vector register for gathers
 * @scale: of @index; 1, 2, 4, 8
 * @segment: enum chess_segment_base
 * @elements: of forms with a mask, and of CHESS_OPERAND_PERHAPS
 * @index_size: bytes of an element of a vector @index
 * @mask: see @form
 * @awaits: in runs with CHESS_RUN_FLAGS_YIELD_AWAIT: a task is here in a loop that only looks at
 *	memory, and its @awaits-th turn and each later one, 2 to CHESS_AWAITS_MAX, is like the last
 *	one: there it yields. All ways out of the loop have CHESS_PROBE_AWAIT_END. Zero: it is in
 *	no such loop
 * @await_op: with @awaits, where the access may write: CHESS_AWAIT_*. Where memory is changed
 *	the turns are counted from there; else zero
 * @await_source: with @await_op, number of the register that it may write
 * @copy: of a call, on each of its operands, which are COUNTED or PLAIN: all it does is to copy
 *	from what it reads to what it writes, or to fill that with its second argument;
 *	CHESS_COPY_*. Else zero
 * @pad: zero
 */
struct chess_operand {
	__s64 disp;
	__u16 size;
	__u8 flags;
	__u8 form;
	__u8 base;
	__u8 index;
	__u8 scale;
	__u8 segment;
	__u8 elements;
	__u8 index_size;
	__u8 mask;
	__u8 awaits;
	__u8 await_op;
	__u8 await_source;
	__u8 copy;
	__u8 pad;
};

#endif /* _UAPI_LINUX_CHESS_OPERAND_H */
