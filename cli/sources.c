// SPDX-License-Identifier: GPL-2.0-only
/*
 * See sources.h. The run is made by a child, whose descendants we trace from their
 * start on: so nothing of a run has to know that it is watched.
 *
 *    chessctl doctor           child                      program
 *      fork, seize  -------->  a runner of its own
 *      waitpid, log            run: clone  ------------>  traced as well
 *        <-------------------------------------------     system calls
 *
 * Stops at system calls do not break off waits, and a traced task keeps the token
 * while it stands still, so the run goes the way of the others.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "follow.h"
#include "peek.h"
#include "sources.h"
#include "where.h"

/* A second look at a file of /proc comes this much later; most count in 10 ms. */
#define SECOND_LOOK_NS	30000000
#define SOURCES_MAX	64
#define TASKS_MAX	4096

/* The system call a task is in. */
struct call {
	pid_t pid;
	uint64_t nr, args[6];
};

struct reading {
	const struct session *s;
	const struct session_opts *o;
	struct timespec since;
	struct sources *out;
	char self[4096];		/* our executable: a task that has it is no program yet */
	struct call *call;
	size_t n_calls;
	char **bound;			/* addresses the program listens on */
	size_t n_bound;
};

static bool has(char *const *list, size_t n, const char *text)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(list[i], text))
			return true;
	return false;
}

/* Takes @text over. */
static void add(char ***list, size_t *n, char *text)
{
	char **longer = NULL;

	if (*n < SOURCES_MAX && !has(*list, *n, text))
		longer = realloc(*list, (*n + 1) * sizeof(*longer));
	if (!longer) {
		free(text);
		return;
	}
	*list = longer;
	longer[(*n)++] = text;
}

static void found(struct reading *rd, char *text)
{
	add(&rd->out->text, &rd->out->n, text);
}

/* --- files ----------------------------------------------------------------- */

static ssize_t read_file(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size);

	if (fd >= 0)
		close(fd);
	return n;
}

/* Is it another text in a moment? */
static bool is_changing(const char *path)
{
	static char first[65536], second[65536];
	const struct timespec nap = { .tv_nsec = SECOND_LOOK_NS };
	ssize_t n = read_file(path, first, sizeof(first)), m;

	if (n < 0)
		return false;
	nanosleep(&nap, NULL);
	m = read_file(path, second, sizeof(second));
	return m != n || memcmp(first, second, n);
}

/* A file of /proc about one process: those that count its work. */
static bool counts_work(const char *name)
{
	static const char *const names[] = { "stat", "status", "sched", "schedstat", "io" };
	const char *last = strrchr(name, '/') + 1;
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(last, names[i]))
			return true;
	return false;
}

/* Answered by the module, or of no content. */
static bool is_known_device(dev_t dev)
{
	static const unsigned int minors[] = { 3 /* null */, 5 /* zero */, 7 /* full */,
					       8 /* random */, 9 /* urandom */ };
	size_t i;

	if (major(dev) == 5 || (major(dev) >= 136 && major(dev) < 144))
		return true;	/* terminals: their wake-ups are reported as such */
	for (i = 0; i < sizeof(minors) / sizeof(minors[0]); i++)
		if (major(dev) == 1 && minor(dev) == minors[i])
			return true;
	return false;
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec > b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec >= b->tv_nsec);
}

/* The task has opened @fd. */
static void look_at_file(struct reading *rd, pid_t pid, int fd)
{
	char path[64], name[4096];
	struct statfs fs;
	struct stat st;
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
	n = readlink(path, name, sizeof(name) - 1);
	if (n <= 0 || name[0] != '/' || stat(path, &st) || statfs(path, &fs))
		return;
	name[n] = '\0';
	if (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC) {
		bool of_process = fs.f_type == PROC_SUPER_MAGIC && name[6] >= '0' && name[6] <= '9';

		if (S_ISREG(st.st_mode) && (of_process ? counts_work(name) : is_changing(path)))
			found(rd, cli_printf("reads %s, which the kernel changes all the time", name));
	} else if (S_ISCHR(st.st_mode)) {
		if (!is_known_device(st.st_rdev))
			found(rd, cli_printf("opens the device %s", name));
	} else if (S_ISREG(st.st_mode) && !stat(name, &st) && is_later(&st.st_mtim, &rd->since)) {
		/* As we see it: what is the run's own, as its /tmp, goes with it. */
		found(rd, cli_printf("opens %s, which was written to since doctor began", name));
	}
}

/* --- sockets ---------------------------------------------------------------- */

/* An address as people write it; NULL: of no kind we know. */
static char *read_address(pid_t pid, uint64_t at, uint64_t len)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
	} a = { .any.sa_family = AF_UNSPEC };
	size_t want = len < sizeof(a) ? len : sizeof(a), n;
	char text[INET6_ADDRSTRLEN];

	if (chess_read_memory(pid, at, &a, want) != (ssize_t)want)
		return NULL;
	switch (a.any.sa_family) {
	case AF_INET:
		inet_ntop(AF_INET, &a.in.sin_addr, text, sizeof(text));
		return cli_printf("%s port %u", text, ntohs(a.in.sin_port));
	case AF_INET6:
		inet_ntop(AF_INET6, &a.in6.sin6_addr, text, sizeof(text));
		return cli_printf("%s port %u", text, ntohs(a.in6.sin6_port));
	case AF_UNIX:
		n = want - offsetof(struct sockaddr_un, sun_path);
		if (want <= offsetof(struct sockaddr_un, sun_path))
			return NULL;
		if (!a.un.sun_path[0])
			return cli_printf("@%.*s", (int)n - 1, a.un.sun_path + 1);
		return cli_printf("%.*s", (int)n, a.un.sun_path);
	default:
		return NULL;
	}
}

/* What it listens on, by port or name, is its own to connect to. */
static char *own_name(const char *address)
{
	const char *port = strstr(address, " port ");

	return cli_printf("%s", port ? port : address);
}

static void look_at_address(struct reading *rd, pid_t pid, const struct call *c, size_t arg)
{
	char *address = read_address(pid, c->args[arg], c->args[arg + 1]), *name;

	if (!address)
		return;
	name = own_name(address);
	if (c->nr == SYS_bind) {
		add(&rd->bound, &rd->n_bound, name);
	} else {
		if (!has(rd->bound, rd->n_bound, name))
			found(rd, cli_printf("speaks to %s, which is not its own", address));
		free(name);
	}
	free(address);
}

/* --- system calls ------------------------------------------------------------ */

/* Answered by nobody but the kernel, from what differs in every run. */
static const char *name_of_usage(const struct call *c)
{
	switch (c->nr) {
	case SYS_getrusage:
		return "getrusage() returns page faults and context switches";
	case SYS_sysinfo:
		return "sysinfo() returns uptime, load and free memory";
	case SYS_adjtimex:
	case SYS_clock_adjtime:
		return "adjtimex() returns the machine's time";
	case SYS_wait4:
		return c->args[3] ? "wait4() returns page faults and context switches of children" : NULL;
	case SYS_waitid:
		return c->args[4] ? "waitid() returns page faults and context switches of children" : NULL;
	default:
		return NULL;
	}
}

static void look_at_entry(struct reading *rd, const struct call *c)
{
	const char *usage = name_of_usage(c);

	if (usage)
		found(rd, cli_printf("%s", usage));
	switch (c->nr) {
	case SYS_connect:
		look_at_address(rd, c->pid, c, 1);
		break;
	case SYS_bind:
		look_at_address(rd, c->pid, c, 1);
		break;
	case SYS_sendto:
		if (c->args[4])
			look_at_address(rd, c->pid, c, 4);
		break;
	}
}

static void look_at_exit(struct reading *rd, const struct call *c, int64_t value)
{
	switch (c->nr) {
	case SYS_open:
	case SYS_openat:
	case SYS_openat2:
	case SYS_creat:
		look_at_file(rd, c->pid, value);
		break;
	}
}

static struct call *call_of(struct reading *rd, pid_t pid)
{
	size_t i;

	for (i = 0; i < rd->n_calls; i++)
		if (rd->call[i].pid == pid)
			return &rd->call[i];
	if (rd->n_calls == TASKS_MAX)
		rd->n_calls = 0;
	rd->call[rd->n_calls].pid = pid;
	return &rd->call[rd->n_calls++];
}

static void look_at_call(void *arg, pid_t pid)
{
	struct kernel_syscall_info info = { 0 };
	struct reading *rd = arg;
	struct call *c;

	if (!follow_is_program(rd->self, pid) ||
	    ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(info), &info) <= 0)
		return;
	c = call_of(rd, pid);
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		c->nr = info.entry.nr;
		memcpy(c->args, info.entry.args, sizeof(c->args));
		look_at_entry(rd, c);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && !info.exit.is_error) {
		look_at_exit(rd, c, info.exit.rval);
	}
}

/* --- the run ------------------------------------------------------------------ */

static void be_child(void *arg)
{
	const struct reading *rd = arg;
	struct chess_run_result res;
	struct session s = { .points = cli_printf("%s", rd->s->points) };
	struct chess_ctl *ctl;

	ctl = chess_ctl_open();
	if (!ctl || session_open(&s, ctl, rd->s->argv, cli_printf("%s", rd->s->path), rd->s->cwd,
				 rd->o, true) != CLI_PROCEED)
		_exit(CLI_ENVIRONMENT);
	if (chess_runner_run(s.runner, NULL, 0, NULL, 0, &res))
		_exit(CLI_ENVIRONMENT);
	session_close(&s);
	chess_ctl_close(ctl);
	_exit(CLI_OK);
}

bool sources_read(const struct session *s, const struct session_opts *o,
		  const struct timespec *since, struct sources *out)
{
	struct reading rd = {
		.s = s, .o = o, .since = *since, .out = out,
		.call = cli_alloc(TASKS_MAX, sizeof(*rd.call)),
	};
	char *self = where_self();
	int status;
	size_t i;

	snprintf(rd.self, sizeof(rd.self), "%s", self ? self : "");
	free(self);
	fflush(NULL);
	status = follow_child(&(struct follow) {
		.child = be_child, .call = look_at_call, .arg = &rd,
	});
	if (status < 0)
		cli_note("note: what the program reads cannot be watched: %s", strerror(-status));
	for (i = 0; i < rd.n_bound; i++)
		free(rd.bound[i]);
	free(rd.bound);
	free(rd.call);
	return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == CLI_OK;
}

void sources_clear(struct sources *s)
{
	while (s->n)
		free(s->text[--s->n]);
	free(s->text);
	s->text = NULL;
}
