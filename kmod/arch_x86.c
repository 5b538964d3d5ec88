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
 * chess_arch_leave_slot() - from the middle of a slot to an instruction of the program
 * @regs: user registers with ip in the slot
 * @p: its trap
 * @va: address of the instruction under it
 * @pos: of ip in the slot
 *
 * A slot is one instruction and a jump, or for a call the push of the return address and
 * a jump. A jump to a known place is done, a push before another one is undone.
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
	if (pos)
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
