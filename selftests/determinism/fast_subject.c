// SPDX-License-Identifier: GPL-2.0-only
/*
 * What fast_abuse_test.c runs: locks and unlocks, while signals come from outside, or at each
 * instruction of the code that notes their points, or after each instruction; jumps into the
 * middle of that code; serves page faults of the ring in which points are noted, or does not; or
 * writes to it.
 *
 *   fast_subject pairs COUNT | instructions PAIRS | step PAIRS | between PAIRS | served PAIRS |
 *		  scribble SEED
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <unistd.h>

#define RING_BYTES	32768
#define ENTRY_BYTES	32
/* The code of one place. Two are used, those of lock and of unlock. */
#define CODE_BYTES	128
#define PLACES		2
/* At each so many executions of an instruction a signal comes: with points that are granted. */
#define EXECUTIONS	3
#define STEP_FLAG	0x100

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long signals;

static void handle(int sig)
{
	(void)sig;
	signals++;
}

static void pairs(unsigned long n)
{
	while (n--) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
}

/* A page of code that no file has, and memory of the ring's size right after it. */
static char *find_ring(void)
{
	FILE *f = fopen("/proc/self/maps", "re");
	unsigned long start, end, code = 0;
	char line[512], prot[8], *found = NULL;
	unsigned long inode;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &start, &end, prot, &inode) != 4)
			continue;
		if (code == start && !strcmp(prot, "rw-p") && end - start == RING_BYTES)
			found = (char *)start;
		code = !inode && !strcmp(prot, "r-xp") && end - start == 4096 ? end : 0;
	}
	if (f)
		fclose(f);
	return found;
}

/* --- signals at each instruction ------------------------------------------------- */

static char *code;
static unsigned long inside;

static uintptr_t where(const void *context)
{
	return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
}

/* The program does not see that the code is there. */
static void note_signal(const void *context)
{
	signals++;
	inside += code && where(context) - (uintptr_t)code < 4096;
}

/* It makes no call: after one an op that it came before is a point once more. */
static void hit(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	note_signal(context);
}

/* Has the processor, or its emulator, signal SIGTRAP before the instruction at @at. */
static int break_at(const char *at)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT, .size = sizeof(attr), .bp_type = HW_BREAKPOINT_X,
		.bp_addr = (uintptr_t)at, .bp_len = sizeof(long), .sample_period = EXECUTIONS,
		.disabled = 1, .exclude_kernel = 1, .exclude_hv = 1, .remove_on_exec = 1,
		.sigtrap = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Prints how many signals came, and how many of them showed the code. */
static int instructions(unsigned long n)
{
	struct sigaction sa = { .sa_sigaction = hit, .sa_flags = SA_SIGINFO };
	int at, breakpoint;

	sigaction(SIGTRAP, &sa, NULL);
	for (at = 0; code && at < PLACES * CODE_BYTES; at++) {
		breakpoint = break_at(code + at);
		if (breakpoint < 0) {
			fprintf(stderr, "fast_subject: perf_event_open: %s\n", strerror(errno));
			return 3;
		}
		ioctl(breakpoint, PERF_EVENT_IOC_ENABLE, 0);
		pairs(n);
		close(breakpoint);
	}
	printf("%lu %lu\n", signals, inside);
	return 0;
}

/* The program steps itself, without a debugger. */
static int step(unsigned long n)
{
	struct sigaction sa = { .sa_sigaction = hit, .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &sa, NULL);
	asm volatile("pushfq; orq %0, (%%rsp); popfq" : : "i" (STEP_FLAG) : "cc", "memory");
	pairs(n);
	asm volatile("pushfq; andq %0, (%%rsp); popfq" : : "i" (~STEP_FLAG) : "cc", "memory");
	printf("%lu %lu\n", signals, inside);
	return 0;
}

/* --- jumps into the code ------------------------------------------------------------ */

static uintptr_t target;
static uintptr_t back, stack;

/* Goes to @target with SIGUSR2 pending, which is seen there, at whatever that is. */
static void jump(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	(void)info;
	back = u->uc_mcontext.gregs[REG_RIP];
	stack = u->uc_mcontext.gregs[REG_RSP];
	u->uc_mcontext.gregs[REG_RIP] = target;
	raise(SIGUSR2);
}

static void jump_back(int sig, siginfo_t *info, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	(void)info;
	note_signal(context);
	u->uc_mcontext.gregs[REG_RIP] = back;
	u->uc_mcontext.gregs[REG_RSP] = stack;
}

static int between(unsigned long n)
{
	struct sigaction sa = { .sa_sigaction = jump, .sa_flags = SA_SIGINFO };
	int at;

	sigaddset(&sa.sa_mask, SIGUSR2);
	sigaction(SIGUSR1, &sa, NULL);
	sa.sa_sigaction = jump_back;
	sigaction(SIGUSR2, &sa, NULL);
	for (at = 0; code && at < PLACES * CODE_BYTES; at++) {
		pairs(n);
		target = (uintptr_t)code + at;
		raise(SIGUSR1);
	}
	printf("%lu %lu\n", signals, inside);
	return 0;
}

/* --- faults that nobody serves ------------------------------------------------------ */

/* Prints one where the kernel has it do so. */
static int served(unsigned long n)
{
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	struct uffdio_api api = { .api = UFFD_API };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	char *ring = find_ring();
	bool is_done;

	area.range.start = (uintptr_t)ring - 4096;
	area.range.len = RING_BYTES + 4096;
	is_done = fd >= 0 && ring && !ioctl(fd, UFFDIO_API, &api) &&
		  !ioctl(fd, UFFDIO_REGISTER, &area);
	pairs(n);
	printf("%d 0\n", is_done);
	return 0;
}

/* --- writes to the ring ---------------------------------------------------------------- */

static uint64_t state;

static uint64_t number(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Anything, and what nearly passes for what should be there. */
static uint64_t value(const char *ring)
{
	switch (number() % 6) {
	case 0:
		return number();
	case 1:
		return (uintptr_t)ring + number() % RING_BYTES;
	case 2:
		return (uintptr_t)ring + ENTRY_BYTES * (number() % (RING_BYTES / ENTRY_BYTES - 16));
	case 3:
		return number() % 16;
	case 4:
		return (uintptr_t)&lock;
	default:
		return (uint64_t)-1 >> number() % 64;
	}
}

/* What is fatal to the program itself is rare, so that it gets somewhere. */
static void scribble(char *ring)
{
	uint64_t v = value(ring), where = (uintptr_t)ring + number() % (RING_BYTES - 1024);

	if (number() % 8)
		memcpy(ring + ENTRY_BYTES + 8 * (number() % 64), &v, sizeof(v));
	else if (number() % 2)
		memcpy(ring, &v, 4);
	else if (number() % 16)
		memcpy(ring + 8, &where, sizeof(where));
	else
		memcpy(ring + 8, &v, sizeof(v));
}

static int scribbles(unsigned long seed)
{
	unsigned long i;
	char *ring;

	state = seed + 1;
	for (i = 0; i < 16; i++)
		number();
	pairs(200);
	ring = find_ring();
	if (!ring) {
		fprintf(stderr, "fast_subject: there is no ring\n");
		return 3;
	}
	switch (number() % 32) {
	case 0:
		munmap(ring, RING_BYTES);
		break;
	case 1:
		mprotect(ring, RING_BYTES, PROT_READ);
		break;
	case 2:
		madvise(ring, RING_BYTES, MADV_DONTNEED);
		break;
	}
	if (!fork())
		pairs(50);
	for (i = 0; i < 300; i++) {
		scribble(ring);
		pairs(number() % 20);
		if (number() % 4 == 0)
			getppid();
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = handle, .sa_flags = SA_RESTART };
	unsigned long n;
	char *ring;

	if (argc != 3)
		return 2;
	n = strtoul(argv[2], NULL, 10);
	if (!strcmp(argv[1], "pairs")) {
		sigaction(SIGUSR1, &sa, NULL);
		pairs(n);
		printf("%lu\n", signals);
		return 0;
	}
	if (!strcmp(argv[1], "scribble"))
		return scribbles(n);
	if (!strcmp(argv[1], "served"))
		return served(n);
	pairs(200);
	ring = find_ring();
	if (ring)
		code = ring - 4096;
	if (!strcmp(argv[1], "instructions"))
		return instructions(n);
	return !strcmp(argv[1], "step") ? step(n) : between(n);
}
