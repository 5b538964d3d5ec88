/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions for await_test.c. "await TURNS, OP, SOURCE" stands at each access of a loop in which
 * tasks wait, and "leave" where such a loop is left to, and both nowhere else.
 */
	.set XCHG, 1
	.set CMPXCHG, 2
	.set RAX, 0
	.set RCX, 1
	.set RDX, 2
	.set RBX, 3

	.macro function name
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.endm
	.macro end name
	.cfi_endproc
	.size \name, . - \name
	.endm
	.macro await turns, op=0, source=0
	.section .data.rel.ro, "aw"
	.quad .Lawait\@, \turns, \op, \source
	.text
.Lawait\@:
	.endm
	.macro leave_to
	.section .await_ends, "aw"
	.quad .Lleave\@
	.text
.Lleave\@:
	.endm

	.section .await_ends, "aw"
	.balign 8
	.globl await_ends, await_ends_end
await_ends:
	.section .data.rel.ro, "aw"
	.balign 8
	.globl await_expected, await_expected_end
await_expected:
	.text

/* while (!flag); */
function await_flag
1:	await 2
	mov await_data(%rip), %eax
	test %eax, %eax
	je 1b
	leave_to
	ret
end await_flag

/* the loop is entered at its condition, and pauses */
function await_rotated
	jmp 2f
1:	pause
	nopw (%rax,%rax,1)
2:	await 2
	cmpl $0, (%rdi)
	je 1b
	leave_to
	ret
end await_rotated

/* while (atomic_exchange(&lock, 1)); the value is set in each turn, also in the first one */
function await_exchange
	mov $1, %edx
1:	mov %edx, %eax
	await 2, XCHG, RAX
	xchg %eax, await_data(%rip)
	test %eax, %eax
	jne 1b
	leave_to
	ret
end await_exchange

/* a task may enter it with something else in the register */
function await_exchange_entered
	mov $2, %eax
	jmp 2f
1:	mov $1, %eax
2:	await 3, XCHG, RAX
	xchg %eax, await_data(%rip)
	test %eax, %eax
	jne 1b
	leave_to
	ret
end await_exchange_entered

/* what was there is written back */
function await_exchange_back
	mov $1, %eax
1:	xchg %eax, await_data(%rip)
	test %eax, %eax
	jne 1b
	ret
end await_exchange_back

function await_compare
	mov $1, %edx
1:	xor %eax, %eax
	await 2, CMPXCHG, RDX
	lock cmpxchg %edx, await_data(%rip)
	jne 1b
	leave_to
	ret
end await_compare

/* n++: what is written follows from what was read */
function await_update
	mov await_data(%rip), %eax
1:	lea 1(%rax), %edx
	lock cmpxchg %edx, await_data(%rip)
	jne 1b
	ret
end await_update

/* only a part of the register is set */
function await_exchange_byte
1:	mov $1, %al
	await 2, XCHG, RAX
	xchg %al, await_data(%rip)
	test %al, %al
	jne 1b
	leave_to
	ret
end await_exchange_byte

/* lock xadd, and an or, change memory more than once */
function await_add
1:	mov $1, %eax
	lock xadd %eax, await_data(%rip)
	test %eax, %eax
	jne 1b
	ret
end await_add

function await_or
1:	lock orl $1, await_data(%rip)
	je 1b
	ret
end await_or

/* turns are counted, in a register and in a slot */
function await_counted
1:	add $1, %ecx
	mov await_data(%rip), %eax
	test %eax, %eax
	je 1b
	mov %ecx, %eax
	ret
end await_counted

function await_counted_slot
	push %rbp
	mov %rsp, %rbp
1:	incl -4(%rbp)
	mov await_data(%rip), %eax
	test %eax, %eax
	je 1b
	mov -4(%rbp), %eax
	pop %rbp
	ret
end await_counted_slot

/* 1000 tries: the loop ends by itself */
function await_limited
	mov $1000, %ecx
1:	mov await_data(%rip), %eax
	test %eax, %eax
	jne 2f
	sub $1, %ecx
	jne 1b
2:	ret
end await_limited

/* what compilers make without optimizing: all goes through slots of the frame */
function await_slots
	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
1:	lea await_data(%rip), %rax
	mov %rax, -8(%rbp)
	mov -8(%rbp), %rax
	await 2
	mov (%rax), %eax
	mov %eax, -12(%rbp)
	mov -12(%rbp), %eax
	test %eax, %eax
	je 1b
	leave_to
	leave
	ret
end await_slots

/* the slot has another name: what is written there may be what is read */
function await_slot_taken
	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	lea -12(%rbp), %rdi
1:	mov (%rdi), %eax
	mov %eax, -8(%rbp)
	mov -8(%rbp), %eax
	test %eax, %eax
	je 1b
	leave
	ret
end await_slot_taken

/* so have all of a frame by the other register */
function await_slot_taken_rsp
	push %rbp
	mov %rsp, %rbp
	sub $32, %rsp
	mov %rsp, %rdi
1:	mov (%rdi), %eax
	mov %eax, -8(%rbp)
	mov -8(%rbp), %eax
	test %eax, %eax
	je 1b
	leave
	ret
end await_slot_taken_rsp

/* Peterson: two accesses, nothing is kept between them */
function await_both
1:	await 2
	mov (%rdi), %eax
	test %eax, %eax
	je 2f
	await 2
	mov await_data(%rip), %eax
	cmp %eax, %edx
	je 1b
2:	leave_to
	ret
end await_both

/* while (a + b != 2): at the second access the value of the first is kept */
function await_sum
1:	await 2
	mov (%rdi), %eax
	add (%rsi), %eax
	cmp $2, %eax
	jne 1b
	leave_to
	ret
end await_sum

/* for (i = 0; i < n; i++) while (!flag[i]); the inner loop keeps nothing */
function await_each
	xor %ecx, %ecx
1:	await 2
	mov (%rdi,%rcx,4), %eax
	test %eax, %eax
	je 1b
	leave_to
	add $1, %rcx
	cmp %rsi, %rcx
	jne 1b
	ret
end await_each

/* the outer loop works, the inner one waits; both begin at one place */
function await_worker
1:	await 2
	mov (%rdi), %eax
	test %eax, %eax
	je 1b
	leave_to
	movl $0, (%rdi)
	jmp 1b
end await_worker

/* test and test and set */
function await_twice
1:	await 2
	mov await_data(%rip), %eax
	test %eax, %eax
	jne 1b
	mov $1, %eax
	await 2, XCHG, RAX
	xchg %eax, await_data(%rip)
	test %eax, %eax
	jne 1b
	leave_to
	ret
end await_twice

/* more accesses than are kept, of which one writes */
function await_many
	mov $1, %edx
1:	mov %edx, %eax
	.irp at, 0, 4, 8, 12, 16, 20, 24, 28
	cmpl $0, \at(%rdi)
	.endr
	xchg %eax, await_data(%rip)
	test %eax, %eax
	jne 1b
	ret
end await_many

/* a loop that only computes, and one that follows a list */
function await_nothing
1:	sub $1, %ecx
	jne 1b
	ret
end await_nothing

function await_list
1:	mov (%rdi), %rdi
	test %rdi, %rdi
	jne 1b
	ret
end await_list

/* calls, stores, clocks, vectors, jumps to elsewhere */
function await_call
1:	call await_flag
	mov (%rbx), %eax
	test %eax, %eax
	je 1b
	ret
end await_call

function await_store
1:	movl $1, 4(%rdi)
	mov (%rdi), %eax
	test %eax, %eax
	je 1b
	ret
end await_store

function await_clock
1:	rdtsc
	cmp (%rdi), %eax
	jb 1b
	ret
end await_clock

function await_vector
1:	movd (%rdi), %xmm0
	ptest %xmm0, %xmm0
	je 1b
	ret
end await_vector

function await_leaves
1:	mov (%rdi), %eax
	test %eax, %eax
	js await_flag
	je 1b
	ret
end await_leaves

/* high bytes are not understood */
function await_high
1:	mov (%rdi), %eax
	test %ah, %ah
	je 1b
	ret
end await_high

	.section .data.rel.ro, "aw"
await_expected_end:
	.section .await_ends, "aw"
await_ends_end:
	.data
	.balign 8
await_data:
	.quad 0
	.section .note.GNU-stack, "", @progbits
