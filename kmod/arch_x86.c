// SPDX-License-Identifier: GPL-2.0-only
/*
 * See arch_x86.h.
 */
#include <asm/cpufeature.h>
#include <asm/fsgsbase.h>
#include <asm/msr.h>

#include <uapi/linux/chess_record.h>

#include "arch_x86.h"
#include "compat.h"
#include "traps/fast.h"
#include "user.h"

#define FOR_16(m) m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11) m(12) m(13) \
	m(14) m(15)
#define FOR_UPPER_16(m) m(16) m(17) m(18) m(19) m(20) m(21) m(22) m(23) m(24) m(25) m(26) \
	m(27) m(28) m(29) m(30) m(31)
#define FOR_8(m) m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7)

#define STORE_XMM(n) asm volatile("movups %%xmm" #n ", %0" : "=m" (v->vector[n]));
#define STORE_YMM(n) asm volatile("vmovups %%ymm" #n ", %0" : "=m" (v->vector[n]));
#define STORE_ZMM(n) asm volatile("vmovups %%zmm" #n ", %0" : "=m" (v->vector[n]));
/* Two bytes of the eight. */
#define STORE_K16(n) asm volatile("kmovw %%k" #n ", %0" : "+m" (v->opmask[n]));
#define STORE_K64(n) asm volatile("kmovq %%k" #n ", %0" : "=m" (v->opmask[n]));

/**
 * chess_arch_read_vector() - vector and mask registers of the current program
 * @v: where to
 *
 * Between a trap and the return from it nothing of the kernel's uses them, so they are
 * as the program has them.
 *
 * Context: probe (trap of current), IRQs off.
 * Return: false: they are not in the processor.
 */
bool chess_arch_read_vector(struct chess_vector *v)
{
	lockdep_assert_irqs_disabled();
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		return false;
	v->vectors = 16;
	v->has_opmask = boot_cpu_has(X86_FEATURE_AVX512F);
	if (boot_cpu_has(X86_FEATURE_AVX512F)) {
		v->vectors = 32;
		FOR_16(STORE_ZMM)
		FOR_UPPER_16(STORE_ZMM)
		memset(v->opmask, 0, sizeof(v->opmask));
		if (boot_cpu_has(X86_FEATURE_AVX512BW)) {
			FOR_8(STORE_K64)
		} else {
			FOR_8(STORE_K16)
		}
	} else if (boot_cpu_has(X86_FEATURE_AVX)) {
		FOR_16(STORE_YMM)
	} else {
		FOR_16(STORE_XMM)
	}
	return true;
}

/**
 * chess_arch_general() - a general register
 * @regs: user registers
 * @n: its number in instructions; that of rip is CHESS_REG_RIP
 *
 * Context: any.
 * Return: its value; zero for other numbers.
 */
u64 chess_arch_general(const struct pt_regs *regs, u8 n)
{
	/* As instructions number them, then rip. */
	static const u8 at[] = {
		offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx),
		offsetof(struct pt_regs, dx), offsetof(struct pt_regs, bx),
		offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
		offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
		offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9),
		offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
		offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13),
		offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
		offsetof(struct pt_regs, ip),
	};

	return n < ARRAY_SIZE(at) ? *(const unsigned long *)((const char *)regs + at[n]) : 0;
}

/**
 * chess_arch_plain_address() - the same as chess_operand_lanes(), for most operands
 * @regs: registers before the instruction
 * @op: the operand, chess_arch_is_plain()
 *
 * Context: any.
 * Return: its first byte.
 */
u64 chess_arch_plain_address(const struct pt_regs *regs, const struct chess_operand *op)
{
	return chess_arch_general(regs, op->base) +
	       chess_arch_general(regs, op->index) * op->scale + op->disp;
}

/**
 * chess_arch_operand_regs() - what the address of an operand follows from
 * @regs: registers before the instruction
 * @op: the operand; a segment's base is read only where it uses it
 * @out: all but vector and mask registers
 *
 * Context: probe (trap of current).
 */
void chess_arch_operand_regs(const struct pt_regs *regs, const struct chess_operand *op,
			     struct chess_regs *out)
{
	*out = (struct chess_regs) {
		.gpr = {
			regs->ax, regs->cx, regs->dx, regs->bx, regs->sp, regs->bp, regs->si,
			regs->di, regs->r8, regs->r9, regs->r10, regs->r11, regs->r12,
			regs->r13, regs->r14, regs->r15,
		},
		.rip = regs->ip,
		.flags = regs->flags,
	};
	/* The task's own copies are old where the program writes these registers itself. */
	if (op->segment == CHESS_BASE_FS)
		out->fs_base = x86_fsbase_read_cpu();
	else if (op->segment == CHESS_BASE_GS)
		chess_compat_rdmsr(MSR_KERNEL_GS_BASE, out->gs_base);
}

static const struct chess_fixup *find_fixup(const struct chess_probe *p, unsigned int kind,
					    unsigned int pos)
{
	u32 i;

	for (i = 0; i < p->nfixups; i++)
		if (p->fixups[i].kind == kind && p->fixups[i].pos == pos)
			return &p->fixups[i];
	return NULL;
}

/* jmp *0(%rip) with the address after it: what every slot ends with, except a ret. */
static const struct chess_fixup *find_jump(const struct chess_probe *p, unsigned int pos)
{
	if (pos + 14 > p->slot_len || p->slot[pos] != 0xff || p->slot[pos + 1] != 0x25 ||
	    find_fixup(p, CHESS_FIXUP_REL32, pos + 2))
		return NULL;
	return find_fixup(p, CHESS_FIXUP_ABS64, pos + 6);
}

/**
 * chess_arch_jump() - a jump over the beginning of a function
 * @out: the jump
 * @from: where it stands
 * @to: where it leads to
 *
 * Context: any.
 * Return: false: it does not reach.
 */
bool chess_arch_jump(u8 out[CHESS_ARCH_JUMP_BYTES], unsigned long from, unsigned long to)
{
	s64 rel = to - (from + CHESS_ARCH_JUMP_BYTES);
	s32 rel32 = rel;

	out[0] = CHESS_ARCH_JUMP_BYTE;
	memcpy(out + 1, &rel32, sizeof(rel32));
	return rel == rel32;
}

/* The distance from the end of an instruction, where it stands, to memory near it. */
static void put_distance(u8 *out, unsigned int pos, unsigned long next, unsigned long to)
{
	s32 rel32 = to - next;

	memcpy(out + pos, &rel32, sizeof(rel32));
}

/**
 * chess_arch_fast_build() - the code of a fast point, but for its slot
 * @out: CHESS_ARCH_FAST_BYTES of it; those of the slot are not written
 * @at: address it is for
 * @ring: address of the ring, struct chess_fast_head
 * @site: number of the place
 *
 * At the beginning of a function a caller expects nothing of r10, r11 and the flags. The stack
 * is not touched: there may be no room.
 *
 * Context: any.
 */
void chess_arch_fast_build(u8 *out, unsigned long at, unsigned long ring, u32 site)
{
	static const u8 begin[] = {
		0x83, 0x2d, 0, 0, 0, 0, 0x01,		/*  0: subl $1, budget(%rip) */
		0x78, CHESS_ARCH_FAST_TRAP - 9,		/*  7: js trap */
		0x4c, 0x8b, 0x1d, 0, 0, 0, 0,		/*  9: mov next(%rip), %r11 */
		0x49, 0x89, 0x3b,			/* 16: mov %rdi, (%r11) */
		0x4c, 0x8b, 0x14, 0x24,			/* 19: mov (%rsp), %r10 */
		0x4d, 0x89, 0x53, 0x08,			/* 23: mov %r10, 8(%r11) */
		0x49, 0x89, 0x63, 0x10,			/* 27: mov %rsp, 16(%r11) */
		0x41, 0xc7, 0x43, 0x18, 0, 0, 0, 0,	/* 31: movl $site, 24(%r11) */
		0x49, 0x83, 0xc3, 0x20,			/* 39: add $32, %r11 */
		0x4c, 0x89, 0x1d, 0, 0, 0, 0,		/* 43: mov %r11, next(%rip) */
	};
	const unsigned long budget = ring + offsetof(struct chess_fast_head, budget);
	const unsigned long next = ring + offsetof(struct chess_fast_head, next);

	BUILD_BUG_ON(sizeof(begin) != CHESS_ARCH_FAST_SLOT);
	BUILD_BUG_ON(sizeof(struct chess_fast_entry) != 32);
	memcpy(out, begin, sizeof(begin));
	put_distance(out, 2, at + 7, budget);
	put_distance(out, 12, at + 16, next);
	memcpy(out + 35, &site, sizeof(site));
	put_distance(out, 46, at + 50, next);
	memset(out + CHESS_ARCH_FAST_TRAP, CHESS_ARCH_TRAP_BYTE,
	       CHESS_ARCH_FAST_BYTES - CHESS_ARCH_FAST_TRAP);
}

static u8 copy_kind(const struct chess_operand *op)
{
	return op->copy & CHESS_COPY_KIND;
}

/* How much room there is for it, where it is said. */
static u64 copy_room(const struct pt_regs *regs, const struct chess_operand *op)
{
	if (!(op->copy & CHESS_COPY_CHECKED))
		return U64_MAX;
	return copy_kind(op) >= CHESS_COPY_STRING && copy_kind(op) != CHESS_COPY_PADDED ?
	       regs->dx : regs->cx;
}

/**
 * chess_arch_may_copy() - can what an instruction copies be copied in its place
 * @regs: user registers at it
 * @op: its first operand: of a string, or of a call with chess_operand.copy
 * @bytes: how many it copies
 *
 * Context: any, in current.
 * Return: false: it goes downwards, wraps around, fails by itself, or the place where it returns
 *	to is not known.
 */
bool chess_arch_may_copy(const struct pt_regs *regs, const struct chess_operand *op, u64 bytes)
{
	unsigned long ret;

	if (op->form == CHESS_FORM_STRING)
		return regs->cx <= bytes && !(regs->flags & X86_EFLAGS_DF);
	if (copy_kind(op) < CHESS_COPY_STRING && chess_arch_general(regs, op->mask) > bytes)
		return false;
	return copy_room(regs, op) >= bytes &&
	       (!(op->copy & CHESS_COPY_JUMP) || chess_user_word(regs->sp, &ret));
}

/**
 * chess_arch_filler() - what an instruction fills memory with
 * @regs: user registers at it
 * @op: its operand, as for chess_arch_may_copy()
 *
 * Context: any.
 * Return: an element, in the lower bytes.
 */
u64 chess_arch_filler(const struct pt_regs *regs, const struct chess_operand *op)
{
	if (op->form == CHESS_FORM_STRING)
		return regs->ax;
	return copy_kind(op) == CHESS_COPY_ZEROES ? 0 : regs->si;
}

/**
 * chess_arch_copy_return() - what an instruction copies was copied in its place
 * @regs: user registers at it; afterwards those after it
 * @p: its trap
 * @op: its operand, as for chess_arch_may_copy()
 * @end: after the last byte that was written
 *
 * Context: any, in current.
 */
void chess_arch_copy_return(struct pt_regs *regs, const struct chess_probe *p,
			    const struct chess_operand *op, unsigned long end)
{
	unsigned long ret = regs->ip + p->orig_len;

	if (op->form != CHESS_FORM_STRING)
		regs->ax = copy_kind(op) == CHESS_COPY_TO_END ? end :
			   copy_kind(op) == CHESS_COPY_STRING_END ? end - 1 : regs->di;
	/* It was there a moment ago: see chess_copy_go_on(). */
	if (op->copy & CHESS_COPY_JUMP && chess_user_word(regs->sp, &ret))
		regs->sp += sizeof(ret);
	regs->ip = ret;
}

/**
 * chess_arch_leave_slot() - from the middle of a slot to an instruction of the program
 * @regs: user registers with ip in the slot
 * @p: its trap
 * @va: address of the instruction under it
 * @pos: of ip in the slot
 *
 * A slot is one instruction and a jump, or for a call the push of the return address and
 * a jump. A jump to a known place is done, a push before another one is undone. With
 * CHESS_PROBE_JUMP there may be several instructions, which can be executed once more; a task that
 * is stepped would do that for ever, and stays in the slot.
 *
 * Context: any.
 */
void chess_arch_leave_slot(struct pt_regs *regs, const struct chess_probe *p, unsigned long va,
			   unsigned int pos)
{
	const struct chess_fixup *jump = find_jump(p, pos);

	if (jump) {
		regs->ip = va + (s64)jump->addend;
		return;
	}
	if (pos && (p->flags & CHESS_PROBE_JUMP) && chess_arch_is_stepping(regs))
		return;
	if (pos && !(p->flags & CHESS_PROBE_JUMP))
		regs->sp += sizeof(long);
	regs->ip = va;
}

/**
 * chess_arch_dwarf_regs() - user registers in DWARF order
 * @regs: the registers
 * @out: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 .. r15, rip
 *
 * Context: any.
 */
void chess_arch_dwarf_regs(const struct pt_regs *regs, u64 out[17])
{
	out[0] = regs->ax;
	out[1] = regs->dx;
	out[2] = regs->cx;
	out[3] = regs->bx;
	out[4] = regs->si;
	out[5] = regs->di;
	out[6] = regs->bp;
	out[7] = regs->sp;
	out[8] = regs->r8;
	out[9] = regs->r9;
	out[10] = regs->r10;
	out[11] = regs->r11;
	out[12] = regs->r12;
	out[13] = regs->r13;
	out[14] = regs->r14;
	out[15] = regs->r15;
	out[16] = regs->ip;
}
