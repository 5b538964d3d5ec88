// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of fuzzed programs about processes: ways to begin and to end one, tracing,
 * seccomp, limits, namespaces. See program.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

static int wait_status(pid_t pid)
{
	int status = 0;

	if (pid < 0 || TEMP_FAILURE_RETRY(waitpid(pid, &status, 0)) != pid)
		return -errno;
	return status_number(status);
}

static int fork_exit(struct ctx *c)
{
	int code = below(c, 100);
	pid_t pid = fork();

	if (!pid)
		_exit(code);
	return wait_status(pid);
}

static void execute(char *what, char *arg)
{
	char *argv[] = { own_path, what, arg, NULL };

	execv(own_path, argv);
	_exit(126);
}

static int vfork_exec(struct ctx *c)
{
	bool exec = below(c, 2);
	pid_t pid = vfork();

	if (!pid) {
		if (exec)
			execute("leaf", "12");
		_exit(13);
	}
	return wait_status(pid);
}

static int spawn(struct ctx *c)
{
	char *argv[] = { own_path, "leaf", "21", NULL }, *bad[] = { "none", NULL };
	pid_t pid;
	int ret;

	if (below(c, 4) == 0)
		note(c, posix_spawn(&pid, "/nonexistent", NULL, NULL, bad, environ));
	ret = posix_spawn(&pid, own_path, NULL, NULL, argv, environ);
	return ret ? ret : wait_status(pid);
}

static int close_one(void *arg)
{
	int fd = *(int *)arg;

	return dup2(0, fd + 1) < 0 || close(fd) ? 1 : 3;
}

/* A child with our descriptors changes them. */
static int clone_files(struct ctx *c)
{
	char *stack = malloc(65536);
	int fd = OWN_FD + 4 * c->me, ret;
	pid_t pid;

	dup2(0, fd);
	pid = clone(close_one, stack + 65536, CLONE_FILES | SIGCHLD, &fd);
	ret = wait_status(pid);
	note(c, fcntl(fd, F_GETFD) < 0);
	note(c, fcntl(fd + 1, F_GETFD) < 0);
	close(fd + 1);
	free(stack);
	return ret;
}

static int set_value(void *arg)
{
	*(volatile int *)arg += 5;
	return 4;
}

static int clone_vm(struct ctx *c)
{
	char *stack = malloc(65536);
	volatile int value = below(c, 100);
	int flags = below(c, 2) ? CLONE_VM | CLONE_VFORK : CLONE_VM;

	note(c, wait_status(clone(set_value, stack + 65536, flags | SIGCHLD, (void *)&value)));
	free(stack);
	return value;
}

static int change_folder(void *arg)
{
	(void)arg;
	return chdir("/proc") ? 1 : 0;
}

static int clone_fs(struct ctx *c)
{
	char *stack = malloc(65536), path[64] = "";

	note(c, wait_status(clone(change_folder, stack + 65536, CLONE_FS | SIGCHLD, NULL)));
	note(c, getcwd(path, sizeof(path)) != NULL);
	return strcmp(path, "/proc") ? 1 : 0;
}

static int pidfd(struct ctx *c)
{
	int fd = -1, sig = below(c, 2) ? SIGTERM : SIGKILL;
	struct clone_args a = { .flags = CLONE_PIDFD, .pidfd = (uintptr_t)&fd,
				.exit_signal = SIGCHLD };
	siginfo_t info = { 0 };
	pid_t pid = syscall(SYS_clone3, &a, sizeof(a));

	if (!pid)
		for (;;)
			pause();
	if (pid < 0)
		return -errno;
	note(c, syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0));
	note(c, TEMP_FAILURE_RETRY(waitid(P_PIDFD, fd, &info, WEXITED | WNOWAIT)));
	note(c, info.si_status);
	note(c, info.si_code);
	close(fd);
	return wait_status(pid);
}

static int stop_and_go(struct ctx *c)
{
	pid_t pid = fork();
	int status = 0;

	if (!pid)
		for (;;)
			pause();
	kill(pid, SIGSTOP);
	TEMP_FAILURE_RETRY(waitpid(pid, &status, WUNTRACED));
	note(c, status_number(status));
	kill(pid, SIGCONT);
	TEMP_FAILURE_RETRY(waitpid(pid, &status, WCONTINUED));
	note(c, WIFCONTINUED(status));
	kill(pid, SIGTERM);
	return wait_status(pid);
}

static volatile long traced_value;

static int traced(struct ctx *c)
{
	unsigned int steps = below(c, 4), i;
	int status = 0;
	pid_t pid;
	long word;

	traced_value = 4711;
	pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		raise(SIGUSR1);
		_exit(traced_value == 815 ? 17 : 18);
	}
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, status_number(status));
	word = ptrace(PTRACE_PEEKDATA, pid, &traced_value, NULL);
	note(c, word);
	note(c, ptrace(PTRACE_POKEDATA, pid, &traced_value, 815L));
	for (i = 0; i < steps; i++) {
		note(c, ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL));
		TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
		note(c, status_number(status));
	}
	note(c, ptrace(PTRACE_CONT, pid, NULL, NULL));
	TEMP_FAILURE_RETRY(waitpid(pid, &status, 0));
	note(c, status_number(status));
	note(c, below(c, 2) ? ptrace(PTRACE_DETACH, pid, NULL, NULL) :
		ptrace(PTRACE_CONT, pid, NULL, NULL));
	return wait_status(pid);
}

static int filter(int nr, unsigned int action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, nr, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, action),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static int seccomp_errno(struct ctx *c)
{
	static const int calls[] = { SYS_getppid, SYS_sched_yield, SYS_nanosleep, SYS_getuid,
				     SYS_read, SYS_clone, SYS_timer_create, SYS_poll, SYS_futex };
	int nr = calls[below(c, 9)], error = 1 + below(c, 40);
	struct timespec nap = { 0, 1000 };
	long ret;

	if (filter(nr, SECCOMP_RET_ERRNO | error))
		return 100;
	ret = syscall(nr, &nap, &nap, 0, 0, 0, 0);
	note(c, result_of(ret));
	return ret == -1 && errno == error ? 0 : 1;
}

static volatile int trapped_call;

static void take_sigsys(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	trapped_call = info->si_syscall;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = 77;
}

static int seccomp_trap(struct ctx *c)
{
	struct sigaction sa = { .sa_sigaction = take_sigsys, .sa_flags = SA_SIGINFO };
	int nr = below(c, 2) ? SYS_getppid : SYS_sched_yield;
	unsigned int i;

	sigaction(SIGSYS, &sa, NULL);
	if (filter(nr, SECCOMP_RET_TRAP))
		return 100;
	for (i = 0; i < 2; i++) {
		note(c, syscall(nr));
		note(c, trapped_call == nr);
	}
	return 0;
}

static void *call_getppid(void *arg)
{
	syscall(SYS_getppid);
	return arg;
}

static int seccomp_kill(struct ctx *c)
{
	bool thread = below(c, 2);
	pthread_t t;

	if (filter(SYS_getppid, thread ? SECCOMP_RET_KILL_THREAD : SECCOMP_RET_KILL_PROCESS))
		return 100;
	/* A thread that was killed is joined by nobody: its stack is there, its end seen. */
	if (thread && below(c, 2)) {
		note(c, pthread_create(&t, NULL, call_getppid, NULL));
		note(c, pthread_join(t, NULL));
		return 5;
	}
	syscall(SYS_getppid);
	return 6;
}

static int seccomp_strict(struct ctx *c)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 100;
	if (below(c, 2))
		syscall(SYS_getpid);
	syscall(SYS_exit, 8);
	return 9;
}

/* The program again, out of memory. */
static int memfd_exec(struct ctx *c)
{
	char *argv[] = { own_path, "leaf", "31", NULL }, buf[8192];
	int in = open(own_path, O_RDONLY | O_CLOEXEC), out = memfd_create("program", MFD_CLOEXEC);
	ssize_t n;

	while ((n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, n) != n)
			return 101;
	if (below(c, 2))
		fexecve(out, argv, environ);
	else
		syscall(SYS_execveat, out, "", argv, environ, AT_EMPTY_PATH);
	return 102;
}

static void *exec_leaf(void *arg)
{
	(void)arg;
	execute("leaf", "41");
	return NULL;
}

/* The other threads end without a word, and this one gets the pid. */
static int thread_exec(struct ctx *c)
{
	pthread_t t;

	(void)c;
	if (pthread_create(&t, NULL, exec_leaf, NULL))
		return 110;
	for (;;)
		pause();
	return 0;
}

static void *exit_all(void *arg)
{
	_exit((intptr_t)arg);
}

static int thread_exit_group(struct ctx *c)
{
	intptr_t code = below(c, 100);
	pthread_t t;

	if (pthread_create(&t, NULL, exit_all, (void *)code))
		return 110;
	for (;;)
		pause();
	return 0;
}

static void *outlive(void *arg)
{
	(void)arg;
	sched_yield();
	exit(51);
}

/* The first thread goes, the process stays. */
static int leader_exit(struct ctx *c)
{
	pthread_t t;

	(void)c;
	if (pthread_create(&t, NULL, outlive, NULL))
		return 110;
	pthread_exit(NULL);
}

static int grandchild(struct ctx *c)
{
	pid_t pid;
	int status;

	note(c, prctl(PR_SET_CHILD_SUBREAPER, 1));
	pid = fork();
	if (!pid) {
		if (!fork())
			_exit(62);
		_exit(61);
	}
	note(c, wait_status(pid));
	TEMP_FAILURE_RETRY(wait(&status));
	note(c, status_number(status));
	return wait(&status) < 0 && errno == ECHILD ? 0 : 1;
}

static int parent_dies(struct ctx *c)
{
	int status, fd[2];
	pid_t pid;
	char byte;

	note(c, prctl(PR_SET_CHILD_SUBREAPER, 1) || pipe(fd));
	pid = fork();
	if (!pid) {
		if (!fork()) {
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			if (write(fd[1], "x", 1) != 1)
				_exit(1);
			for (;;)
				pause();
		}
		_exit(read(fd[0], &byte, 1) == 1 ? 71 : 72);
	}
	note(c, wait_status(pid));
	TEMP_FAILURE_RETRY(wait(&status));
	return status_number(status) == 1000 + SIGTERM ? 0 : 1;
}

static int dies(struct ctx *c)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	switch (below(c, 4)) {
	case 0:
		abort();
	case 1:
		*(volatile int *)8 = 1;
		break;
	case 2:
		__asm__ volatile("ud2");
		break;
	default:
		kill(getpid(), SIGKILL);
	}
	return 0;
}

static int file_limit(struct ctx *c)
{
	struct rlimit l = { OWN_FD, OWN_FD };
	int fd = dup(0);

	note(c, setrlimit(RLIMIT_NOFILE, &l));
	note(c, result_of(dup2(0, OWN_FD)));
	note(c, result_of(fcntl(0, F_DUPFD, OWN_FD)));
	return close(fd);
}

static int size_limit(struct ctx *c)
{
	struct rlimit l = { 100, 100 };
	int fd = memfd_create("limited", MFD_CLOEXEC);
	char bytes[200] = "";

	note(c, setrlimit(RLIMIT_FSIZE, &l));
	if (below(c, 2))
		signal(SIGXFSZ, SIG_IGN);
	note(c, result_of(write(fd, bytes, 200)));
	note(c, result_of(write(fd, bytes, 200)));
	return 0;
}

static int stack_limit(struct ctx *c)
{
	struct rlimit l = { 1 << 20, 1 << 20 };

	note(c, setrlimit(RLIMIT_STACK, &l));
	execute("leaf", below(c, 2) ? "81" : "82");
	return 0;
}

static int user_namespace(struct ctx *c)
{
	int fd;

	if (unshare(CLONE_NEWUSER))
		return 103;
	note(c, getuid() == 65534);
	fd = open("/proc/self/setgroups", O_WRONLY);
	note(c, write(fd, "deny", 4));
	close(fd);
	return unshare(CLONE_NEWNS | CLONE_NEWUTS) ? 104 : 0;
}

static int pid_namespace(struct ctx *c)
{
	pid_t pid;

	if (unshare(CLONE_NEWUSER | CLONE_NEWPID))
		return 105;
	pid = fork();
	if (!pid)
		_exit(getpid() == 1 ? 91 : 92);
	note(c, wait_status(pid));
	return result_of(fork()) == -ENOMEM ? 0 : 106;
}

static int failing_exec(struct ctx *c)
{
	char *argv[] = { "none", NULL };
	int fd = memfd_create("text", 0);

	note(c, result_of(execv("/nonexistent", argv)));
	note(c, result_of(execv("/proc", argv)));
	note(c, result_of(execv("/etc/passwd", argv)));
	note(c, write(fd, "text", 4));
	note(c, result_of(fexecve(fd, argv, environ)));
	note(c, result_of(syscall(SYS_execve, own_path, (char **)8, environ)));
	return close(fd);
}

static int sessions(struct ctx *c)
{
	note(c, setsid() == getpid());
	note(c, getpgrp() == getpid());
	note(c, result_of(setsid()));
	note(c, umask(022) == umask(022));
	prctl(PR_SET_NAME, "renamed");
	return 0;
}

static int session_leaf(struct ctx *c)
{
	int fd = OWN_FD, flags = below(c, 2) ? O_CLOEXEC : 0;
	char number[16];

	snprintf(number, sizeof(number), "%d", fd);
	note(c, dup3(0, fd, flags) == fd);
	execute("open", number);
	return 0;
}

static int affinity(struct ctx *c)
{
	struct sched_param p = { 0 };
	cpu_set_t set;

	note(c, sched_getaffinity(0, sizeof(set), &set));
	note(c, sched_setaffinity(0, sizeof(set), &set));
	note(c, sched_setscheduler(0, SCHED_BATCH, &p));
	note(c, setpriority(PRIO_PROCESS, 0, 5));
	return getpriority(PRIO_PROCESS, 0);
}

static const struct op table[] = {
	{ "fork_exit",		SOLO,	NOTHING, 5, fork_exit },
	{ "vfork_exec",		SOLO,	NOTHING, 4, vfork_exec },
	{ "spawn",		SOLO,	NOTHING, 3, spawn },
	{ "clone_files",	SOLO,	NOTHING, 3, clone_files },
	{ "clone_vm",		SOLO,	NOTHING, 3, clone_vm },
	{ "clone_fs",		CHILD,	NOTHING, 2, clone_fs },
	{ "pidfd",		SOLO,	NOTHING, 3, pidfd },
	{ "stop_and_go",	SOLO,	NOTHING, 3, stop_and_go },
	{ "traced",		SOLO,	NOTHING, 3, traced },
	{ "seccomp_errno",	CHILD,	NOTHING, 4, seccomp_errno },
	{ "seccomp_trap",	CHILD,	NOTHING, 3, seccomp_trap },
	{ "seccomp_kill",	CHILD,	NOTHING, 3, seccomp_kill },
	{ "seccomp_strict",	CHILD,	NOTHING, 2, seccomp_strict },
	{ "memfd_exec",		CHILD,	NOTHING, 2, memfd_exec },
	{ "thread_exec",	CHILD,	NOTHING, 3, thread_exec },
	{ "thread_exit_group",	CHILD,	NOTHING, 3, thread_exit_group },
	{ "leader_exit",	CHILD,	NOTHING, 3, leader_exit },
	{ "grandchild",		CHILD,	NOTHING, 3, grandchild },
	{ "parent_dies",	CHILD,	NOTHING, 3, parent_dies },
	{ "dies",		CHILD,	NOTHING, 3, dies },
	{ "file_limit",		CHILD,	NOTHING, 2, file_limit },
	{ "size_limit",		CHILD,	NOTHING, 2, size_limit },
	{ "stack_limit",	CHILD,	NOTHING, 2, stack_limit },
	{ "user_namespace",	CHILD,	NOTHING, 2, user_namespace },
	{ "pid_namespace",	CHILD,	NOTHING, 2, pid_namespace },
	{ "failing_exec",	CHILD,	NOTHING, 2, failing_exec },
	{ "sessions",		CHILD,	NOTHING, 2, sessions },
	{ "open_at_exec",	CHILD,	NOTHING, 2, session_leaf },
	{ "affinity",		CHILD,	NOTHING, 2, affinity },
};

const struct ops process_ops = { table, sizeof(table) / sizeof(*table) };
