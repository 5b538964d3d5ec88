// SPDX-License-Identifier: GPL-2.0-only
/*
 * For unseen.sh: what a program does that no search covers, and next to it what looks the same and
 * is covered. Nothing fails here, so "ok" would be the wrong answer to the first of these and is
 * the right one to the second. By its argument:
 *
 *	handler, file, wide	a handler prints to a stream that the code it interrupts uses
 *	masked, alone, streams	... but not there; nobody else does; each has one of its own
 *	pipe, ring		vmsplice(), an io_uring with a thread of the kernel
 *	filter, limit		a seccomp filter for all threads, a limit of another process
 *	own_filter, own_limit	those of the caller alone
 *	locale, early_locale	setlocale() beside a thread, and before there is one
 *	childs_locale		in a process that has one thread, as most commands do
 *	peek, peek_stopped	a process reads two words of another one that it traces, which
 *				may be stopped between them; and may not
 */
#include <assert.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

static const char *way;
static FILE *of_handler, *of_main;
static pthread_t first;

static bool is(const char *name)
{
	return !strcmp(way, name);
}

static void print(int sig)
{
	if (is("wide"))
		wprintf(L"signal %d\n", sig);
	else if (of_handler)
		fprintf(of_handler, "signal %d\n", sig);
	else
		printf("signal %d\n", sig);
}

static void *send(void *arg)
{
	pthread_kill(first, SIGUSR1);
	return arg;
}

static void interrupt_output(void)
{
	pthread_t thread;
	sigset_t set;

	first = pthread_self();
	signal(SIGUSR1, print);
	if (is("file"))
		of_handler = of_main = fopen("/dev/null", "w");
	if (is("streams"))
		of_handler = stderr;
	/* They have their buffers, so that a handler does not call the heap. */
	if (is("wide"))
		putwchar(L'-');
	else if (of_main)
		fprintf(of_main, "begin\n");
	else if (!is("alone"))
		printf("begin\n");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	assert(!pthread_create(&thread, NULL, send, NULL));
	if (is("masked"))
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (is("wide"))
		putwchar(L'-');
	else if (of_main)
		fprintf(of_main, "main %d\n", 1);
	else if (!is("alone"))
		printf("main %d\n", 1);
	if (is("masked"))
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pthread_join(thread, NULL);
}

static void *wait_a_little(void *arg)
{
	usleep(1);
	return arg;
}

static void give_pages(void)
{
	static char page[4096] __attribute__((aligned(4096))) = "page";
	struct iovec part = { .iov_base = page, .iov_len = sizeof(page) };
	char byte;
	int fd[2];

	assert(!pipe(fd));
	if (!fork()) {
		assert(read(fd[0], &byte, 1) == 1);
		_exit(0);
	}
	assert(vmsplice(fd[1], &part, 1, 0) == sizeof(page));
	wait(NULL);
}

static void filter(void)
{
	struct sock_filter all = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { .len = 1, .filter = &all };

	assert(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	assert(!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			is("filter") ? SECCOMP_FILTER_FLAG_TSYNC : 0, &program));
}

static void set_limit(void)
{
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
	pid_t child = is("limit") ? fork() : 0;

	if (is("limit") && !child)
		_exit(0);
	prlimit(child, RLIMIT_CORE, &limit, NULL);
	if (child)
		wait(NULL);
}

static void beside_thread(void (*what)(void))
{
	pthread_t thread;

	assert(!pthread_create(&thread, NULL, wait_a_little, NULL));
	what();
	pthread_join(thread, NULL);
}

static void make_ring(void)
{
	struct io_uring_params p = { .flags = IORING_SETUP_SQPOLL };
	int fd = syscall(SYS_io_uring_setup, 1, &p);

	assert(fd >= 0);
	close(fd);
}

static void set_locale(void)
{
	setlocale(LC_ALL, "C");
}

static void nothing(void)
{
}

static void set_childs_locale(void)
{
	if (!fork()) {
		set_locale();
		_exit(0);
	}
	wait(NULL);
}

/* What the child has in between may be read only where it can be stopped there. */
static struct { long a, b; } *bait;

static void bait_and_stop(void)
{
	if (is("peek_stopped"))
		raise(SIGSTOP);
	bait->a++;
	bait->b++;
	if (is("peek"))
		pause();
}

static void peek(void)
{
	static long memory[2];
	long a, b;
	pid_t child;

	bait = (void *)memory;
	child = fork();
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		bait_and_stop();
		_exit(0);
	}
	if (is("peek_stopped"))
		waitpid(child, NULL, WUNTRACED);
	assert(!ptrace(PTRACE_SEIZE, child, 0, 0));
	assert(!ptrace(PTRACE_INTERRUPT, child, 0, 0));
	assert(waitpid(child, NULL, 0) == child);
	a = ptrace(PTRACE_PEEKDATA, child, &bait->a, 0);
	b = ptrace(PTRACE_PEEKDATA, child, &bait->b, 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert(a == b);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {
		{ "pipe", give_pages }, { "limit", set_limit }, { "peek", peek },
		{ "peek_stopped", peek },
	};
	size_t i;

	way = argc > 1 ? argv[1] : "handler";
	if (is("early_locale"))
		set_locale();
	for (i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (is(ways[i].name)) {
			ways[i].run();
			return 0;
		}
	if (is("ring"))
		beside_thread(make_ring);
	else if (is("filter") || is("own_filter"))
		beside_thread(filter);
	else if (is("own_limit"))
		beside_thread(set_limit);
	else if (is("locale"))
		beside_thread(set_locale);
	else if (is("early_locale"))
		beside_thread(nothing);
	else if (is("childs_locale"))
		set_childs_locale();
	else
		interrupt_output();
	return 0;
}
