// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library in front of the C library whose lock functions end in a jump to those of the C library,
 * as those of sanitizers do: each call goes through two trapped functions.
 */
#include <dlfcn.h>

void *jump_lock, *jump_unlock;

__asm__(".text\n"
	".globl pthread_mutex_lock, pthread_mutex_unlock\n"
	".type pthread_mutex_lock, @function\n"
	".type pthread_mutex_unlock, @function\n"
	"pthread_mutex_lock:\n"
	"	endbr64\n"
	"	movq jump_lock@GOTPCREL(%rip), %rax\n"
	"	jmp *(%rax)\n"
	".size pthread_mutex_lock, . - pthread_mutex_lock\n"
	"pthread_mutex_unlock:\n"
	"	endbr64\n"
	"	movq jump_unlock@GOTPCREL(%rip), %rax\n"
	"	jmp *(%rax)\n"
	".size pthread_mutex_unlock, . - pthread_mutex_unlock\n");

__attribute__((constructor)) static void find(void)
{
	jump_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	jump_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
}
