// SPDX-License-Identifier: GPL-2.0-only
/*
 * A signal, a page fault or a debugger comes between two pieces of a copy. Whatever it does there,
 * memory is in the end what it is without control, or the program fails an assertion.
 *
 *	copied string|call MODE
 *
 * Modes, of what happens where the copy is seen half done:
 *	seen		an assertion fails
 *	return		the handler makes a copy of its own
 *	jump		the handler jumps out, and the copy is made again
 *	fork		the handler forks, and both go on with the copy
 *	exec		the handler executes the program once more
 *	kill		another thread kills the process
 *	elsewhere	the handler has the rest copied to another place (string)
 *	shorter		the handler has none of the rest copied (string)
 *	protected	a page in the middle is made writable by a handler of SIGSEGV
 *	served		a page in the middle is served by another thread, which also writes to
 *			what was copied
 *	stepped		a debugger steps over it
 */
#include <assert.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE		4096
#define PAGES		4
#define SMALL		40
#define LARGE		(2 * PAGE)

static char from[LARGE], other[SMALL], own_from[SMALL], own_to[SMALL];
static char *to;
/* Not a constant, so that memcpy() is called. */
static volatile size_t bytes = SMALL;
static const char *mode, *how;
static volatile sig_atomic_t torn, in_child;
static volatile size_t kept_bytes = SMALL;
static volatile pid_t child = -1;
static sigjmp_buf before;
static pthread_t copier;
static int faults = -1;

static bool is_mode(const char *name)
{
	return !strcmp(mode, name);
}

static __attribute__((noinline)) void copy(char *d, const char *s, size_t n)
{
	if (!strcmp(how, "call"))
		memcpy(d, s, n);
	else
		__asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

static void change(ucontext_t *uc)
{
	greg_t *regs = uc->uc_mcontext.gregs;

	kept_bytes = regs[REG_RDI] - (greg_t)to;
	if (is_mode("elsewhere"))
		regs[REG_RDI] = (greg_t)other + kept_bytes;
	else
		regs[REG_RCX] = 0;
}

static void handle(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	if (is_mode("return")) {
		copy(own_to, own_from, SMALL);
		assert(!memcmp(own_to, own_from, SMALL));
	}
	if (to[0] != 'a' || to[SMALL - 1] == 'a')
		return;
	torn = 1;
	assert(!is_mode("seen"));
	if (is_mode("jump"))
		siglongjmp(before, 1);
	if (is_mode("exec"))
		execl("/proc/self/exe", "copied", NULL);
	if (is_mode("fork")) {
		child = fork();
		if (!child) {
			in_child = 1;
			to[0] = 'c';
		}
	}
	if (is_mode("elsewhere") || is_mode("shorter"))
		change(context);
}

static void allow(int sig)
{
	(void)sig;
	if (mprotect(to + PAGE - (size_t)to % PAGE, PAGE, PROT_READ | PROT_WRITE))
		abort();
}

static void *disturb(void *unused)
{
	bool is_half = to[0] == 'a' && to[SMALL - 1] != 'a';

	(void)unused;
	if (!is_mode("kill"))
		pthread_kill(copier, SIGUSR1);
	else if (is_half)
		kill(getpid(), SIGKILL);
	return NULL;
}

static void *serve(void *unused)
{
	struct uffdio_zeropage zero = { .range.len = PAGE };
	struct uffd_msg msg;

	(void)unused;
	assert(read(faults, &msg, sizeof(msg)) == sizeof(msg));
	assert(msg.event == UFFD_EVENT_PAGEFAULT);
	/* Just before the page: where that was copied, it is not copied once more. */
	torn = to[PAGE - 100] == 'a';
	if (torn)
		to[PAGE - 100] = 'x';
	zero.range.start = msg.arg.pagefault.address & -PAGE;
	assert(!ioctl(faults, UFFDIO_ZEROPAGE, &zero));
	return NULL;
}

static bool watch_faults(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = {
		.range = { .start = (unsigned long)to + PAGE, .len = PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api))
		return false;
	return !ioctl(faults, UFFDIO_REGISTER, &reg);
}

static void check(void)
{
	size_t i;

	for (i = 0; i < bytes; i++) {
		char is = i < kept_bytes ? 'a' : 0;

		if ((in_child && i == 0) || is_mode("served"))
			continue;
		if (is_mode("protected"))
			is = 'a';
		assert(to[i] == is);
	}
	if (in_child) {
		assert(to[0] == 'c');
		_exit(0);
	}
	for (i = kept_bytes; is_mode("elsewhere") && i < SMALL; i++)
		assert(other[i] == 'a');
	for (i = 0; is_mode("served") && i < bytes; i++)
		assert(to[i] == (torn && i == PAGE - 100 ? 'x' : 'a'));
}

static int stepped(void)
{
	pid_t pid = fork();
	int status, steps = 0;

	assert(pid >= 0);
	if (!pid) {
		assert(!ptrace(PTRACE_TRACEME, 0, 0, 0));
		__asm__ volatile("int3");
		copy(to, from, SMALL);
		_exit(0);
	}
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		steps += to[0] == 'a' && to[SMALL - 1] != 'a';
		assert(!ptrace(PTRACE_SINGLESTEP, pid, 0, 0));
	}
	assert(WIFEXITED(status) && !WEXITSTATUS(status));
	assert(!memcmp(to, from, SMALL));
	return 0;
}

static void copy_disturbed(void)
{
	struct sigaction sa = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	pthread_t thread;

	copier = pthread_self();
	assert(!sigaction(SIGUSR1, &sa, NULL));
	assert(!pthread_create(&thread, NULL, is_mode("served") ? serve : disturb, NULL));
	sigsetjmp(before, 1);
	copy(to, from, bytes);
	if (!in_child)
		assert(!pthread_join(thread, NULL));
	check();
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = allow };
	int status;

	if (argc < 3)
		return argc > 1;
	how = argv[1];
	mode = argv[2];
	to = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert(to != MAP_FAILED);
	if (is_mode("fork") || is_mode("served") || is_mode("protected")) {
		to = mmap(NULL, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
		assert(to != MAP_FAILED);
	}
	memset(from, 'a', sizeof(from));
	memset(own_from, 'o', sizeof(own_from));
	if (is_mode("stepped"))
		return stepped();
	if (is_mode("protected")) {
		assert(!mprotect(to + PAGE, PAGE, PROT_NONE));
		to += PAGE - SMALL / 2;
		/* The other handler, which reads there, has to wait until it may. */
		sigfillset(&sa.sa_mask);
		assert(!sigaction(SIGSEGV, &sa, NULL));
	}
	if (is_mode("served")) {
		bytes = LARGE;
		memset(to, 0, PAGE);
		if (!watch_faults())
			return 77;
	}
	if (is_mode("kill")) {
		child = fork();
		assert(child >= 0);
	}
	if (!is_mode("kill") || !child)
		copy_disturbed();
	if (child > 0) {
		assert(waitpid(child, &status, 0) == child);
		assert(is_mode("kill") ? !status || status == SIGKILL : !status);
	}
	return 0;
}
