// SPDX-License-Identifier: GPL-2.0-only
/*
 * One instruction that reads and writes memory, while another task stores there.
 *
 *	updates KIND lost	fails where the store is lost
 *	updates KIND known	fails where what is there comes of no order of the two, and
 *				neither of a lost store
 *	updates PLACE		the memory is not mapped yet, shared by processes, read-only or
 *				unmapped meanwhile; or a handler is what interrupts
 *
 * A KIND without a lock prefix may lose it; one with it, or xchg, does not.
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FIRST	0x31
#define STORED	0x77

static union {
	volatile uint8_t b;
	volatile uint16_t w;
	volatile uint32_t l;
	volatile uint64_t q;
} v = { .q = FIRST };

/* ROW(name, its member of v, the instruction, what becomes of x) */
#define KINDS(ROW) \
	ROW(add, l, "addl $5, %0", x + 5) \
	ROW(add8, b, "addb $5, %0", x + 5) \
	ROW(add16, w, "addw $5, %0", x + 5) \
	ROW(add64, q, "addq $5, %0", x + 5) \
	ROW(sub, l, "subl $5, %0", x - 5) \
	ROW(inc, l, "incl %0", x + 1) \
	ROW(dec64, q, "decq %0", x - 1) \
	ROW(and, b, "andb $0xf, %0", x & 0xf) \
	ROW(or, w, "orw $0x80, %0", x | 0x80) \
	ROW(xor, l, "xorl $0xff, %0", x ^ 0xff) \
	ROW(not, q, "notq %0", ~x) \
	ROW(neg, l, "negl %0", -x) \
	ROW(shl, l, "shll $3, %0", x << 3) \
	ROW(rol, b, "rolb $1, %0", x << 1 | x >> 7) \
	ROW(adc, l, "stc; adcl $1, %0", x + 2) \
	ROW(bts, l, "btsl $9, %0", x | 1 << 9) \
	ROW(xadd, q, "movl $6, %%eax; xaddq %%rax, %0", x + 6) \
	ROW(cmpxchg, l, "movl $0x31, %%eax; movl $0x99, %%ecx; cmpxchgl %%ecx, %0", \
	    x == FIRST ? 0x99 : x) \
	ROW(lock_add, l, "lock addl $5, %0", x + 5) \
	ROW(lock_xadd, q, "movl $6, %%eax; lock xaddq %%rax, %0", x + 6) \
	ROW(xchg, l, "movl $0x99, %%eax; xchgl %%eax, %0", (x, 0x99))

#define FUNCTIONS(NAME, MEMBER, ASM, RESULT)					\
static void do_##NAME(void)							\
{										\
	__asm__ volatile(ASM : "+m" (v.MEMBER) : : "rax", "rcx", "cc");		\
}										\
										\
static void store_##NAME(void)							\
{										\
	v.MEMBER = STORED;							\
}										\
										\
static uint64_t is_##NAME(void)							\
{										\
	return v.MEMBER;							\
}										\
										\
static uint64_t after_##NAME(uint64_t y)					\
{										\
	__typeof__(v.MEMBER + 0) x = y;						\
										\
	v.MEMBER = (RESULT);							\
	return v.MEMBER;							\
}

#pragma GCC diagnostic ignored "-Wunused-value"
KINDS(FUNCTIONS)

static const struct kind {
	const char *name;
	void (*update)(void), (*store)(void);
	uint64_t (*is)(void), (*after)(uint64_t x);
} kinds[] = {
#define KIND(NAME, MEMBER, ASM, RESULT) \
	{ #NAME, do_##NAME, store_##NAME, is_##NAME, after_##NAME },
	KINDS(KIND)
};

static void *store(void *kind)
{
	((const struct kind *)kind)->store();
	return NULL;
}

static int update(const struct kind *k, int lost)
{
	uint64_t is, from_first, from_stored;
	pthread_t other;

	assert(!pthread_create(&other, NULL, store, (void *)k));
	k->update();
	pthread_join(other, NULL);
	is = k->is();
	/* The store may be all there is to see of either order. */
	from_stored = k->after(STORED);
	from_first = k->after(FIRST);
	if (lost)
		assert(is != from_first);
	else
		assert(is == STORED || is == from_stored || is == from_first);
	return 0;
}

static volatile uint32_t *n;

static void increment(void)
{
	__asm__ volatile("incl %0" : "+m" (*n) : : "cc");
}

static void *increments(void *arg)
{
	increment();
	return arg;
}

static void *unmaps(void *arg)
{
	munmap((void *)n, 4096);
	return arg;
}

static void handler(int sig)
{
	(void)sig;
	increment();
}

static pthread_t self;

static void *kills(void *arg)
{
	pthread_kill(self, SIGUSR1);
	return arg;
}

static void faulted(int sig)
{
	(void)sig;
	_exit(0);
}

static void map(int prot, int flags)
{
	n = mmap(NULL, 4096, prot, flags | MAP_ANONYMOUS, -1, 0);
	assert(n != MAP_FAILED);
}

static int at(const char *place)
{
	pthread_t other;
	pid_t child;

	map(PROT_READ | (strcmp(place, "readonly") ? PROT_WRITE : 0),
	    strcmp(place, "processes") ? MAP_PRIVATE : MAP_SHARED);
	if (!strcmp(place, "readonly"))
		signal(SIGSEGV, faulted);
	if (!strcmp(place, "processes")) {
		child = fork();
		assert(child >= 0);
		increment();
		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
		assert(*n == 2);
		return 0;
	}
	if (!strcmp(place, "handler")) {
		signal(SIGUSR1, handler);
		self = pthread_self();
		assert(!pthread_create(&other, NULL, kills, NULL));
		increment();
		pthread_join(other, NULL);
		assert(*n == 2);
		return 0;
	}
	assert(!pthread_create(&other, NULL, strcmp(place, "unmapped") ? increments : unmaps, NULL));
	increment();
	pthread_join(other, NULL);
	assert(strcmp(place, "fresh") || *n == 2);
	return 0;
}

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 2)
		return at(argv[1]);
	for (i = 0; argc == 3 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kinds[i].name, argv[1]))
			return update(&kinds[i], !strcmp(argv[2], "lost"));
	fprintf(stderr, "usage: updates KIND lost|known, or updates PLACE\n");
	return 64;
}
