// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of fuzzed programs about memory: mappings that come, move, change and go, among
 * them those of the program's own text and that of its libraries. See program.h.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

#define PAGE 4096UL

static unsigned char *map(size_t pages)
{
	return mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		    0);
}

static unsigned int sum(const unsigned char *p, size_t n)
{
	unsigned int s = 0;

	while (n--)
		s = s * 31 + *p++;
	return s & 0xffffff;
}

static void fill(struct ctx *c, unsigned char *p, size_t n)
{
	unsigned char x = below(c, 256);

	while (n--)
		*p++ = x = x * 5 + 3;
}

static int plain(struct ctx *c)
{
	size_t n = 1 + below(c, 4);
	unsigned char *p = map(n);

	fill(c, p, n * PAGE);
	note(c, sum(p, n * PAGE));
	return munmap(p, n * PAGE);
}

static int move(struct ctx *c)
{
	unsigned char *p = map(2), *q, *room = map(8);

	fill(c, p, 2 * PAGE);
	q = mremap(p, 2 * PAGE, 6 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room);
	if (q == MAP_FAILED)
		return -errno;
	note(c, sum(q, 6 * PAGE));
	note(c, mprotect(q + PAGE, PAGE, PROT_READ));
	note(c, munmap(q + 2 * PAGE, PAGE));
	note(c, sum(q, 2 * PAGE));
	note(c, result_of(msync(q + 2 * PAGE, PAGE, MS_ASYNC)));
	return munmap(q, 8 * PAGE);
}

static int forget(struct ctx *c)
{
	unsigned char *p = map(2);

	fill(c, p, 2 * PAGE);
	note(c, madvise(p, PAGE, MADV_DONTNEED));
	note(c, sum(p, PAGE));
	note(c, sum(p + PAGE, PAGE));
	return munmap(p, 2 * PAGE);
}

static __thread sigjmp_buf back;
static __thread void *volatile fault_at;

static void take_fault(int sig, siginfo_t *info, void *context)
{
	(void)context;
	fault_at = info->si_addr;
	siglongjmp(back, sig);
}

static void catch(int sig)
{
	struct sigaction sa = { .sa_sigaction = take_fault, .sa_flags = SA_SIGINFO };

	sigaction(sig, &sa, NULL);
}

static int faults(struct ctx *c)
{
	unsigned char *volatile p = map(2);
	int sig;

	catch(SIGSEGV);
	note(c, mprotect(p, PAGE, below(c, 2) ? PROT_NONE : PROT_READ));
	sig = sigsetjmp(back, 1);
	if (!sig)
		p[PAGE - 1] = 5;
	note(c, sig);
	note(c, fault_at == p + PAGE - 1);
	munmap(p, PAGE);
	sig = sigsetjmp(back, 1);
	if (!sig)
		note(c, p[1]);
	return sig;
}

static int bus_error(struct ctx *c)
{
	int fd = memfd_create("short", MFD_CLOEXEC), sig;
	volatile unsigned char *p;

	note(c, ftruncate(fd, PAGE));
	p = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, fd, 0);
	catch(SIGBUS);
	sig = sigsetjmp(back, 1);
	if (!sig)
		note(c, p[PAGE]);
	return sig;
}

/* Functions to be copied, mapped again and dropped: no calls in them. */
__attribute__((noinline, aligned(64))) static int pure(int x)
{
	return x * 3 + 1;
}

static void *page_of(void *p)
{
	return (void *)((uintptr_t)p & -PAGE);
}

static int own_text(struct ctx *c)
{
	/* Another thread's step would take the right away before the write; no child comes here. */
	static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
	void *page = page_of(pure);

	pthread_mutex_lock(&one_at_a_time);
	if (below(c, 2)) {
		note(c, mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
		/* The page becomes a private copy. */
		*(volatile unsigned char *)page += 0;
		note(c, pure(5));
	}
	note(c, mprotect(page, PAGE, PROT_READ | PROT_EXEC));
	pthread_mutex_unlock(&one_at_a_time);
	return pure(6);
}

/* A page of the file again where there was a copy: traps are gone, or they are not. */
static int drop_text(struct ctx *c)
{
	void *page = below(c, 2) ? page_of(pure) : page_of(dlsym(RTLD_DEFAULT, "sem_post"));
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	int i;

	for (i = 0; i < 2; i++) {
		note(c, madvise(page, PAGE, MADV_DONTNEED));
		note(c, pthread_mutex_lock(&m));
		note(c, pthread_mutex_unlock(&m));
	}
	return pure(7);
}

static int protect_library(struct ctx *c)
{
	void *page = page_of(dlsym(RTLD_DEFAULT, "pthread_mutex_lock"));
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

	note(c, mprotect(page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC));
	note(c, pthread_mutex_lock(&m));
	note(c, pthread_mutex_unlock(&m));
	note(c, mprotect(page, PAGE, PROT_READ | PROT_EXEC));
	note(c, pthread_mutex_lock(&m));
	return pthread_mutex_unlock(&m);
}

/* A second mapping of the library's text, and a function in it that needs no other. */
static int map_library(struct ctx *c)
{
	int (*lock)(pthread_spinlock_t *), (*unlock)(pthread_spinlock_t *);
	pthread_spinlock_t spin;
	struct link_map *lm;
	struct dl_find_object found;
	unsigned char *p;
	Dl_info info;
	size_t size;
	int fd;

	lock = dlsym(RTLD_DEFAULT, "pthread_spin_lock");
	unlock = dlsym(RTLD_DEFAULT, "pthread_spin_unlock");
	if (!lock || !dladdr1((void *)lock, &info, (void **)&lm, RTLD_DL_LINKMAP) ||
	    _dl_find_object((void *)lock, &found))
		return 107;
	size = (char *)found.dlfo_map_end - (char *)found.dlfo_map_start;
	fd = open(lm->l_name, O_RDONLY | O_CLOEXEC);
	p = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	if (p == MAP_FAILED)
		return 108;
	pthread_spin_init(&spin, 0);
	/* Text has the same offsets in the file and in memory. */
	lock = (void *)(p + ((char *)lock - (char *)lm->l_addr));
	unlock = (void *)(p + ((char *)unlock - (char *)lm->l_addr));
	note(c, lock(&spin));
	note(c, unlock(&spin));
	if (below(c, 2)) {
		p = mremap(p, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, map(size / PAGE + 2));
		note(c, p == MAP_FAILED);
	}
	return munmap(p, size);
}

static int load_library(struct ctx *c)
{
	double (*f)(double);
	int ret = 109;
	void *lib;

	pthread_mutex_lock(&loading);
	lib = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
	f = lib ? (double (*)(double))dlsym(lib, "floor") : NULL;
	note(c, f ? (long)f(4.7) : -1);
	if (lib)
		ret = dlclose(lib);
	pthread_mutex_unlock(&loading);
	return ret;
}

static int made_code(struct ctx *c)
{
	static const unsigned char code[] = { 0x8d, 0x47, 0x2a, 0xc3 };
	unsigned char *p = map(1);
	int ret;

	memcpy(p, code, sizeof(code));
	note(c, mprotect(p, PAGE, PROT_READ | PROT_EXEC));
	ret = ((int (*)(int))p)(below(c, 100));
	munmap(p, PAGE);
	return ret;
}

static int heap_end(struct ctx *c)
{
	char *old = sbrk(0), *now;

	note(c, sbrk(3 * PAGE) == old);
	old[PAGE] = 7;
	now = sbrk(0);
	note(c, now - old);
	note(c, sbrk(-2 * (long)PAGE) == now);
	return old[PAGE / 2];
}

static int shared(struct ctx *c)
{
	int fd = memfd_create("shared", MFD_CLOEXEC), status;
	unsigned char *p;
	pid_t pid;

	note(c, ftruncate(fd, PAGE));
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	pid = fork();
	if (!pid) {
		fill(c, p, PAGE);
		_exit(0);
	}
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, sum(p, PAGE));
	close(fd);
	return munmap(p, PAGE);
}

/* Copies of pages part after a fork. */
static int copied(struct ctx *c)
{
	unsigned char *p = map(2);
	unsigned int before;
	int status = 0;
	pid_t pid;

	fill(c, p, 2 * PAGE);
	before = sum(p, 2 * PAGE);
	pid = fork();
	if (!pid) {
		fill(c, p, PAGE);
		_exit(sum(p, 2 * PAGE) & 63);
	}
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, status_number(status));
	note(c, before == sum(p, 2 * PAGE));
	return munmap(p, 2 * PAGE);
}

static int other_memory(struct ctx *c)
{
	char from[32] = "what is read", to[32] = "";
	struct iovec a = { to, 13 }, b = { from, 13 };

	note(c, process_vm_readv(getpid(), &a, 1, &b, 1, 0));
	b.iov_base = (void *)8;
	note(c, result_of(process_vm_readv(getpid(), &a, 1, &b, 1, 0)));
	return strcmp(from, to);
}

static int odd_calls(struct ctx *c)
{
	unsigned char *p = map(1);

	note(c, result_of((long)mmap(p + 1, PAGE, PROT_READ, MAP_FIXED, -1, 0)));
	note(c, result_of(mprotect(p + 1, PAGE, PROT_READ)));
	note(c, result_of(munmap(p, 0)));
	note(c, mlock(p, PAGE));
	note(c, munlock(p, PAGE));
	note(c, result_of(madvise(p, PAGE, 4711)));
	note(c, syscall(SYS_membarrier, 0, 0, 0) >= 0);
	return munmap(p, PAGE);
}

static int big_heap(struct ctx *c)
{
	unsigned int i, n = 1 + below(c, 20);
	void *p[20];

	for (i = 0; i < n; i++) {
		p[i] = malloc(1 + below(c, 200000));
		*(char *)p[i] = i;
	}
	for (i = 0; i < n; i++) {
		note(c, *(char *)p[i]);
		free(p[i]);
	}
	return 0;
}

static const struct op table[] = {
	{ "plain",		SOLO,	NOTHING, 2, plain },
	{ "move",		SOLO,	NOTHING, 2, move },
	{ "forget",		SOLO,	NOTHING, 2, forget },
	{ "faults",		CHILD,	NOTHING, 3, faults },
	{ "bus_error",		CHILD,	NOTHING, 2, bus_error },
	{ "own_text",		SOLO,	NOTHING, 3, own_text },
	{ "drop_text",		SOLO,	NOTHING, 3, drop_text },
	{ "protect_library",	SOLO,	NOTHING, 3, protect_library },
	{ "map_library",	SOLO,	NOTHING, 3, map_library },
	{ "load_library",	SOLO,	NOTHING, 2, load_library },
	{ "made_code",		SOLO,	NOTHING, 2, made_code },
	{ "heap_end",		CHILD,	NOTHING, 2, heap_end },
	{ "shared",		SOLO,	NOTHING, 2, shared },
	{ "copied",		SOLO,	NOTHING, 2, copied },
	{ "other_memory",	SOLO,	NOTHING, 2, other_memory },
	{ "odd_calls",		SOLO,	NOTHING, 2, odd_calls },
	{ "big_heap",		SOLO,	NOTHING, 3, big_heap },
};

const struct ops memory_ops = { table, sizeof(table) / sizeof(*table) };
