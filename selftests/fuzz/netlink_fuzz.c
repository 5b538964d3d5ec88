// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fuzzer of the module's requests: children of root and of a user without rights send
 * messages made of the spec's tables (netlink_table.h), whole and spoilt, on sockets they
 * share, in namespaces of their own, about programs of theirs that run and end meanwhile.
 * Behind it nothing may be left, and nobody else may have noticed. Root, in the VM.
 *
 *	SEED=N		of the first child, or "random"; 1
 *	TIME=S		for so long; 30
 *	COUNT=N		so many messages, if TIME is enough for them
 *	EVERY=N		a run as a controller has it once in so many messages; 300, which takes
 *			as long as these
 *	CHILDREN=N	of root, and as many of the other user; 2
 *	LOG=DIR		write what is sent to DIR/N.log, before it is sent; slow
 *
 * A child's numbers come from its seed alone, what it is answered from all of them.
 * netlink_fuzz --replay FILE... sends logs again, a child for each, --cut FROM COUNT FILE
 * copies one to stdout without some of its acts; netlink_minimise.sh makes them small with
 * both. KTAP on stdout.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "module.h"
#include "netlink_child.h"
#include "raw.h"

#define MAX_CHILDREN	16
#define PARAMETER	"/sys/module/chess/parameters/unprivileged"

struct netlink_shared *shared;
static struct netlink_child children[MAX_CHILDREN];
static unsigned int tests, failed;

static void result(bool good, const char *name)
{
	printf("%s %u %s\n", good ? "ok" : "not ok", ++tests, name);
	failed += !good;
}

static unsigned long number(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text && *text ? strtoul(text, NULL, 0) : otherwise;
}

/* kB of a line of /proc/meminfo */
static long meminfo(const char *what)
{
	FILE *f = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, what, strlen(what)))
			kb = atol(line + strlen(what));
	if (f)
		fclose(f);
	return kb;
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Sometimes users without rights may, sometimes not. */
static void toggle(void)
{
	static bool open;

	if (access(PARAMETER, W_OK))
		return;
	open = !open;
	__atomic_add_fetch(&shared->epoch, 1, __ATOMIC_SEQ_CST);
	write_file(PARAMETER, open ? "1" : "0");
	shared->closed = !open;
	__atomic_add_fetch(&shared->epoch, 1, __ATOMIC_SEQ_CST);
}

/*
 * With the first group the module attaches to the kernel, and with the last it lets go,
 * which takes longer than a hundred messages: a group of ours is there most of the time.
 */
static void keep_group(bool keep)
{
	static struct raw r = { .fd = -1 };

	if (keep && r.fd < 0) {
		if (raw_open(&r))
			exit(2);
		raw_call(&r, CHESS_CMD_GROUP_NEW, 0, CHESS_A_GROUP_MAX_EVENTS, 16);
	} else if (!keep && r.fd >= 0) {
		raw_close(&r);
	}
}

static void start(struct netlink_child *c, unsigned long seed)
{
	fflush(stdout);
	c->seed = seed;
	c->pid = fork();
	if (c->pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	netlink_child_run(c);
	_exit(0);
}

static bool is_bystander(pid_t pid)
{
	unsigned int i;

	for (i = 0; i < N_BYSTANDERS; i++)
		if (pid == shared->bystander[i])
			return true;
	return false;
}

/*
 * Who is left is a bystander. At the end others are killed: one that was stopped before its
 * first instruction does not end with its parent, and has the sockets open.
 */
static bool reap_all(bool is_end)
{
	siginfo_t info;
	FILE *f;
	int n = 0, pid;

	while (!waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid &&
	       !is_bystander(info.si_pid))
		waitpid(info.si_pid, NULL, 0);
	f = fopen("/proc/thread-self/children", "r");
	while (f && fscanf(f, "%d", &pid) == 1) {
		if (is_bystander(pid))
			continue;
		n++;
		if (is_end)
			kill(pid, SIGKILL);
	}
	if (f)
		fclose(f);
	return !n;
}

static void print_file(const char *format, int pid, int tid)
{
	char path[64], text[2048], *line, *rest = text;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), format, pid, tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = '\0';
	while ((line = strsep(&rest, "\n")))
		if (*line)
			printf("#     %s\n", line);
}

/* What holds on to something: a task that does not go. */
static void print_who_is_left(void)
{
	FILE *f = fopen("/proc/thread-self/children", "r");
	struct dirent *d;
	char path[64];
	DIR *dir;
	int pid;

	while (f && fscanf(f, "%d", &pid) == 1) {
		if (is_bystander(pid))
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task", pid);
		dir = opendir(path);
		while (dir && (d = readdir(dir)))
			if (atoi(d->d_name)) {
				printf("# process %d, task %s does not go\n", pid, d->d_name);
				print_file("/proc/%d/task/%d/stat", pid, atoi(d->d_name));
				print_file("/proc/%d/task/%d/syscall", pid, atoi(d->d_name));
				print_file("/proc/%d/task/%d/stack", pid, atoi(d->d_name));
			}
		if (dir)
			closedir(dir);
	}
	if (f)
		fclose(f);
}

static bool all_were_accepted(void)
{
	unsigned int i;

	for (i = 0; i < N_COMMANDS; i++)
		if (!shared->count[i].accepted)
			return false;
	return true;
}

static bool all_are_gone(unsigned int n)
{
	while (n--)
		if (children[n].pid)
			return false;
	return true;
}

static void fuzz(unsigned int n, unsigned long first, unsigned long seconds)
{
	unsigned long count = number("COUNT", ULONG_MAX);
	unsigned long seed = first;
	time_t begun = time(NULL), end = begun + seconds, told = begun;
	unsigned int i;

	/* On a machine with much to do it takes longer until all was tried. */
	while ((time(NULL) < end && shared->messages < count) ||
	       (!all_were_accepted() && time(NULL) < begun + 4 * (time_t)seconds)) {
		for (i = 0; i < n; i++)
			if (!children[i].pid && (!children[i].replay || seed < first + n)) {
				/* On the console: it may be the last thing that is seen. */
				printf("# child %u (%s): seed %lu\n", i,
				       children[i].uid ? "nobody" : "root", seed);
				start(&children[i], seed++);
			}
		for (i = 0; i < n; i++)
			/* Or reap_all() has it already. */
			if (children[i].pid && waitpid(children[i].pid, NULL, WNOHANG))
				children[i].pid = 0;
		if (all_are_gone(n) && children[0].replay)
			break;
		reap_all(false);
		toggle();
		keep_group((time(NULL) - begun) % 30 < 27);
		usleep(200000);
		if (time(NULL) - told < 30)
			continue;
		told = time(NULL);
		printf("# %lu messages, VmallocUsed %ld kB\n", shared->messages,
		       meminfo("VmallocUsed:"));
	}
	for (i = 0; i < n; i++)
		if (children[i].pid)
			kill(children[i].pid, SIGKILL);
	keep_group(false);
	/* Sockets that were passed on and not taken. */
	close(shared->talk[0]);
	close(shared->talk[1]);
	/* What they leave behind comes to us. */
	end = time(NULL) + 60;
	while (!reap_all(true) && time(NULL) < end)
		usleep(100000);
	if (!reap_all(true))
		print_who_is_left();
}

static int groups(void)
{
	struct raw r;
	int n;

	if (raw_open(&r))
		return -1;
	n = raw_groups(&r);
	raw_close(&r);
	return n;
}

/* Groups go in the background. */
static bool no_group_is_left(void)
{
	unsigned int i;

	for (i = 0; i < 600 && groups(); i++)
		usleep(50000);
	if (groups())
		printf("# %d groups are left\n", groups());
	return !groups();
}

static bool memory_is_back(long before)
{
	unsigned int i;

	/* Kernel stacks are given back late. */
	for (i = 0; i < 200 && meminfo("VmallocUsed:") > before + 2048; i++)
		usleep(50000);
	printf("# VmallocUsed: %ld kB before, %ld kB behind it\n", before,
	       meminfo("VmallocUsed:"));
	return meminfo("VmallocUsed:") <= before + 2048;
}

/* The module goes, and comes back as it was. */
static bool module_unloads(bool again)
{
	unsigned int tries;
	int ret = module_unload_soon(&tries);

	if (ret)
		printf("# the module cannot be unloaded: %s\n", strerror(-ret));
	return !ret && (!again || !module_load());
}

static bool print_counts(void)
{
	unsigned int i;

	for (i = 0; i < N_COMMANDS; i++) {
		const struct netlink_count *k = &shared->count[i];

		printf("# %-14s %9lu sent %9lu accepted (%.1f %%), %lu us each\n",
		       commands[i].name, k->sent, k->accepted,
		       k->sent ? 100.0 * k->accepted / k->sent : 0,
		       k->timed ? k->us / k->timed : 0);
	}
	printf("# %-14s %9lu\n", "of no command", shared->garbage);
	printf("# %-14s %9lu (no room in the socket)\n", "not taken", shared->refused);
	printf("# %-14s %9lu, %lu of them not read to the end\n", "calls of several",
	       shared->calls, shared->cut);
	return all_were_accepted();
}

static bool bystanders_are_well(struct netlink_bystander *b, unsigned int n)
{
	bool well = true;
	unsigned int i;

	for (i = 0; i < n; i++)
		well = netlink_bystander_end(&b[i]) && well;
	return well;
}

/* A socket that gets what is sent on it. */
static int pass_on(int *talk)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	socklen_t length = sizeof(a);

	*talk = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return bind(*talk, (struct sockaddr *)&a, sizeof(sa_family_t)) ||
	       getsockname(*talk, (struct sockaddr *)&a, &length) ||
	       connect(*talk, (struct sockaddr *)&a, length);
}

static unsigned long first_seed(void)
{
	const char *text = getenv("SEED");

	if (text && !strcmp(text, "random"))
		return (unsigned long)time(NULL) * 1000003 % 1000000000;
	return number("SEED", 1);
}

int main(int argc, char **argv)
{
	static struct netlink_bystander bystanders[4];
	static const uid_t owners[] = { 0, 0, 60001, 60001 };
	unsigned long seconds = number("TIME", 30), seed = first_seed(), i;
	unsigned int n = 2 * number("CHILDREN", 2);
	double took;
	long before;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc > 1 && !strcmp(argv[1], "program"))
		return netlink_program();
	if (argc > 1 && !strcmp(argv[1], "leaf"))
		return 0;
	if (argc == 5 && !strcmp(argv[1], "--cut"))
		return netlink_cut(argv[4], strtoul(argv[2], NULL, 0), strtoul(argv[3], NULL, 0));
	if (n > MAX_CHILDREN || n < 2)
		return 2;
	if (argc > 2 && !strcmp(argv[1], "--replay"))
		n = argc - 2 < MAX_CHILDREN ? argc - 2 : MAX_CHILDREN;
	printf("KTAP version 1\n1..6\n# seeds from %lu\n", seed);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED || groups()) {
		printf("Bail out! no module, or somebody has groups\n");
		return 1;
	}
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (i = 0; i < 2; i++)
		if (pass_on(&shared->talk[i]))
			return 1;
	netlink_prepare_program();
	for (i = 0; i < 4; i++) {
		netlink_bystander_start(&bystanders[i], owners[i], i % 2);
		shared->bystander[i] = bystanders[i].pid;
	}
	if (!module_unloads(true)) {
		printf("Bail out! the module does not come back; is this the top of the tree?\n");
		return 1;
	}
	before = meminfo("VmallocUsed:");
	for (i = 0; i < n; i++) {
		children[i].number = i;
		children[i].run_every = number("EVERY", 300);
		children[i].uid = i % 2 ? 65534 : 0;
		children[i].replay = argc > 2 ? argv[2 + i] : NULL;
	}
	took = time(NULL);
	fuzz(n, seed, seconds);
	took = time(NULL) - took;
	printf("# %lu messages in %.0f s, %.0f a second; %lu groups, %lu runs of programs\n",
	       shared->messages, took, took ? shared->messages / took : 0, shared->groups,
	       shared->programs);
	result(print_counts() || argc > 2, "each command was accepted at least once");
	result(bystanders_are_well(bystanders, 4), "those who had no part in it noticed nothing");
	if (shared->crossed)
		printf("# %lu times, first: %s\n", shared->crossed, shared->what);
	result(!shared->crossed, "nobody got hold of what is another user's");
	result(no_group_is_left(), "no group is left");
	result(module_unloads(true), "the module can be unloaded and loaded");
	result(memory_is_back(before), "memory is given back");
	printf("# Totals: pass:%u fail:%u xfail:0 xpass:0 skip:0 error:0\n", tests - failed,
	       failed);
	return failed != 0;
}
