/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions for operand_test.c: each between two int3, with what the decoder is to say
 * of it and what is needed to run it. One row of the table:
 *
 *	I expected, how, instruction
 *
 * expected: an operand is r, w or rw, ! when atomic, and its size; then a letter for its
 * form (s string, b bits, t table, gN mN pN aN gather, masked, packed, any of N
 * elements), * where rcx counts and ? where the data may end it. Two operands have _
 * between them. What is left out: -hint, -stack, -opaque.
 *
 * how: 0 the instruction is run; else the number its address must be divisible by; NORUN;
 * or WHOLE: it wants to be allowed to write more than it writes. The base register is rdi, for strings also rsi, for xlat rbx.
 */
#define NORUN 255
#define WHOLE 254
	.macro I expected, how, insn:vararg
	.section .text
	int3
.Lhere\@:
	\insn
.Lend\@:
	int3
	.section .rodata.strings, "a"
.Lname\@: .asciz "\insn"
.Lexpected\@: .asciz "\expected"
	.section .data.rel.ro, "aw"
	.quad .Lhere\@, .Lend\@ - .Lhere\@, .Lname\@, .Lexpected\@, \how, FEATURE
	.endm

	/* All of it as one function, so that selftests/access can ask for traps in it. */
	.section .text
	.globl operand_code
	.type operand_code, @function
operand_code:

	.section .data.rel.ro, "aw"
	.balign 8
	.globl operand_insns, operand_insns_end, operand_far
operand_insns:

	.set FEATURE, 0
	I r4, 0, mov (%rdi), %eax
	I r8, 0, mov -0x1234(%rdi), %r9
	I r2, 0, movzwl 0x7f(%rdi,%rcx,8), %eax
	I r4, 0, mov (%rdi,%rdx,2), %eax
	I r4, 0, mov 0x40(%rcx,%rdi), %eax
	I w1, 0, movb $1, 0x10(%rdi,%rcx,4)
	I w8, 0, movq $-1, (%rdi)
	I w2, 0, movw $1, (%rdi)
	I w4, 0, movnti %eax, (%rdi)
	I rw4, 0, addl $4, (%rdi)
	I r4, 0, cmpl $4, (%rdi)
	I r8, 0, test %rax, (%rdi)
	I rw8, 0, negq (%rdi)
	I rw1, 0, notb (%rdi)
	I rw4, 0, shll $3, (%rdi)
	I r4, 0, imul $3, (%rdi), %eax
	I r8, NORUN, divq (%rdi)
	I w1, 0, setz (%rdi)
	I r4, 0, crc32l (%rdi), %eax
	I r4, 0, popcnt (%rdi), %eax
	/* read whether or not the condition holds */
	I r4, 0, cmovz (%rdi), %eax
	I r8, 0, cmovnz (%rdi), %rax
	I r8, 0, mov %fs:(%rdi), %rax
	I w4, 0, mov %eax, %gs:8(%rdi,%rcx)
	I r4, NORUN, addr32 mov (%edi), %eax
	I r8, NORUN, mov %fs:0x28, %rax
	I r1, NORUN, movabs 0x1122334455667788, %al
	I r4, NORUN, mov operand_far(%rip), %eax
	I rw4, NORUN, addl $0x12345678, operand_far+8(%rip)

	I rw!4, 4, lock incl (%rdi)
	I rw!8, 8, lock xadd %rax, (%rdi)
	I rw!4, 4, xchg %eax, (%rdi)
	I rw!1, 0, lock orb $1, (%rdi)
	I rw!4, 4, lock cmpxchg %esi, (%rdi)
	I rw4, 0, cmpxchg %esi, (%rdi)
	I rw8, 0, cmpxchg8b (%rdi)
	I rw!8, 8, lock cmpxchg8b (%rdi)
	I rw!16, 16, lock cmpxchg16b (%rdi)

	I w1s_r1s, 0, movsb
	I w8s_r8s, 0, movsq
	I w1s*_r1s*, 0, rep movsb
	I w4s*_r4s*, 0, rep movsl
	I w1s*_r1s*, 0, repne movsb
	I w4s*, 0, rep stosl
	I w8s, 0, stosq
	I r2s, 0, lodsw
	I r1s*, 0, rep lodsb
	I r1s_r1s, 0, cmpsb
	I r1s*?_r1s*?, 0, repe cmpsb
	I r2s*?, 0, repne scasw
	I r4s, 0, scasl
	I r1t, 0, xlat
	I w8s*_r8s*, 0, fs rep movsq

	I r8b, 0, bt %rax, (%rdi)
	I r4b, 0, bt %eax, (%rdi)
	I rw4b, 0, bts %edx, (%rdi)
	I rw2b, 0, btr %ax, (%rdi)
	I rw!8b, 8, lock btc %rax, (%rdi)
	I rw4, 0, btrl $77, (%rdi)
	I r2, 0, btw $3, (%rdi)

	I r8, 0, push (%rdi)
	I w8, 0, pop (%rdi)
	I w8, NORUN, pop 8(%rsp)
	I r8, 0, call *(%rdi)
	I r8, 0, jmp *(%rdi)
	I r8, 0, notrack jmp *(%rdi)
	I -stack, NORUN, push %rax
	I -stack, NORUN, pushfq
	I -stack, NORUN, call operand_insns
	I -stack, NORUN, ret
	I -stack, NORUN, enter $8, $0
	I -stack, NORUN, leave

	I -hint, NORUN, lea (%rdi), %rax
	I -hint, NORUN, nopl (%rdi)
	I -hint, NORUN, prefetcht0 (%rdi)
	I -hint, NORUN, prefetchw (%rdi)
	I -hint, NORUN, clflush (%rdi)
	I -hint, NORUN, clflushopt (%rdi)
	I -hint, NORUN, clwb (%rdi)
	I -hint, NORUN, cldemote (%rdi)
	I -opaque, NORUN, maskmovq %mm1, %mm0
	I -opaque, NORUN, clzero
	I -opaque, NORUN, insb
	I -opaque, NORUN, invlpg (%rdi)
	I -opaque, NORUN, tileloadd (%rdi,%rsi,1), %tmm0
	I -opaque, NORUN, wrssq %rax, (%rdi)

	I r4, 0, flds (%rdi)
	I r8, 0, fldl (%rdi)
	I r10, 0, fldt (%rdi)
	I w8, 0, fstpl (%rdi)
	I w10, 0, fstpt (%rdi)
	I r2, 0, filds (%rdi)
	I w8, 0, fistpll (%rdi)
	I r10, 0, fbld (%rdi)
	I w2, 0, fnstcw (%rdi)
	I r2, 0, fldcw (%rdi)
	I w2, 0, fnstsw (%rdi)
	I w28, 0, fnstenv (%rdi)
	I r28, 0, fldenv (%rdi)
	I w108, 0, fnsave (%rdi)
	I r108, 0, frstor (%rdi)
	I w512, 16, fxsave (%rdi)
	I r512, 16, fxrstor (%rdi)
	I rw576, 64, xsave (%rdi)
	I r576, NORUN, xrstor (%rdi)

	I r4, 0, ldmxcsr (%rdi)
	I w4, 0, stmxcsr (%rdi)
	I r16, 16, movaps (%rdi), %xmm4
	I w16, 0, movdqu %xmm1, (%rdi)
	I w16, 16, movntdq %xmm1, (%rdi)
	I r4, 0, movss (%rdi), %xmm4
	I w8, 0, movlps %xmm1, (%rdi)
	I r8, 0, cvtpi2ps (%rdi), %xmm4
	I r16, 16, paddd (%rdi), %xmm4
	I r1, 0, pinsrb $3, (%rdi), %xmm4
	I w4, 0, extractps $1, %xmm1, (%rdi)
	I w1m16, WHOLE, maskmovdqu %xmm2, %xmm1

	.set FEATURE, 1		/* avx2 */
	I r32, 0, vmovdqu (%rdi), %ymm4
	I w32, 32, vmovntdq %ymm1, (%rdi)
	I r32, 0, vpaddd (%rdi), %ymm1, %ymm4
	I r4, 0, vbroadcastss (%rdi), %ymm4
	I r16, 0, vinserti128 $1, (%rdi), %ymm1, %ymm4
	I w16, 0, vextracti128 $1, %ymm1, (%rdi)
	I r8, 0, vpmovzxbd (%rdi), %ymm4
	I w4m8, 0, vpmaskmovd %ymm1, %ymm2, (%rdi)
	I r4m8, 0, vmaskmovps (%rdi), %ymm2, %ymm4
	I w8m2, 0, vmaskmovpd %xmm1, %xmm2, (%rdi)
	I w1m16, WHOLE, vmaskmovdqu %xmm2, %xmm1
	I r4g8, 0, vpgatherdd %ymm2, 0x30(%rdi,%ymm1,4), %ymm4
	I r4g4, 0, vpgatherqd %xmm2, (%rdi,%ymm3,4), %xmm4
	I r4g2, 0, vpgatherqd %xmm2, (%rdi,%xmm3,1), %xmm4
	I r8g4, 0, vpgatherdq %ymm2, (%rdi,%xmm1,8), %ymm4
	I r8g2, 0, vgatherqpd %xmm2, -8(%rdi,%xmm3,2), %xmm4

	.set FEATURE, 2		/* bmi2 */
	I r8, 0, shlx %rcx, (%rdi), %rax
	I r4, 0, mulx (%rdi), %eax, %r9d

	.set FEATURE, 3		/* avx512f, bw, dq, vl, vbmi2 */
	I r64, 64, vmovdqa64 (%rdi), %zmm4
	I w32, 0, vmovdqu64 %ymm1, (%rdi)
	I w4m16, 0, vmovdqu32 %zmm1, (%rdi){%k1}
	I w1m64, 0, vmovdqu8 %zmm1, (%rdi){%k1}
	I r4m16, 0, vmovups 0x80(%rdi), %zmm4{%k1}{z}
	I r8m8, 0, vaddpd (%rdi), %zmm1, %zmm4{%k1}
	I r4a16, 0, vaddps (%rdi){1to16}, %zmm1, %zmm4{%k1}
	I r4, 0, vaddps (%rdi){1to16}, %zmm1, %zmm4
	I r8a8, 0, vaddpd (%rdi){1to8}, %zmm17, %zmm4{%k7}{z}
	I r4a4, 0, vpaddd 0x44(%rdi){1to4}, %xmm17, %xmm20{%k7}
	I r8a4, 0, vpternlogq $0x96, (%rdi){1to4}, %ymm1, %ymm4{%k7}
	I r4a16, 0, vpcmpud $1, (%rdi){1to16}, %zmm17, %k3{%k7}
	I r8, 0, vpmultishiftqb (%rdi){1to8}, %zmm1, %zmm4{%k1}
	I r8a2, 0, vcvtpd2ps (%rdi){1to2}, %xmm20{%k6}
	I r4a8, 0, vcvtps2pd (%rdi){1to8}, %zmm20{%k7}
	I r64, 0, vmovdqu64 0x1000(%rdi), %zmm20
	I w64, 64, vmovntps %zmm17, (%rdi)
	I r64, 64, vmovntdqa (%rdi), %zmm20
	I w16, 0, vmovdqu64 %xmm17, -0x40(%rdi)
	I r1m64, 0, vmovdqu8 (%rdi), %zmm20{%k7}{z}
	I r2m32, 0, vmovdqu16 (%rdi), %zmm20{%k7}
	I w2m16, 0, vmovdqu16 %ymm17, (%rdi){%k7}
	I r4m8, 0, vmovdqu32 (%rdi), %ymm20{%k1}{z}
	I w8m8, 0, vmovupd %zmm17, (%rdi){%k7}
	I w4m4, 0, vmovdqu32 %xmm17, (%rdi){%k1}
	I r8m2, 0, vmovupd (%rdi), %xmm20{%k6}
	I r8m1, 0, vmovsd (%rdi), %xmm20{%k2}
	I w8m1, 0, vmovsd %xmm17, (%rdi){%k2}
	I r4m16, 0, vfmadd231ps (%rdi), %zmm1, %zmm20{%k7}
	I r4m16, 0, vpcmpeqd (%rdi), %zmm17, %k3{%k1}
	I r1m64, 0, vptestmb (%rdi), %zmm17, %k3{%k7}
	I r8m8, 0, vpblendmq (%rdi), %zmm17, %zmm20{%k7}
	I r4m8, 0, vcvtps2pd (%rdi), %zmm20{%k1}
	I w1m8, 0, vpmovqb %zmm17, (%rdi){%k7}
	I w4m8, 0, vpmovusqd %zmm31, (%rdi){%k1}
	I w2m16, 0, vpmovsdw %zmm17, (%rdi){%k7}
	I r4m1, 0, vmovss (%rdi), %xmm4{%k2}{z}
	I w4m1, 0, vmovss %xmm1, (%rdi){%k2}
	I w1m16, 0, vpmovdb %zmm1, (%rdi){%k1}
	I r1m16, 0, vpmovzxbd (%rdi), %zmm4{%k1}
	I r4a16, 0, vbroadcastss (%rdi), %zmm4{%k1}
	I r16a16, 0, vbroadcasti32x4 (%rdi), %zmm4{%k1}
	I w2m16, 0, vcvtps2ph $0, %zmm1, (%rdi){%k1}
	I w4m4, WHOLE, vextracti32x4 $1, %zmm1, (%rdi){%k1}
	I w8m4, WHOLE, vextractf64x4 $1, %zmm17, (%rdi){%k7}
	I r32a8, 0, vbroadcasti64x4 (%rdi), %zmm20{%k7}{z}
	I r2a32, 0, vpbroadcastw (%rdi), %zmm20{%k7}
	I r64, 0, vpshufb (%rdi), %zmm1, %zmm4{%k1}
	I r64, 0, vpermd (%rdi), %zmm17, %zmm20{%k7}
	I r16, 0, vpsrld (%rdi), %zmm17, %zmm20{%k7}
	I r32, 0, vinserti64x4 $1, (%rdi), %zmm17, %zmm20{%k7}
	I r1, 0, vpinsrb $3, (%rdi), %xmm17, %xmm20
	I w4, 0, vpextrd $1, %xmm17, (%rdi)
	I w8, 0, vmovhps %xmm17, (%rdi)
	I w4p16, 0, vpcompressd %zmm1, (%rdi){%k1}
	I w1p64, 0, vpcompressb %zmm1, (%rdi){%k1}
	I r8p8, 0, vpexpandq (%rdi), %zmm4{%k1}
	I w8p4, 0, vcompresspd %ymm17, 0x18(%rdi){%k7}
	I w2p32, 0, vpcompressw %zmm17, (%rdi){%k7}
	I r4p16, 0, vexpandps (%rdi), %zmm20{%k7}{z}
	I r1p16, 0, vpexpandb (%rdi), %xmm20{%k7}
	I r2p32, 0, vpexpandw (%rdi), %zmm20{%k1}{z}
	I r4g16, 0, vpgatherdd (%rdi,%zmm1,4), %zmm4{%k1}
	I r8g8, 0, vpgatherdq 0x100(%rdi,%ymm1,8), %zmm4{%k1}
	I r4g8, 0, vpgatherqd (%rdi,%zmm3,1), %ymm4{%k1}
	I r4g8, 0, vgatherdps 0x44(%rdi,%ymm1,2), %ymm20{%k7}
	I r4g4, 0, vpgatherdd (%rdi,%xmm1,8), %xmm20{%k1}
	I r8g4, 0, vgatherdpd (%rdi,%xmm1,4), %ymm20{%k7}
	I r8g8, 0, vpgatherqq -8(%rdi,%zmm3,8), %zmm20{%k7}
	I r8g2, 0, vgatherqpd (%rdi,%xmm3,1), %xmm20{%k6}
	I r4g4, 0, vgatherqps (%rdi,%ymm3,4), %xmm20{%k1}
	/* and the registers that only EVEX has */
	I r4g16, 0, vpgatherdd 0x44(%rdi,%zmm17,4), %zmm20{%k7}
	I r4g8, 0, vgatherdps (%rdi,%ymm17,2), %ymm20{%k1}
	I r4g4, 0, vpgatherdd (%rdi,%xmm17,8), %xmm4{%k7}
	I r8g8, 0, vgatherdpd (%rdi,%ymm17,1), %zmm20{%k7}
	I r8g2, 0, vpgatherdq (%rdi,%xmm17,4), %xmm20{%k6}
	I r8g8, 0, vpgatherqq -0x10(%rdi,%zmm31,8), %zmm20{%k1}
	I r8g4, 0, vgatherqpd (%rdi,%ymm31,2), %ymm20{%k7}
	I r4g8, 0, vgatherqps (%rdi,%zmm31,4), %ymm20{%k7}
	I r4g2, 0, vpgatherqd (%rdi,%xmm31,4), %xmm20{%k6}
	I w4g16, 0, vpscatterdd %zmm4, (%rdi,%zmm1,4){%k1}
	I w8g4, 0, vscatterqpd %ymm4, (%rdi,%ymm3,8){%k1}
	I w4g8, 0, vscatterdps %ymm20, 0x44(%rdi,%ymm1,2){%k7}
	I w4g4, 0, vpscatterdd %xmm20, (%rdi,%xmm1,8){%k1}
	I w8g8, 0, vpscatterdq %zmm20, (%rdi,%ymm1,4){%k7}
	I w8g2, 0, vscatterdpd %xmm20, (%rdi,%xmm1,8){%k6}
	I w8g8, 0, vpscatterqq %zmm20, -8(%rdi,%zmm3,8){%k7}
	I w4g2, 0, vpscatterqd %xmm20, (%rdi,%xmm3,1){%k6}
	I w4g8, 0, vscatterqps %ymm20, (%rdi,%zmm3,4){%k1}
	I w4g16, 0, vscatterdps %zmm20, (%rdi,%zmm17,4){%k7}
	I w4g8, 0, vpscatterdd %ymm20, -0x20(%rdi,%ymm17,8){%k1}
	I w4g4, 0, vpscatterdd %xmm4, (%rdi,%xmm17,4){%k7}
	I w8g8, 0, vpscatterdq %zmm20, (%rdi,%ymm17,8){%k7}
	I w8g8, 0, vpscatterqq %zmm20, 0x40(%rdi,%zmm31,8){%k1}
	I w4g8, 0, vpscatterqd %ymm20, (%rdi,%zmm31,1){%k7}
	I w4g2, 0, vscatterqps %xmm20, (%rdi,%xmm31,4){%k6}
	I w8g2, 0, vscatterqpd %xmm20, (%rdi,%xmm31,2){%k6}
	I r1, 0, kmovb (%rdi), %k3
	I r2, 0, kmovw (%rdi), %k3
	I r4, 0, kmovd (%rdi), %k1
	I r8, 0, kmovq 8(%rdi), %k7
	I w1, 0, kmovb %k7, (%rdi)
	I w2, 0, kmovw %k1, (%rdi)
	I w4, 0, kmovd %k7, (%rdi)
	I w8, 0, kmovq %k1, (%rdi)

	.set FEATURE, 4		/* movdiri, movdir64b */
	I w4, 0, movdiri %eax, (%rdi)

	.section .data.rel.ro, "aw"
operand_insns_end:
	.quad 0

	.section .text
	.size operand_code, . - operand_code

	.section .bss
	.balign 4096
operand_far:
	.skip 4096

	.section .note.GNU-stack, "", @progbits
