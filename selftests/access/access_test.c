// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves, with the module loaded, what is promised of traps at accesses: what is recorded of
 * whole programs that fork, load libraries, jump, throw and take signals; that sites which
 * are points are scheduled at; that a loop of accesses ends at the same one in each run. Needs
 * root. The programs under control are this file again, as --program NAME, which is why it is
 * long: a test and its program stand on the same functions and variables.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../harness.h"
#include "chessctl/races.h"
#include "fresh.h"
#include "code/sites.h"

#define ROUNDS	5

static char own_path[PATH_MAX], library[PATH_MAX];

/* --- programs ----------------------------------------------------------- */

static volatile int counter;
static volatile int flag;
static volatile int *volatile pointer = &counter;

/* One read and one write of four bytes in each round; nothing else is in here. */
__attribute__((noinline)) static void *count_up(void *arg)
{
	int i, n;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		n = counter;
		counter = n + 1;
	}
	return NULL;
}

static int count_twice(void)
{
	pthread_t t[2];
	int i;

	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count_up, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	printf("%d\n", counter);
	return 0;
}

static int count_in_child(void)
{
	pid_t pid = fork();

	count_up(NULL);
	if (!pid)
		return 0;
	waitpid(pid, NULL, 0);
	printf("%d\n", counter);
	return 0;
}

static int load_twice(void)
{
	void *first = NULL, *handle;
	int (*again)(void);
	int i, sum = 0;

	for (i = 0; i < 2; i++) {
		handle = dlopen(library, RTLD_NOW);
		again = (int (*)(void))dlsym(handle, "again");
		sum += again() + again();
		if (first && first != (void *)again)
			printf("at another place\n");
		first = (void *)again;
		dlclose(handle);
	}
	printf("%d\n", sum);
	return 0;
}

/* A piece of the heap and a mapping for each of two threads, and what both processes share. */
static void *use_memory(void *arg)
{
	int *piece = malloc(100), *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
						MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*(volatile int *)piece = 1;
	*(volatile int *)page = 2;
	free(piece);
	munmap(page, 4096);
	return arg;
}

static int hand_out(void)
{
	volatile int *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_t t;
	pid_t pid;

	pthread_create(&t, NULL, use_memory, NULL);
	pthread_join(t, NULL);
	pid = fork();
	if (!pid) {
		*shared = 3;
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	printf("%d\n", *shared);
	return 0;
}

/* Two pages of a file, which calls on the file and on the mapping change; says where they are. */
static int empty(void)
{
	struct open_how how = { .flags = O_RDWR | O_TRUNC };
	int fd = memfd_create("pages", 0);
	char *pages, path[32];

	if (ftruncate(fd, 8192))
		return 1;
	pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	printf("%lx\n", (unsigned long)pages);
	fflush(stdout);
	if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 64, 128) ||
	    madvise(pages + 4096, 4096, MADV_REMOVE) || ftruncate(fd, 100) ||
	    fcntl(fd, F_SETFL, O_APPEND) || pwrite(fd, "new", 3, 0) != 3)
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)) < 0;
}

/* Calls that copy from one file that is mapped to another, each in another way to say where. */
static int copy(void)
{
	int from = memfd_create("from", 0), to = memfd_create("to", 0), ends[2];
	loff_t at = 100, next = 200;
	void *source, *target;

	if (ftruncate(from, 4096) || ftruncate(to, 4096) || pipe(ends))
		return 1;
	source = mmap(NULL, 4096, PROT_READ, MAP_SHARED, from, 0);
	target = mmap(NULL, 4096, PROT_READ, MAP_SHARED, to, 0);
	printf("%lx %lx\n", (unsigned long)source, (unsigned long)target);
	fflush(stdout);
	return sendfile(to, from, &at, 50) != 50 ||
	       copy_file_range(from, NULL, to, &next, 30, 0) != 30 ||
	       splice(from, &next, ends[1], NULL, 20, 0) != 20 ||
	       splice(ends[0], NULL, to, &at, 20, 0) != 20;
}

static jmp_buf place;
static sigjmp_buf signal_place;

__attribute__((noinline)) static void jump_out(int depth)
{
	counter++;
	if (depth > 0)
		jump_out(depth - 1);
	else if (!depth)
		longjmp(place, 1);
	counter--;
}

static int jump(void)
{
	volatile int i, jumps = 0;

	for (i = 0; i < 10; i++)
		if (setjmp(place))
			jumps = jumps + 1;
		else
			jump_out(i);
	printf("%d %d\n", jumps, counter);
	return 0;
}

static volatile unsigned long fault_ip, fault_address, faults;

static void on_fault(int sig, siginfo_t *si, void *context)
{
	ucontext_t *u = context;

	(void)sig;
	fault_ip = u->uc_mcontext.gregs[REG_RIP];
	fault_address = (unsigned long)si->si_addr;
	faults++;
	if (faults == 1)
		mprotect((void *)(fault_address & -4096UL), 4096, PROT_READ | PROT_WRITE);
	else
		siglongjmp(signal_place, 1);
}

extern const char touch_here[];
__attribute__((noinline)) static int touch(volatile int *p)
{
	int n;

	__asm__ volatile(".globl touch_here\ntouch_here: mov (%1), %0" : "=r"(n) : "r"(p));
	return n;
}

extern const char divide_here[];
__attribute__((noinline)) static void divide(volatile int *by)
{
	__asm__ volatile(".globl divide_here\ndivide_here: divl (%0)"
			 : : "r"(by), "a"(1), "d"(0) : "cc");
}

static const char *which(unsigned long address, const char *expected)
{
	return address == (unsigned long)expected ? "itself" : "another";
}

/*
 * The first time it is repaired and done again, the second time it is left. The third one
 * is an exception that has no address but the instruction's.
 */
static int fault(void)
{
	volatile int zero = 0;
	struct sigaction sa = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	volatile int *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int n;

	sigaction(SIGSEGV, &sa, NULL);
	n = touch(page + 3);
	printf("%d at %s %d\n", n, which(fault_ip, touch_here),
	       (int)(fault_address - (unsigned long)page));
	mprotect((void *)page, 4096, PROT_NONE);
	if (!sigsetjmp(signal_place, 1))
		touch(page + 5);
	printf("%lu at %s %d\n", faults, which(fault_ip, touch_here),
	       (int)(fault_address - (unsigned long)page));
	sigaction(SIGFPE, &sa, NULL);
	if (!sigsetjmp(signal_place, 1))
		divide(&zero);
	printf("%lu at %s, told of %s\n", faults, which(fault_ip, divide_here),
	       which(fault_address, divide_here));
	return 0;
}

/* Nobody handles it: the core, or whoever waits, sees where it was. */
static int crash(void)
{
	return touch(NULL);
}

static void *wait_for_flag(void *arg)
{
	(void)arg;
	while (!flag)
		;
	return NULL;
}

static int spin(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_flag, NULL);
	sched_yield();
	flag = 1;
	pthread_join(t, NULL);
	return 0;
}

/* More words than there are flags that a loop could wait for. */
static unsigned int numbers[2048];

static void *compute(void *arg)
{
	unsigned int i;

	for (i = 0; i < 250000; i++)
		numbers[i % 2048] += i;
	return arg;
}

/* The first task could go on all the time. */
static int compute_beside(void)
{
	pthread_t t;

	pthread_create(&t, NULL, compute, NULL);
	sched_yield();
	return pthread_join(t, NULL);
}

/* It looks at more words than a loop that waits is known by. */
static void *wait_for_any(void *arg)
{
	unsigned int i;

	for (i = 0; !((volatile unsigned int *)numbers)[i % 2048]; i++)
		;
	return arg;
}

static int spin_over_many(void)
{
	pthread_t t;

	pthread_create(&t, NULL, wait_for_any, NULL);
	sched_yield();
	numbers[5] = 1;
	return pthread_join(t, NULL);
}

static int spawn(void)
{
	char *argv[] = { own_path, "--program", "count_twice", NULL };
	int status;
	pid_t pid;

	fflush(stdout);
	if (posix_spawn(&pid, own_path, NULL, NULL, argv, environ))
		return 1;
	waitpid(pid, &status, 0);
	count_up(NULL);
	printf("%d %d\n", status, *pointer);
	fflush(stdout);
	execv(own_path, argv);
	return 2;
}

/* How many bytes of the function are not as in the file. */
static int count_traps(void)
{
	const unsigned char *code = (const unsigned char *)count_up, *base = NULL;
	int fd = open(own_path, O_RDONLY), i, n = 0;
	unsigned char file[24];
	Dl_info info;

	if (dladdr((const void *)touch_here, &info))
		base = info.dli_fbase;
	if (!base || pread(fd, file, sizeof(file), code - base) != sizeof(file))
		return 1;
	for (i = 0; i < (int)sizeof(file); i++)
		n += code[i] != file[i];
	printf("%d\n", n);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} programs[] = {
	{ "count_twice", count_twice }, { "count_in_child", count_in_child },
	{ "hand_out", hand_out }, { "empty", empty }, { "copy", copy }, { "load_twice", load_twice },
	{ "jump", jump }, { "fault", fault }, { "crash", crash },
	{ "spin", spin }, { "compute_beside", compute_beside },
	{ "spin_over_many", spin_over_many }, { "spawn", spawn }, { "count_traps", count_traps },
};

/* --- tests -------------------------------------------------------------- */

struct job {
	const char *name, *path;	/* a program of this file, or another one */
	const char *code[3];
	size_t max;
	bool fresh;			/* keep what only says that memory is new */
	struct chess_ctl *ctl;
	struct chess_runner *runner;
	struct chess_run_result out;
};

static void start(struct job *j)
{
	static char *own[4] = { own_path, "--program" };
	static char *other[2];
	struct chess_program p = { .uid = UINT32_MAX, .gid = UINT32_MAX, .capture = true };
	struct chess_runner_opts o = { .sz = sizeof(o), .sync_points = true, .code = j->code,
				       .max_accesses = j->max };

	own[2] = (char *)j->name;
	other[0] = (char *)j->path;
	p.argv = j->path ? other : own;
	j->ctl = chess_ctl_open();
	ASSERT_TRUE(j->ctl);
	j->runner = chess_runner_new(j->ctl, &p, &o);
	if (!j->runner)
		TH_LOG("%s", chess_error());
	ASSERT_TRUE(j->runner);
}

static void run_plan(struct job *j, const struct chess_plan *plan)
{
	chess_run_result_clear(&j->out);
	if (chess_runner_run_plan(j->runner, plan, NULL, 0, &j->out)) {
		TH_LOG("%s", chess_error());
		ASSERT_TRUE(false);
	}
	if (j->out.verdict == CHESS_VERDICT_INCOMPLETE)
		TH_LOG("%s", chess_error());
	if (!j->fresh)
		drop_fresh(&j->out);
}

static void run(struct job *j)
{
	const struct chess_plan none = { 0 };

	if (!j->runner)
		start(j);
	run_plan(j, &none);
}

static size_t count_of(const struct job *j, int task, unsigned int kind, uint64_t address)
{
	size_t i, n = 0;

	for (i = 0; i < j->out.n_accesses; i++) {
		const struct chess_access *a = &j->out.accesses[i];

		n += (task < 0 || a->task == task) && a->kind == kind &&
		     (!address || a->address == address);
	}
	return n;
}

TEST(each_access_is_recorded_once)
{
	struct job j = { .name = "count_twice", .code = { "PROGRAM:count_up" }, .max = 1000 };
	struct chess_site_place place_of;
	uint64_t at;

	run(&j);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)j.out.verdict);
	EXPECT_STREQ("10\n", j.out.out);
	/* Two threads, ROUNDS times a read and a write of one int, by two instructions. */
	EXPECT_EQ(2U, chess_sites_total(chess_runner_sites(j.runner)));
	EXPECT_EQ(4U * ROUNDS, j.out.n_accesses);
	at = j.out.accesses[0].address;
	EXPECT_EQ(1U * ROUNDS, count_of(&j, 1, CHESS_ACCESS_READ, at));
	EXPECT_EQ(1U * ROUNDS, count_of(&j, 1, CHESS_ACCESS_WRITE, at));
	EXPECT_EQ(1U * ROUNDS, count_of(&j, 2, CHESS_ACCESS_READ, at));
	EXPECT_EQ(1U * ROUNDS, count_of(&j, 2, CHESS_ACCESS_WRITE, at));
	EXPECT_EQ(4U, j.out.accesses[0].size);
	EXPECT_EQ(1U, j.out.accesses[0].site);
	EXPECT_EQ(0U, j.out.lost_accesses);
	EXPECT_TRUE(chess_site_find(chess_runner_sites(j.runner), 2, &place_of));
	EXPECT_STREQ(own_path, place_of.file->path);
	EXPECT_FALSE(place_of.file->sync);
	EXPECT_EQ(40U, strlen(place_of.file->build_id));
	/* Those of libraries, for order only, come after them. */
	EXPECT_TRUE(!chess_site_find(chess_runner_sites(j.runner), 3, &place_of) ||
		    place_of.file->sync);
}

TEST(what_does_not_fit_is_counted)
{
	struct job all = { .name = "count_twice", .code = { "PROGRAM:count_up" }, .max = 1000,
			   .fresh = true };
	struct job j = { .name = "count_twice", .code = { "PROGRAM:count_up" }, .max = 7,
			 .fresh = true };

	run(&all);
	EXPECT_EQ(0U, all.out.lost_accesses);
	run(&j);
	EXPECT_STREQ("10\n", j.out.out);
	EXPECT_EQ(7U, j.out.n_accesses);
	EXPECT_EQ(all.out.n_accesses - 7, j.out.lost_accesses);
}

/* Without points the two threads run one after the other: no update is lost. */
TEST(sites_that_are_points_are_scheduled_at)
{
	struct job j = { .name = "count_twice", .code = { "PROGRAM:count_up" } };
	struct chess_plan plan = { .policy = CHESS_POLICY_KIND_RANDOM };
	const uint32_t both[] = { 1, 2 };
	size_t i, points = 0, lost = 0;
	const struct chess_event *e;

	start(&j);
	for (plan.seed = 0; plan.seed < 5; plan.seed++) {
		run_plan(&j, &plan);
		EXPECT_STREQ("10\n", j.out.out);
		EXPECT_EQ(0U, j.out.n_accesses);
	}
	EXPECT_EQ(0, chess_runner_set_points(j.runner, both, 2));
	for (plan.seed = 0; plan.seed < 10; plan.seed++) {
		run_plan(&j, &plan);
		lost += strcmp("10\n", j.out.out) != 0;
	}
	EXPECT_LT(5U, lost);
	for (i = 0; (e = chess_record_event(j.out.record, i)); i++) {
		if (e->op != CHESS_OP_LOAD && e->op != CHESS_OP_STORE)
			continue;
		points++;
		EXPECT_EQ(4UL, (unsigned long)e->arg);
		EXPECT_EQ(e->op == CHESS_OP_LOAD ? 1U : 2U, e->nr);
		EXPECT_EQ(CHESS_OBJECT_ADDRESS, (int)e->object_kind);
		EXPECT_EQ(e->op == CHESS_OP_STORE, !!(e->flags & CHESS_OPF_WRITE));
		EXPECT_FALSE(e->flags & CHESS_OPF_ALONE);
	}
	EXPECT_LT(1U * ROUNDS, points);
	EXPECT_EQ(0, chess_runner_set_points(j.runner, NULL, 0));
	run_plan(&j, &plan);
	EXPECT_STREQ("10\n", j.out.out);
	EXPECT_EQ(-EINVAL, chess_runner_set_points(j.runner, &(uint32_t){ 3 }, 1));
	EXPECT_EQ(-EINVAL, chess_runner_set_points(j.runner, &(uint32_t){ 0 }, 1));
}

TEST(only_what_a_run_needs_is_armed)
{
	struct job j = { .name = "count_traps", .code = { "PROGRAM:count_up" }, .max = 10 };
	struct job fast = { .name = "count_traps", .code = { "PROGRAM:count_up" } };
	const uint32_t one = 2;

	run(&j);
	EXPECT_STREQ("2\n", j.out.out);
	run(&fast);
	EXPECT_STREQ("0\n", fast.out.out);
	EXPECT_EQ(0, chess_runner_set_points(fast.runner, &one, 1));
	run(&fast);
	EXPECT_STREQ("1\n", fast.out.out);
}

TEST(a_child_process_has_the_traps_of_its_parent)
{
	struct job j = { .name = "count_in_child", .code = { "PROGRAM:count_up" }, .max = 1000 };

	run(&j);
	EXPECT_STREQ("5\n", j.out.out);
	EXPECT_EQ(2U * ROUNDS, count_of(&j, 0, CHESS_ACCESS_READ, 0) +
		  count_of(&j, 0, CHESS_ACCESS_WRITE, 0));
	EXPECT_EQ(2U * ROUNDS, count_of(&j, 1, CHESS_ACCESS_READ, 0) +
		  count_of(&j, 1, CHESS_ACCESS_WRITE, 0));
}

/* posix_spawn() is vfork and execve; then this process executes a program as well. */
TEST(new_programs_get_traps_of_their_own)
{
	struct job j = { .name = "spawn", .code = { "PROGRAM:count_up" }, .max = 1000 };

	run(&j);
	EXPECT_STREQ("10\n0 5\n10\n", j.out.out);
	/* Five times it is called: twice there, once here, twice in the end. */
	EXPECT_EQ(5U * 2 * ROUNDS, j.out.n_accesses);
}

/* count++ is one instruction that reads and writes, or two. */
TEST(a_library_that_is_loaded_again_has_its_traps_again)
{
	struct job j = { .name = "load_twice", .max = 1000 };
	size_t per_call;

	j.code[0] = library;
	run(&j);
	EXPECT_STREQ("6\n", j.out.out);
	per_call = count_of(&j, 0, CHESS_ACCESS_READ | CHESS_ACCESS_WRITE, 0) ? 1 : 2;
	EXPECT_LT(4 * per_call - 1, j.out.n_accesses);
	EXPECT_EQ(0U, j.out.n_accesses % 2);
	EXPECT_EQ(j.out.accesses[0].ip, j.out.accesses[j.out.n_accesses / 2].ip);
}

static const struct chess_access *find(const struct job *j, unsigned int kind, int task,
				       uint64_t bytes, size_t from)
{
	size_t i;

	for (i = from; i < j->out.n_accesses; i++) {
		const struct chess_access *a = &j->out.accesses[i];

		if (a->kind == kind && a->task == task && a->size >= bytes)
			return a;
	}
	return NULL;
}

TEST(memory_that_is_handed_out_is_fresh)
{
	struct job j = { .name = "hand_out", .code = { "PROGRAM:use_memory" }, .max = 100000,
			 .fresh = true };
	const struct chess_access *stack, *page, *piece, *write, *given;
	const unsigned int fresh = CHESS_ACCESS_FRESH;

	run(&j);
	EXPECT_STREQ("3\n", j.out.out);
	/* The creator gets the thread's stack: 8 MB, or what the limit of stacks says. */
	stack = find(&j, fresh, 0, 1 << 20, 0);
	write = find(&j, CHESS_ACCESS_WRITE, 1, 4, 0);
	ASSERT_TRUE(stack && write);
	EXPECT_LT((void *)stack, (void *)write);
	/* Beside it there is the heap of the thread. */
	for (page = stack; page < write; page++)
		if (page->kind == fresh && page->address == write[1].address)
			break;
	EXPECT_LT((void *)page, (void *)write);
	EXPECT_EQ(4096U, page->size);
	/* malloc(100) has 104 bytes; 112 from chunk to chunk. */
	for (piece = write; piece < j.out.accesses + j.out.n_accesses; piece++)
		if (piece->kind == fresh && piece->address == write->address)
			break;
	ASSERT_TRUE(piece < j.out.accesses + j.out.n_accesses);
	EXPECT_EQ(104U, piece->size);
	EXPECT_LT((void *)write, (void *)piece);
	EXPECT_NE(0U, piece->ip);
	/* By whom it was handed out, before that. */
	for (given = j.out.accesses; given < write; given++)
		if (given->kind == CHESS_ACCESS_ALLOCATED && given->address == write->address)
			break;
	ASSERT_TRUE(given < write);
	EXPECT_EQ(104U, given->size);
	EXPECT_NE(0U, given->ip);
	EXPECT_NE(given->ip, piece->ip);
}

TEST(shared_mappings_are_told)
{
	struct job j = { .name = "hand_out", .code = { "PROGRAM" }, .max = 100000 };
	const struct chess_access *child, *parent;

	run(&j);
	child = find(&j, CHESS_ACCESS_WRITE | CHESS_ACCESS_SHARED, 2, 4, 0);
	parent = find(&j, CHESS_ACCESS_READ | CHESS_ACCESS_SHARED, 0, 4, 0);
	ASSERT_TRUE(child && parent);
	EXPECT_EQ(child->address, parent->address);
	EXPECT_LT((void *)child, (void *)parent);
	EXPECT_EQ(NULL, (void *)find(&j, CHESS_ACCESS_READ | CHESS_ACCESS_SHARED, 1, 0, 0));
}

TEST(calls_that_change_a_mapped_file_are_told)
{
	const unsigned int changed = CHESS_ACCESS_MAY_WRITE | CHESS_ACCESS_SHARED;
	const unsigned int gone = CHESS_ACCESS_FRESH | CHESS_ACCESS_WRITE | CHESS_ACCESS_SHARED;
	struct job j = { .name = "empty", .code = { "PROGRAM" }, .max = 100000, .fresh = true };
	const struct {
		unsigned int kind, at, bytes;
	} expected[] = {
		{ changed, 64, 128 },			/* fallocate() */
		{ changed, 4096, 4096 },		/* madvise() */
		{ changed, 100, 4096 - 100 },		/* ftruncate() */
		{ gone, 4096, 1 << 30 },
		{ changed, 100, 3 },			/* pwrite(), which appends */
		{ gone, 0, 1 << 30 },			/* openat2() */
	};
	const struct chess_access *a;
	uint64_t pages;
	size_t i, n = 0;

	run(&j);
	EXPECT_EQ(0, j.out.status);
	pages = strtoull(j.out.out, NULL, 16);
	for (i = 0; i < j.out.n_accesses; i++) {
		a = &j.out.accesses[i];
		if ((a->kind != changed && a->kind != gone) || a->address < pages ||
		    a->address >= pages + 8192)
			continue;
		ASSERT_LT(n, sizeof(expected) / sizeof(expected[0]));
		EXPECT_EQ(expected[n].kind, a->kind);
		EXPECT_EQ(pages + expected[n].at, a->address);
		EXPECT_EQ(expected[n].bytes, a->size);
		n++;
	}
	EXPECT_EQ(sizeof(expected) / sizeof(expected[0]), n);
}

TEST(calls_that_copy_between_mapped_files_are_told)
{
	const unsigned int reads = CHESS_ACCESS_MAY_READ | CHESS_ACCESS_SHARED;
	const unsigned int writes = CHESS_ACCESS_MAY_WRITE | CHESS_ACCESS_SHARED;
	struct job j = { .name = "copy", .code = { "PROGRAM" }, .max = 100000, .fresh = true };
	const struct {
		unsigned int kind, at, bytes;
	} expected[] = {
		{ reads, 100, 50 }, { writes, 0, 50 },		/* sendfile() */
		{ reads, 0, 30 }, { writes, 200, 30 },		/* copy_file_range() */
		{ reads, 230, 20 },				/* splice() into a pipe */
		{ writes, 150, 20 },				/* and out of it */
	};
	const size_t all = sizeof(expected) / sizeof(expected[0]);
	uint64_t file[2], page;
	size_t i, n = 0;
	char *end;

	run(&j);
	EXPECT_EQ(0, j.out.status);
	file[0] = strtoull(j.out.out, &end, 16);
	file[1] = strtoull(end, NULL, 16);
	for (i = 0; i < j.out.n_accesses; i++) {
		const struct chess_access *a = &j.out.accesses[i];

		page = a->address & ~4095ULL;
		if ((a->kind != reads && a->kind != writes) ||
		    (page != file[0] && page != file[1]))
			continue;
		ASSERT_LT(n, all);
		EXPECT_EQ(expected[n].kind, a->kind);
		EXPECT_EQ(file[a->kind == writes] + expected[n].at, a->address);
		EXPECT_EQ(expected[n].bytes, a->size);
		n++;
	}
	EXPECT_EQ(all, n);
}

TEST(jumps_out_of_functions)
{
	struct job j = { .name = "jump", .code = { "PROGRAM" }, .max = 100000 };

	run(&j);
	/* Ten jumps, from depth 0 to 9: 1 + 2 + ... + 10 times counted up. */
	EXPECT_STREQ("10 55\n", j.out.out);
	EXPECT_LT(55U, j.out.n_accesses);
}

TEST(a_handler_sees_the_instruction_itself)
{
	struct job j = { .name = "fault", .code = { "PROGRAM" }, .max = 1000 };

	run(&j);
	EXPECT_STREQ("0 at itself 12\n2 at itself 20\n3 at itself, told of itself\n",
		     j.out.out);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)j.out.verdict);
}

TEST(a_crash_is_the_programs_own)
{
	struct job j = { .name = "crash", .code = { "PROGRAM" }, .max = 1000 };

	run(&j);
	EXPECT_EQ(CHESS_VERDICT_CRASH, (int)j.out.verdict);
	EXPECT_EQ(SIGSEGV, WTERMSIG(j.out.status));
}

TEST(exceptions_find_their_handlers)
{
	struct job j = { .path = "build/selftests/access/throws", .code = { "PROGRAM" },
			 .max = 100000 };

	if (access(j.path, X_OK)) {
		printf("# SKIP there is no C++ compiler\n");
		return;
	}
	run(&j);
	EXPECT_STREQ("20 caught, 0 alive\n", j.out.out);
	EXPECT_LT(200U, j.out.n_accesses);
}

static size_t quanta(const struct chess_record *r)
{
	const struct chess_event *e;
	size_t i, n = 0;

	for (i = 0; (e = chess_record_event(r, i)); i++)
		n += e->type == CHESS_EVENT_QUANTUM;
	return n;
}

/* The quantum comes at an access, the same one in each run. */
TEST_TIMEOUT(a_loop_of_accesses_ends_at_the_same_one, 120)
{
	struct job j = { .name = "spin", .code = { "PROGRAM:wait_for_flag" }, .max = 1000000 };
	uint64_t hash = 0;
	size_t n = 0;
	int k;

	for (k = 0; k < 3; k++) {
		run(&j);
		EXPECT_EQ(CHESS_VERDICT_OK, (int)j.out.verdict);
		if (k) {
			EXPECT_EQ(hash, chess_record_hash(j.out.record));
			EXPECT_EQ(n, j.out.n_accesses);
		}
		hash = chess_record_hash(j.out.record);
		n = j.out.n_accesses;
	}
	EXPECT_EQ(1U, quanta(j.out.record));
	EXPECT_LT(90000U, n);
}

/* A run that records accesses is the run that records none. */
TEST_TIMEOUT(a_task_that_computes_does_not_wait, 120)
{
	struct job j = { .name = "compute_beside", .code = { "PROGRAM:compute" }, .max = 1000000 };
	struct job unrecorded = { .name = "compute_beside", .code = { "PROGRAM:compute" } };

	run(&j);
	run(&unrecorded);
	EXPECT_EQ(0U, quanta(j.out.record));
	EXPECT_EQ(0U, quanta(unrecorded.out.record));
	EXPECT_EQ(chess_record_hash(unrecorded.out.record), chess_record_hash(j.out.record));
	EXPECT_LE(250000U, j.out.n_accesses);
}

/* The record is too short for sites to lose their traps. */
TEST_TIMEOUT(a_loop_over_many_words_ends_too, 300)
{
	struct job j = { .name = "spin_over_many", .code = { "PROGRAM:wait_for_any" }, .max = 1000 };

	run(&j);
	EXPECT_EQ(CHESS_VERDICT_OK, (int)j.out.verdict);
	EXPECT_EQ(1U, quanta(j.out.record));
	EXPECT_LT(1990000U, j.out.lost_accesses);
}

TEST(code_that_is_not_there_is_refused)
{
	static const char *const wrong[][2] = {
		{ "libnothing.so.1", NULL }, { "PROGRAM:no_such_function", NULL },
		{ "PROGRAM:", NULL }, { "/no/such/file", NULL },
	};
	char *argv[] = { own_path, NULL };
	struct chess_program p = { .argv = argv, .uid = UINT32_MAX, .gid = UINT32_MAX };
	struct chess_runner_opts o = { .sz = sizeof(o) };
	struct chess_ctl *ctl = chess_ctl_open();
	size_t i;

	ASSERT_TRUE(ctl);
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		o.code = wrong[i];
		EXPECT_EQ(NULL, (void *)chess_runner_new(ctl, &p, &o));
		printf("# %s\n", chess_error());
	}
}

static int run_program(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (!strcmp(programs[i].name, name))
			return programs[i].run();
	return 99;
}

__attribute__((constructor)) static void begin(int argc, char **argv)
{
	ssize_t n = readlink("/proc/self/exe", own_path, sizeof(own_path) - 1);

	own_path[n > 0 ? n : 0] = '\0';
	snprintf(library, sizeof(library), "%.*s/again.so", (int)(strrchr(own_path, '/') - own_path),
		 own_path);
	if (argc == 3 && !strcmp(argv[1], "--program")) {
		n = run_program(argv[2]);
		fflush(stdout);
		_exit(n);
	}
}

TEST_HARNESS_MAIN
