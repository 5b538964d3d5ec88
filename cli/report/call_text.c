// SPDX-License-Identifier: GPL-2.0-only
/*
 * One system call in words, see calls.h. A row of the table says what each argument is; a call
 * without one has its arguments in hex. No pointer is trusted: what cannot be read is an
 * address.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "cli.h"
#include "peek.h"
#include "quote.h"

#define PATH_SHOWN	256	/* bytes of a path, and of other bytes */
#define BYTES_MAX	16

/*
 * Arguments: f descriptor, d directory, p path, i number, u unsigned, x hex, m mode,
 * b bytes whose number is the next argument, B the same filled in by the call and as many as
 * it returns, a address of a socket and its length, o flags of open, O those alone, A mode of
 * access, s signal, k flock, c fcntl and l what it is given, F futex, P protection, M mapping,
 * w whence, W waitpid, t flags of *at(), e epoll_ctl, D family, T type of a socket, N option of
 * prctl and n what it is given, - not shown.
 */
static const struct {
	uint16_t nr;
	const char *args;
} table[] = {
	{ SYS_read, "fBu" }, { SYS_write, "fbu" }, { SYS_pread64, "fBui" },
	{ SYS_pwrite64, "fbui" }, { SYS_readv, "fxi" }, { SYS_writev, "fxi" },
	{ SYS_open, "pom" }, { SYS_openat, "dpom" }, { SYS_creat, "pm" }, { SYS_close, "f" },
	{ SYS_unlink, "p" }, { SYS_unlinkat, "dpt" }, { SYS_rename, "pp" },
	{ SYS_renameat, "dpdp" }, { SYS_renameat2, "dpdpx" }, { SYS_mkdir, "pm" },
	{ SYS_mkdirat, "dpm" }, { SYS_rmdir, "p" }, { SYS_link, "pp" },
	{ SYS_linkat, "dpdpt" }, { SYS_symlink, "pp" }, { SYS_symlinkat, "pdp" },
	{ SYS_readlink, "pBu" }, { SYS_readlinkat, "dpBu" }, { SYS_stat, "p-" },
	{ SYS_lstat, "p-" }, { SYS_fstat, "f-" }, { SYS_newfstatat, "dp-t" },
	{ SYS_statx, "dptx-" }, { SYS_access, "pA" }, { SYS_faccessat, "dpA" },
	{ SYS_faccessat2, "dpAt" }, { SYS_chmod, "pm" }, { SYS_fchmod, "fm" },
	{ SYS_fchmodat, "dpm" }, { SYS_chown, "pii" }, { SYS_truncate, "pi" },
	{ SYS_ftruncate, "fi" }, { SYS_lseek, "fiw" }, { SYS_fsync, "f" },
	{ SYS_fdatasync, "f" }, { SYS_getdents64, "f-u" }, { SYS_chdir, "p" },
	{ SYS_fchdir, "f" }, { SYS_getcwd, "-u" }, { SYS_mknod, "pmx" },
	{ SYS_mknodat, "dpmx" }, { SYS_dup, "f" }, { SYS_dup2, "fi" }, { SYS_dup3, "fiO" },
	{ SYS_pipe, "-" }, { SYS_pipe2, "-O" }, { SYS_fcntl, "fcl" }, { SYS_flock, "fk" },
	{ SYS_ioctl, "fxx" }, { SYS_poll, "-ui" }, { SYS_epoll_create1, "x" },
	{ SYS_epoll_ctl, "fef-" }, { SYS_epoll_wait, "f-ii" }, { SYS_epoll_pwait, "f-ii-" },
	{ SYS_eventfd2, "uO" }, { SYS_socket, "DTi" }, { SYS_socketpair, "DTi-" },
	{ SYS_bind, "fau" }, { SYS_connect, "fau" }, { SYS_listen, "fi" },
	{ SYS_accept, "f--" }, { SYS_accept4, "f--x" }, { SYS_sendto, "fbuxau" },
	{ SYS_recvfrom, "fBux" }, { SYS_sendmsg, "f-x" }, { SYS_recvmsg, "f-x" },
	{ SYS_shutdown, "fi" }, { SYS_setsockopt, "fiixu" }, { SYS_getsockopt, "fii-" },
	{ SYS_kill, "is" }, { SYS_tkill, "is" }, { SYS_tgkill, "iis" },
	{ SYS_rt_sigaction, "s" }, { SYS_pause, "" }, { SYS_futex, "xFu" },
	{ SYS_mmap, "xuPMfx" }, { SYS_munmap, "xu" }, { SYS_mprotect, "xuP" },
	{ SYS_madvise, "xui" }, { SYS_brk, "x" }, { SYS_execve, "p" }, { SYS_execveat, "dp" },
	{ SYS_exit, "i" }, { SYS_exit_group, "i" }, { SYS_fork, "" }, { SYS_vfork, "" },
	{ SYS_wait4, "i-W" }, { SYS_waitid, "ii-W" }, { SYS_sched_yield, "" },
	{ SYS_semget, "iix" }, { SYS_semop, "i-u" }, { SYS_semctl, "iii" },
	{ SYS_shmget, "iux" }, { SYS_shmat, "ixx" }, { SYS_shmdt, "x" },
	{ SYS_msgget, "ix" }, { SYS_msgsnd, "i-ux" }, { SYS_msgrcv, "i-uix" },
	{ SYS_getpid, "" }, { SYS_getppid, "" }, { SYS_gettid, "" }, { SYS_umask, "m" },
	{ SYS_sendfile, "ff-u" }, { SYS_inotify_add_watch, "fpx" }, { SYS_prctl, "Nn" },
};

struct flag {
	uint64_t bits;
	const char *name;
};

#define FLAG(name)	{ name, #name }

static const struct flag open_flags[] = {
	FLAG(O_CREAT), FLAG(O_EXCL), FLAG(O_NOCTTY), FLAG(O_TRUNC), FLAG(O_APPEND),
	FLAG(O_NONBLOCK), FLAG(O_SYNC), FLAG(O_DSYNC), FLAG(O_DIRECT), FLAG(O_TMPFILE),
	FLAG(O_DIRECTORY), FLAG(O_NOFOLLOW), FLAG(O_CLOEXEC), FLAG(O_PATH), { 0, NULL },
};
static const struct flag access_flags[] = { FLAG(R_OK), FLAG(W_OK), FLAG(X_OK), { 0, NULL } };
static const struct flag at_flags[] = {
	FLAG(AT_REMOVEDIR), FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_SYMLINK_FOLLOW),
	FLAG(AT_EMPTY_PATH), FLAG(AT_NO_AUTOMOUNT), { 0, NULL },
};
static const struct flag lock_flags[] = {
	FLAG(LOCK_SH), FLAG(LOCK_EX), FLAG(LOCK_UN), FLAG(LOCK_NB), { 0, NULL },
};
static const struct flag protections[] = {
	FLAG(PROT_READ), FLAG(PROT_WRITE), FLAG(PROT_EXEC), { 0, NULL },
};
static const struct flag mappings[] = {
	FLAG(MAP_SHARED), FLAG(MAP_PRIVATE), FLAG(MAP_FIXED), FLAG(MAP_ANONYMOUS),
	FLAG(MAP_STACK), FLAG(MAP_NORESERVE), FLAG(MAP_POPULATE), FLAG(MAP_DENYWRITE),
	FLAG(MAP_LOCKED), FLAG(MAP_GROWSDOWN), { 0, NULL },
};
static const struct flag wait_flags[] = {
	FLAG(WNOHANG), FLAG(WUNTRACED), FLAG(WCONTINUED), FLAG(WEXITED), FLAG(WNOWAIT),
	{ 0, NULL },
};
static const struct flag socket_flags[] = { FLAG(SOCK_NONBLOCK), FLAG(SOCK_CLOEXEC), { 0, NULL } };

/* Of these one is meant, and not several. */
static const struct flag families[] = {
	FLAG(AF_UNIX), FLAG(AF_INET), FLAG(AF_INET6), FLAG(AF_NETLINK), { 0, NULL },
};
static const struct flag types[] = {
	FLAG(SOCK_STREAM), FLAG(SOCK_DGRAM), FLAG(SOCK_RAW), FLAG(SOCK_SEQPACKET), { 0, NULL },
};
static const struct flag whences[] = {
	FLAG(SEEK_SET), FLAG(SEEK_CUR), FLAG(SEEK_END), { 0, NULL },
};
static const struct flag controls[] = {
	FLAG(F_DUPFD), FLAG(F_GETFD), FLAG(F_SETFD), FLAG(F_GETFL), FLAG(F_SETFL),
	FLAG(F_GETLK), FLAG(F_SETLK), FLAG(F_SETLKW), FLAG(F_DUPFD_CLOEXEC), FLAG(F_OFD_GETLK),
	FLAG(F_OFD_SETLK), FLAG(F_OFD_SETLKW), FLAG(F_SETPIPE_SZ), FLAG(F_GETPIPE_SZ), { 0, NULL },
};
static const struct flag lock_types[] = {
	FLAG(F_RDLCK), FLAG(F_WRLCK), FLAG(F_UNLCK), { 0, NULL },
};
static const struct flag options[] = {
	FLAG(PR_SET_NAME), FLAG(PR_GET_NAME), FLAG(PR_SET_PDEATHSIG), FLAG(PR_GET_PDEATHSIG),
	FLAG(PR_SET_DUMPABLE), FLAG(PR_GET_DUMPABLE), FLAG(PR_SET_NO_NEW_PRIVS),
	FLAG(PR_SET_SECCOMP), FLAG(PR_SET_CHILD_SUBREAPER), FLAG(PR_SET_KEEPCAPS), FLAG(PR_SET_VMA),
	{ 0, NULL },
};
static const struct flag epoll_ops[] = {
	FLAG(EPOLL_CTL_ADD), FLAG(EPOLL_CTL_DEL), FLAG(EPOLL_CTL_MOD), { 0, NULL },
};
static const struct flag futex_ops[] = {
	FLAG(FUTEX_WAIT), FLAG(FUTEX_WAKE), FLAG(FUTEX_REQUEUE), FLAG(FUTEX_CMP_REQUEUE),
	FLAG(FUTEX_WAKE_OP), FLAG(FUTEX_LOCK_PI), FLAG(FUTEX_UNLOCK_PI), FLAG(FUTEX_TRYLOCK_PI),
	FLAG(FUTEX_WAIT_BITSET), FLAG(FUTEX_WAKE_BITSET), FLAG(FUTEX_WAIT_REQUEUE_PI),
	FLAG(FUTEX_CMP_REQUEUE_PI), FLAG(FUTEX_LOCK_PI2), { 0, NULL },
};

/* --- the program's memory ------------------------------------------------------- */

static size_t read_memory(pid_t pid, uint64_t at, char *to, size_t size)
{
	ssize_t n = at ? chess_read_memory(pid, at, to, size) : 0;

	return n > 0 ? n : 0;
}

static void put_bytes(FILE *f, const char *bytes, size_t n, bool cut)
{
	chess_put_quoted(f, bytes, n, true);
	if (cut)
		fputs("...", f);
}

static void put_address(FILE *f, uint64_t address)
{
	if (address)
		fprintf(f, "0x%llx", (unsigned long long)address);
	else
		fputs("NULL", f);
}

static void put_path(FILE *f, pid_t pid, uint64_t at)
{
	char text[PATH_SHOWN];
	size_t have = read_memory(pid, at, text, sizeof(text)), n = strnlen(text, have);

	if (!have)
		put_address(f, at);
	else
		put_bytes(f, text, n, n == have);
}

static void put_buffer(FILE *f, pid_t pid, uint64_t at, uint64_t size)
{
	char text[BYTES_MAX];
	size_t want = size < sizeof(text) ? size : sizeof(text);
	size_t have = read_memory(pid, at, text, want);

	if (have < want || !at)
		put_address(f, at);
	else
		put_bytes(f, text, have, size > have);
}

static void put_socket(FILE *f, pid_t pid, uint64_t at, uint64_t size)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
		char bytes[128];
	} a = { .any.sa_family = AF_UNSPEC };
	size_t have = read_memory(pid, at, a.bytes, size < sizeof(a) ? size : sizeof(a));
	char text[INET6_ADDRSTRLEN] = "";
	const size_t head = offsetof(struct sockaddr_un, sun_path);

	if (a.any.sa_family == AF_INET && have >= sizeof(a.in)) {
		inet_ntop(AF_INET, &a.in.sin_addr, text, sizeof(text));
		fprintf(f, "%s:%u", text, ntohs(a.in.sin_port));
	} else if (a.any.sa_family == AF_INET6 && have >= sizeof(a.in6)) {
		inet_ntop(AF_INET6, &a.in6.sin6_addr, text, sizeof(text));
		fprintf(f, "[%s]:%u", text, ntohs(a.in6.sin6_port));
	} else if (a.any.sa_family == AF_UNIX && have > head && have <= sizeof(a.un)) {
		if (!a.un.sun_path[0])
			put_bytes(f, a.bytes + head, have - head, false);
		else
			put_bytes(f, a.bytes + head, strnlen(a.bytes + head, have - head), false);
	} else {
		put_address(f, at);
	}
}

/* With the file, where it is one: pipes and sockets have numbers that mean nothing later. */
static void put_fd(FILE *f, pid_t pid, int fd)
{
	char link[64], path[128];
	ssize_t n;

	fprintf(f, "%d", fd);
	snprintf(link, sizeof(link), "/proc/%d/fd/%d", pid, fd);
	n = fd < 0 ? -1 : readlink(link, path, sizeof(path));
	if (n > 0 && n < (ssize_t)sizeof(path) && path[0] == '/')
		fprintf(f, "<%.*s>", (int)n, path);
}

/* --- flags ------------------------------------------------------------------------ */

static const char *put_flags(FILE *f, const struct flag *list, uint64_t value, const char *between)
{
	for (; list->name; list++) {
		if (!list->bits || (value & list->bits) != list->bits)
			continue;
		fprintf(f, "%s%s", between, list->name);
		value &= ~list->bits;
		between = "|";
	}
	if (value || !*between)
		fprintf(f, "%s%s%llx", between, value ? "0x" : "", (unsigned long long)value);
	return "|";
}

static void put_one(FILE *f, const struct flag *list, uint64_t value)
{
	for (; list->name; list++)
		if (list->bits == value) {
			fputs(list->name, f);
			return;
		}
	fprintf(f, "%llu", (unsigned long long)value);
}

static void put_open(FILE *f, uint64_t flags)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };

	fputs(modes[flags & O_ACCMODE], f);
	/* What the C library sets by itself, and what says nothing on 64 bits. */
	flags &= ~(uint64_t)(O_ACCMODE | 0100000);
	if (flags)
		put_flags(f, open_flags, flags, "|");
}

static void put_signal(FILE *f, int sig)
{
	const char *name = sigabbrev_np(sig);

	if (name)
		fprintf(f, "SIG%s", name);
	else
		fprintf(f, "%d", sig);
}

static void put_futex(FILE *f, uint64_t op)
{
	put_one(f, futex_ops, op & FUTEX_CMD_MASK);
	if (op & FUTEX_PRIVATE_FLAG)
		fputs("|PRIVATE", f);
	if (op & FUTEX_CLOCK_REALTIME)
		fputs("|REALTIME", f);
}

/* --- calls ------------------------------------------------------------------------- */

static const char *arguments_of(uint64_t nr)
{
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].nr == nr)
			return table[i].args;
	return "xxx";
}

static bool is_about_lock(uint64_t command)
{
	switch (command) {
	case F_GETLK: case F_SETLK: case F_SETLKW:
	case F_OFD_GETLK: case F_OFD_SETLK: case F_OFD_SETLKW:
		return true;
	default:
		return false;
	}
}

/* A lock, or a number or flags. */
static void put_control(FILE *f, pid_t pid, uint64_t command, uint64_t v)
{
	struct flock l;

	if (!is_about_lock(command) || read_memory(pid, v, (char *)&l, sizeof(l)) != sizeof(l)) {
		put_address(f, v);
		return;
	}
	fputs("{l_type=", f);
	put_one(f, lock_types, l.l_type);
	fputs(", l_whence=", f);
	put_one(f, whences, l.l_whence);
	fprintf(f, ", l_start=%lld, l_len=%lld}", (long long)l.l_start, (long long)l.l_len);
}

/* A name, a signal, or a number or an address. */
static void put_option(FILE *f, pid_t pid, uint64_t option, uint64_t v)
{
	if (option == PR_SET_NAME)
		put_path(f, pid, v);
	else if (option == PR_SET_PDEATHSIG)
		put_signal(f, v);
	else
		put_address(f, v);
}

/* A mode stands there for a file that is made. */
static bool is_shown(const struct call_site *c, const char *args, size_t i)
{
	if (args[i] == '-')
		return false;
	if (args[i] == 'm' && i && args[i - 1] == 'o')
		return c->args[i - 1] & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
	return true;
}

static void put_names(FILE *f, char kind, uint64_t v)
{
	switch (kind) {
	case 'o':
		put_open(f, v);
		break;
	case 'O':
		put_flags(f, open_flags, v, "");
		break;
	case 'A':
		if (v)
			put_flags(f, access_flags, v, "");
		else
			fputs("F_OK", f);
		break;
	case 's':
		put_signal(f, v);
		break;
	case 'k':
		put_flags(f, lock_flags, v, "");
		break;
	case 'c':
		put_one(f, controls, v);
		break;
	case 'F':
		put_futex(f, v);
		break;
	case 'P':
		put_flags(f, protections, v, "");
		break;
	case 'M':
		put_flags(f, mappings, v, "");
		break;
	case 'w':
		put_one(f, whences, v);
		break;
	case 'W':
		put_flags(f, wait_flags, v, "");
		break;
	case 't':
		put_flags(f, at_flags, v, "");
		break;
	case 'e':
		put_one(f, epoll_ops, v);
		break;
	case 'D':
		put_one(f, families, v);
		break;
	case 'N':
		put_one(f, options, v);
		break;
	case 'T':
		put_one(f, types, v & 0xf);
		if (v & ~0xfULL)
			put_flags(f, socket_flags, v & ~0xfULL, "|");
		break;
	default:
		put_address(f, v);
	}
}

/* @filled: bytes that the call has written, where it does */
static void put_argument(FILE *f, const struct call_site *c, char kind, size_t i, uint64_t filled)
{
	uint64_t v = c->args[i], next = i < 5 ? c->args[i + 1] : 0;

	switch (kind) {
	case 'd':
		if ((int)v == AT_FDCWD)
			fputs("AT_FDCWD", f);
		else
			put_fd(f, c->pid, v);
		break;
	case 'f':
		put_fd(f, c->pid, v);
		break;
	case 'p':
		put_path(f, c->pid, v);
		break;
	case 'b':
		put_buffer(f, c->pid, v, next);
		break;
	case 'B':
		put_buffer(f, c->pid, v, filled < next ? filled : next);
		break;
	case 'a':
		put_socket(f, c->pid, v, next);
		break;
	case 'l':
		put_control(f, c->pid, c->args[i - 1], v);
		break;
	case 'n':
		put_option(f, c->pid, c->args[i - 1], v);
		break;
	case 'i':
		fprintf(f, "%d", (int)v);
		break;
	case 'u':
		fprintf(f, "%llu", (unsigned long long)v);
		break;
	case 'm':
		fprintf(f, "0%o", (unsigned int)v);
		break;
	default:
		put_names(f, kind, v);
	}
}

/* Arguments from number @i on. Return: where it ended, before one that is filled in. */
static size_t put_arguments(FILE *f, const struct call_site *c, size_t i, bool whole,
			    int64_t result)
{
	const char *args = arguments_of(c->nr);
	size_t k;

	for (; i < strlen(args); i++) {
		bool first = true;

		if (!is_shown(c, args, i))
			continue;
		if (args[i] == 'B' && !whole)
			return i;
		for (k = 0; k < i; k++)
			first &= !is_shown(c, args, k);
		fputs(first ? "" : ", ", f);
		if (args[i] == 'B' && result < 0)
			put_address(f, c->args[i]);
		else
			put_argument(f, c, args[i], i, result);
	}
	return 6;
}

char *call_begin(const struct call_site *c, size_t *rest)
{
	size_t size;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);

	*rest = 6;
	if (!f)
		return NULL;
	fprintf(f, "%s(", chess_syscall_name(c->nr));
	*rest = put_arguments(f, c, 0, false, 0);
	fclose(f);
	return text;
}

const char *call_error_name(int64_t result)
{
	return result < 0 && result > -4096 ? strerrorname_np(-result) : NULL;
}

static void put_result(FILE *f, const struct call_site *c, int64_t result)
{
	const char *name = call_error_name(result);

	if (result <= -512 && result > -532)
		fputs("?", f);		/* a signal comes first, and then maybe the call again */
	else if (name)
		fprintf(f, "-1 %s", name);
	else if (c->nr == SYS_mmap || c->nr == SYS_brk || c->nr == SYS_shmat ||
		 c->nr == SYS_mremap)
		fprintf(f, "0x%llx", (unsigned long long)result);
	else
		fprintf(f, "%lld", (long long)result);
}

char *call_end(const struct call_site *c, char *begun, size_t rest, int64_t result)
{
	size_t size;
	char *text = NULL;
	FILE *f = begun ? open_memstream(&text, &size) : NULL;

	if (f) {
		fputs(begun, f);
		put_arguments(f, c, rest, true, result);
		fputs(") = ", f);
		put_result(f, c, result);
		fclose(f);
	}
	free(begun);
	return text;
}

char *call_unfinished(const struct call_site *c, char *begun, size_t rest)
{
	size_t size;
	char *text = NULL;
	FILE *f = begun ? open_memstream(&text, &size) : NULL;

	if (f) {
		fputs(begun, f);
		put_arguments(f, c, rest, true, -1);
		fputs(") = ?", f);
		fclose(f);
	}
	free(begun);
	return text;
}
