// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ends in the way its argument says, whatever the schedule; verdicts.sh holds what chessctl
 * says of each against what it is. What other languages' runtimes and sanitizers write is
 * written here word for word, so that none of them need be installed.
 */
#include <assert.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* volatile, so that the compiler does not know better */
static __attribute__((noinline)) void poke(volatile int *at)
{
	*at = 1;
}

static __attribute__((noinline)) void crash(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	poke((volatile int *)0x10);
}

/* How a child ended that crashes; @asked: the parent wants to know */
static int crash_child(int asked)
{
	pid_t child = fork();
	int status = SIGSEGV;

	assert(child >= 0);
	if (!child) {
		crash();
		_exit(0);
	}
	assert(waitpid(child, asked ? &status : NULL, 0) == child);
	return status;
}

static int child_checked(void)
{
	int status = crash_child(1);

	return !(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static int *volatile cell;

static void *take_away(void *arg)
{
	pthread_mutex_lock(&lock);
	cell = NULL;
	pthread_mutex_unlock(&lock);
	return arg;
}

/* Looks, and looks again for its use: in between the other thread may have been. */
static void work_in_a_race(void)
{
	static int value;
	pthread_t t;
	int there;

	cell = &value;
	pthread_create(&t, NULL, take_away, NULL);
	pthread_mutex_lock(&lock);
	there = cell != NULL;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	if (there)
		*cell = 1;
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	_exit(0);
}

/* As servers do: a worker that died is replaced, and all is well. */
static int worker_replaced(void)
{
	int status, tries = 0;
	pid_t worker;

	do {
		worker = fork();
		if (!worker)
			work_in_a_race();
		if (worker < 0 || waitpid(worker, &status, 0) != worker)
			return 1;
	} while (WIFSIGNALED(status) && ++tries < 3);
	return 0;
}

static int child_unchecked(void)
{
	crash_child(0);
	return 0;
}

/* The parent did not expect it. */
static int child_failed(void)
{
	return WIFSIGNALED(crash_child(1));
}

static int child_left(void)
{
	if (!fork())
		crash();
	return 0;
}

/* One child is asked about, the other is not. */
static int child_forgotten(void)
{
	int status = crash_child(1);

	crash_child(0);
	return !WIFSIGNALED(status);
}

static int child_by_waitid(void)
{
	siginfo_t info;
	pid_t child = fork();

	if (!child)
		crash();
	assert(!waitid(P_PID, child, &info, WEXITED));
	return info.si_code == CLD_EXITED;
}

/* Another program: that it crashes is not what its parent's test is about. */
static int child_executes(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		execl("/proc/self/exe", "ends", "crashes", NULL);
	assert(waitpid(child, &status, 0) == child);
	return 0;
}

/* Installs a filter that removes a thread that calls getppid(), and calls it. */
static void *is_removed(void *arg)
{
	static struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_THREAD),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	static const struct sock_fprog filter = {
		.len = sizeof(rules) / sizeof(rules[0]), .filter = rules,
	};

	assert(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	assert(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	getppid();
	return arg;
}

static int thread_removed(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, is_removed, NULL));
	assert(!pthread_join(t, NULL));
	return 0;
}

static int process_removed(void)
{
	is_removed(NULL);
	return 0;
}

static int crashes(void)
{
	crash();
	return 0;
}

static int divides(void)
{
	volatile int zero = 0;

	return 7 / zero;
}

static int reads_beyond(void)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	poke((volatile int *)page);
	return 0;
}

static int aborts(void)
{
	abort();
}

static int returns_77(void)
{
	return 77;
}

static void *spoil(void *arg)
{
	uintptr_t *piece = malloc(24);

	free(piece);
	/* The list of free pieces goes on where no piece can be. */
	*(volatile uintptr_t *)piece = 0x1234567;
	return arg;
}

/* glibc finds it where the thread ends: a sentence that no list of those of malloc() has. */
static int heap_of_a_thread(void)
{
	pthread_t t;

	assert(!pthread_create(&t, NULL, spoil, NULL));
	pthread_join(t, NULL);
	return 0;
}

static int says(const char *what, int status)
{
	fputs(what, stderr);
	return status;
}

static int own_abort(void)
{
	says("parser(): Something is wrong\n", 0);
	abort();
}

static int rust_main(void)
{
	return says("\nthread 'main' panicked at src/main.rs:4:5:\nlost an update\n"
		    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
		    101);
}

static int rust_worker(void)
{
	return says("thread '<unnamed>' panicked at 'lost an update', src/main.rs:4:5\n", 0);
}

static int go_asleep(void)
{
	return says("fatal error: all goroutines are asleep - deadlock!\n\n"
		    "goroutine 1 [chan receive]:\nmain.main()\n", 2);
}

static int go_map(void)
{
	return says("fatal error: concurrent map writes\n\ngoroutine 6 [running]:\n", 2);
}

static int go_panic(void)
{
	return says("panic: send on closed channel\n\ngoroutine 18 [running]:\n", 2);
}

static int tsan(void)
{
	return says("==================\nWARNING: ThreadSanitizer: data race (pid=2)\n"
		    "  Write of size 4 at 0x55d by thread T2:\n"
		    "SUMMARY: ThreadSanitizer: data race a.c:9 in work\n", 66);
}

static int asan(void)
{
	return says("=====\n==2==ERROR: AddressSanitizer: heap-use-after-free on address 0x602\n"
		    "SUMMARY: AddressSanitizer: heap-use-after-free a.c:9 in work\n", 1);
}

static int lsan(void)
{
	return says("==2==ERROR: LeakSanitizer: detected memory leaks\n"
		    "SUMMARY: AddressSanitizer: 24 byte(s) leaked in 1 allocation(s).\n", 23);
}

static pthread_cond_t turn[2] = { PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER };
static int given[2];

/* Each gives to the other, but only once it was given something; so nobody is. */
static void *take_turns(void *arg)
{
	intptr_t me = (intptr_t)arg;

	pthread_mutex_lock(&lock);
	pthread_cond_signal(&turn[!me]);
	while (!given[me])
		pthread_cond_wait(&turn[me], &lock);
	given[!me] = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

/* A task that joins one of two that wait for each other is not part of that. */
static int bystander(void)
{
	pthread_t t[2];

	pthread_cond_signal(&turn[0]);
	pthread_cond_signal(&turn[1]);
	assert(!pthread_create(&t[0], NULL, take_turns, (void *)0));
	assert(!pthread_create(&t[1], NULL, take_turns, (void *)1));
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}

/* Things that two processes take. */
static sem_t *sems;
static int locks[2], pipes[2][2];

static void take_sem(int thing)
{
	sem_wait(&sems[thing]);
}

static void take_lock(int thing)
{
	flock(locks[thing], LOCK_EX);
}

static void take_byte(int thing)
{
	char byte;

	assert(read(pipes[thing][0], &byte, 1) == 1);
}

/*
 * Two children take two things in opposite order, each once the other has its first. The parent
 * looks alive for so many @ticks, for ever if that is negative.
 */
static int cross(void (*take)(int thing), void (*prepare)(void), int ticks)
{
	const struct timespec tick = { .tv_nsec = 1000000 };
	int ready[2][2], i;
	char byte = 0;

	assert(!pipe(ready[0]) && !pipe(ready[1]));
	for (i = 0; i < 2; i++) {
		if (fork())
			continue;
		if (prepare)
			prepare();
		take(i);
		assert(write(ready[i][1], &byte, 1) == 1);
		assert(read(ready[!i][0], &byte, 1) == 1);
		take(!i);
		_exit(0);
	}
	while (ticks < 0 || ticks--)
		nanosleep(&tick, NULL);
	return 0;
}

static void make_sems(void)
{
	sems = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(sems != MAP_FAILED && !sem_init(&sems[0], 1, 1) && !sem_init(&sems[1], 1, 1));
}

static int sems_cross(void)
{
	make_sems();
	return cross(take_sem, NULL, -1);
}

/* The parent gives them what they wait for before it ends. */
static int sems_given(void)
{
	make_sems();
	cross(take_sem, NULL, 100);
	sem_post(&sems[0]);
	sem_post(&sems[1]);
	return wait(NULL) < 0 || wait(NULL) < 0;
}

/* A description of its own for each process, or they would have the locks together. */
static void open_locks(void)
{
	locks[0] = open("/bin/sh", O_RDONLY);
	locks[1] = open("/bin/cat", O_RDONLY);
	assert(locks[0] >= 0 && locks[1] >= 0);
}

static int locks_cross(void)
{
	return cross(take_lock, open_locks, -1);
}

static int pipes_cross(void)
{
	assert(!pipe(pipes[0]) && !pipe(pipes[1]));
	assert(write(pipes[0][1], "", 1) == 1 && write(pipes[1][1], "", 1) == 1);
	return cross(take_byte, NULL, -1);
}

static int speaks(void)
{
	puts("not ok 1 - the sum is 2");
	return 1;
}

static const struct {
	const char *name;
	int (*end)(void);
} ends[] = {
	{ "child_checked", child_checked }, { "child_unchecked", child_unchecked },
	{ "worker_replaced", worker_replaced },
	{ "child_failed", child_failed }, { "child_left", child_left },
	{ "child_forgotten", child_forgotten }, { "child_by_waitid", child_by_waitid },
	{ "thread_removed", thread_removed }, { "process_removed", process_removed },
	{ "thread_removed", thread_removed }, { "process_removed", process_removed },
	{ "child_executes", child_executes }, { "crashes", crashes }, { "divides", divides },
	{ "reads_beyond", reads_beyond }, { "aborts", aborts }, { "returns_77", returns_77 },
	{ "heap_of_a_thread", heap_of_a_thread }, { "own_abort", own_abort },
	{ "rust_main", rust_main }, { "rust_worker", rust_worker }, { "go_asleep", go_asleep },
	{ "go_map", go_map }, { "go_panic", go_panic }, { "tsan", tsan }, { "asan", asan },
	{ "lsan", lsan }, { "speaks", speaks },
	{ "bystander", bystander }, { "sems_cross", sems_cross },
	{ "locks_cross", locks_cross }, { "pipes_cross", pipes_cross },
	{ "sems_given", sems_given },
};

int main(int argc, char **argv)
{
	size_t i;

	/* No core files; what they are written to is not what this is about. */
	prctl(PR_SET_DUMPABLE, 0);
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (argc == 2 && !strcmp(ends[i].name, argv[1]))
			return ends[i].end();
	return 2;
}
