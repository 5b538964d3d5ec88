// SPDX-License-Identifier: GPL-2.0-only
/*
 * What fuzz-access makes its inputs of: a small file with all that is looked for in one.
 * Nothing of it is ever executed.
 */
static volatile int shared[4];
static const int constant[4] = { 1, 2, 3, 4 };
int variable;

int pthread_mutex_lock(int *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		;
	return constant[*lock & 3];
}

int pthread_mutex_unlock(int *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
	return shared[1]++;
}

void *__libc_malloc(unsigned long size)
{
	static char room[64];

	if (size > sizeof(room))
		return 0;
	variable += size;
	return room;
}

void *__libc_calloc(unsigned long n, unsigned long size)
{
	return n > 64 ? 0 : __libc_malloc(n * size);
}

void __libc_free(void *p)
{
	shared[2] = (long)p;
}

void *__libc_realloc(void *p, unsigned long size)
{
	__libc_free(p);
	return __libc_malloc(size);
}

unsigned long ticks(void)
{
	return __builtin_ia32_rdtsc();
}

void _start(void)
{
	pthread_mutex_lock(&variable);
	switch (shared[0]) {
	case 0:
		shared[3] = ticks();
		break;
	case 1:
		__libc_free(__libc_calloc(2, 8));
		break;
	default:
		__asm__ volatile("syscall");
	}
	pthread_mutex_unlock(&variable);
}
