// SPDX-License-Identifier: GPL-2.0-only
/*
 * From one stack to another on x86-64, for the tasks of the user-space model. A
 * task stops in a function call, so only what a callee must keep has to be saved;
 * the signal mask that swapcontext(3) saves with a system call is of no use here.
 */
#include <stdint.h>

#include "sim_internal.h"

__asm__(".text\n"
	".globl sim_switch\n"
	".type sim_switch, @function\n"
	"sim_switch:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n"
	".size sim_switch, . - sim_switch\n");

#define SAVED_REGISTERS	6

void *sim_switch_prepare(void *top, void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)((uintptr_t)top & ~(uintptr_t)15);
	int i;

	/* At a function's entry the stack is eight bytes off a multiple of sixteen. */
	*--sp = 0;
	*--sp = (uintptr_t)entry;
	for (i = 0; i < SAVED_REGISTERS; i++)
		*--sp = 0;
	return sp;
}
