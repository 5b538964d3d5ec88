/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions for access_test.c. A label site_* stands at each instruction that is to be
 * found, and nowhere else.
 */
	.macro function name, unwind=1
	.globl \name
	.type \name, @function
\name:
	.if \unwind
	.cfi_startproc
	.endif
	.endm
	.macro end name, unwind=1
	.if \unwind
	.cfi_endproc
	.endif
	.size \name, . - \name
	.endm
	.macro site
	.section .data.rel.ro, "aw"
	.quad .Lsite\@
	.text
.Lsite\@:
	.endm

	.section .data.rel.ro, "aw"
	.balign 8
	.globl access_expected, access_expected_end
access_expected:
	.text

function access_plain
	site
	mov (%rdi), %eax
	mov 8(%rsp), %rax
	mov %rax, -8(%rsp,%rcx,8)
	push %rax
	site
	push (%rdi)
	lea 8(%rdi), %rax
	prefetcht0 (%rdi)
	nopl (%rax)
	site
	mov access_data(%rip), %eax
	mov access_constant(%rip), %eax
	site
	mov %eax, access_data(%rip)
	site
	lock incl access_data(%rip)
	/* a variable of its own that others change, too */
	site
	lock incl 8(%rsp)
	site
	rep movsb
	/* the thread itself, and what frames are checked by; one of its variables */
	mov %fs:0, %rax
	mov %fs:0x28, %rax
	site
	mov %rax, %fs:0x28
	site
	mov %fs:0xfffffffffffffff8, %rax
	/* rbp is the caller's here, or anything */
	site
	mov (%rbp), %rax
	fnstenv (%rdi)
	pop %rax
	pop %rax
	ret
end access_plain

function access_framed
	push %rbp
	mov %rsp, %rbp
	mov -8(%rbp), %rax
	mov %rax, -16(%rbp,%rcx,8)
	site
	mov (%rax,%rbp), %rcx
	site
	mov %fs:(%rbp), %rcx
	leave
	ret
end access_framed

/* Others may get at what stands at the address that is taken, and above it. */
function access_taken
	push %rbp
	mov %rsp, %rbp
	lea -24(%rbp), %rdi
	mov -32(%rbp), %rax
	site
	mov %rax, -24(%rbp)
	site
	mov %rax, -16(%rbp)
	site
	mov -40(%rbp,%rcx,8), %rax
	mov 8(%rsp), %rax
	leave
	ret
end access_taken

function access_taken_rsp
	mov %rsp, %rdi
	mov -8(%rsp), %rax
	site
	mov (%rsp), %rax
	ret
end access_taken_rsp

/* Not for frames only. */
function access_unframed
	push %rbp
	mov %rsp, %rbp
	site
	mov -8(%rbp), %rax
	mov %rdi, %rbp
	site
	mov -8(%rbp), %rax
	pop %rbp
	ret
end access_unframed

/* As glibc did: one thread needs no lock. */
function access_skips_lock
	site
	cmpl $0, %fs:0x18
	je 1f
	site
	lock
1:	cmpxchg %esi, (%rdi)
	ret
end access_skips_lock

/* Calls that access memory for their caller, one by a stub and one without; and another. */
function access_calls
	sub $8, %rsp
	.globl access_call_memcpy, access_call_strlen
access_call_memcpy:
	site
	call memcpy@PLT
access_call_strlen:
	site
	call *strlen@GOTPCREL(%rip)
	call abs@PLT
	/* dprintf(1, "%d %s", 0, rbx) */
	lea format(%rip), %rax
	mov %rax, %rsi
	xor %edx, %edx
	mov %rbx, %rcx
	.globl access_call_dprintf
access_call_dprintf:
	site
	call dprintf@PLT
	/* Which format this has is not known. */
	mov $1, %edi
	call dprintf@PLT
	/* A function of the program's own, with any number of arguments: (1, "%d %s", 0, rbx) */
	lea format(%rip), %rsi
	xor %edx, %edx
	mov %rbx, %rcx
	xor %eax, %eax
	.globl access_call_own
access_call_own:
	site
	call access_plain
	/* The same, but al does not say that there are any number of them. */
	lea format(%rip), %rsi
	mov %rbx, %rcx
	call access_plain
	add $8, %rsp
	ret
end access_calls

/* What stands behind the jump is no instruction. */
function access_table
	jmp 1f
	.byte 0x06, 0x07, 0x0e
1:	mov (%rdi), %eax
	ret
end access_table

/* Decodes, but a jump leads into the middle: the first bytes are data. */
function access_shifted
	jmp 1f
	.byte 0x48, 0xb8		/* movabs ... */
1:	mov (%rdi), %eax
	mov (%rsi), %eax
	nop
	nop
	nop
	nop
	ret
end access_shifted

/* Found by its symbol alone. */
function access_unwindless, 0
	.globl access_alias
	.type access_alias, @function
	.set access_alias, access_unwindless
	.size access_alias, 4
	mov (%rdi), %eax
	mov %eax, (%rsi)
	ret
end access_unwindless, 0

	.section .data.rel.ro, "aw"
access_expected_end:
	.quad 0
	.data
	.globl access_data
access_data:
	.long 7
	.section .rodata
format:
	.asciz "%d %s"
access_constant:
	.long 7
	.section .note.GNU-stack, "", @progbits
