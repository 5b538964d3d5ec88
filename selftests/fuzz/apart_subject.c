// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program out of a seed for outcomes.sh, as outcome_subject.c is: processes that share no
 * memory that they can write. They have pipes, a file that is open, names of files, children and
 * signals in common.
 * Each notes what its calls return, and when a handler ran, and writes its notes to a pipe of its
 * own at its end. The first one appends all of them to a file as one line: the outcome of the run.
 *
 *	apart_subject PROGRAM FILE
 *	apart_subject --list PROGRAM
 *	apart_subject --go-on PROGRAM FILE PROCESS CALLS NOTES
 *
 * PROGRAM is "A" and a seed, or "A" and the calls of each process, as --list prints them. With "!"
 * after the "A", a write to a pipe that nobody reads is deadly. A process that executes a program
 * executes this one, to go on where it was.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outcome_text.h"

#define PROCESSES	3	/* at most */
#define MAX_OPS		4
#define NOTES		160
#define LINE		512
#define FAMILY		7	/* calls of a family, at most */

/* Descriptors, the same in all processes: reading end, writing end. */
enum { FIRST = 20, SECOND = 22, SLOW = 24, CLOSING = 26, OPEN_FILE = 28, NOTED = 30 };

static char notes[NOTES];
static size_t noted;
static pid_t process[PROCESSES];
static int me;
static char *folder, **arguments;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int at;		/* which of its calls a process is at */

static void note(const char *what, long result)
{
	int n = snprintf(notes + noted, NOTES - noted, " %s%ld", what, result);

	if (n > 0 && noted + n < NOTES)
		noted += n;
}

static long error_or(long ret)
{
	return ret < 0 ? -errno : ret;
}

static void handle(int sig)
{
	note(sig == SIGCHLD ? "c" : "u", at);
}

static int end_of(unsigned int arg)
{
	static const int ends[] = { FIRST, FIRST + 1, SECOND, SECOND + 1, SLOW, SLOW + 1, CLOSING,
				    CLOSING + 1 };

	return ends[arg % (sizeof(ends) / sizeof(ends[0]))];
}

static int pipe_of(unsigned int arg)
{
	static const int pipes[] = { FIRST, SECOND, CLOSING };

	return pipes[arg % 3];
}

static const char *path_of(unsigned int arg)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%c", folder, 'a' + arg % 2);
	return path;
}

#define CALL(name) static long name(unsigned int arg __attribute__((unused)))

CALL(put)
{
	char c = 'A' + me;

	return error_or(write(pipe_of(arg) + 1, &c, 1));
}

CALL(get)
{
	char c = 0;
	long n = read(pipe_of(arg), &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(slow_put)
{
	char c = 'A' + me;

	return error_or(write(SLOW + 1, &c, 1));
}

CALL(slow_get)
{
	char c = 0;
	long n = read(SLOW, &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(shut)
{
	return error_or(close(end_of(arg)));
}

CALL(over)
{
	return error_or(dup2(end_of(arg), end_of(arg / 8)));
}

CALL(again)
{
	return fcntl(end_of(arg), F_GETFD) < 0 ? -errno : error_or(close(dup(end_of(arg))));
}

CALL(size_of)
{
	struct stat st;

	return fstat(end_of(arg), &st) ? -errno : (long)st.st_nlink;
}

/* Of processes only those have numbers that the first one made. */
static long name_of(pid_t pid)
{
	int i;

	for (i = 1; i < PROCESSES; i++)
		if (process[i] == pid)
			return i;
	return 9;
}

static long reaped(pid_t pid, int status)
{
	if (pid <= 0)
		return error_or(pid);
	return name_of(pid) * 1000 + (WIFSIGNALED(status) ? 500 + WTERMSIG(status) :
							    WEXITSTATUS(status));
}

CALL(reap)
{
	int status = 0;
	pid_t pid = waitpid(-1, &status, WNOHANG);

	return reaped(pid, status);
}

CALL(reap_slowly)
{
	int status = 0;
	pid_t pid = waitpid(-1, &status, 0);

	return reaped(pid, status);
}

CALL(child)
{
	pid_t pid = fork();

	if (pid)
		return pid > 0 ? 0 : -errno;
	if (arg % 3)
		put(arg / 3);
	_exit(arg % 4);
}

/* Not the first one, which collects the notes. */
CALL(end)
{
	if (me)
		_exit(arg % 4);
	return 0;
}

CALL(send)
{
	static const int sigs[] = { SIGUSR1, SIGUSR1, SIGTERM, 0 };
	pid_t to = process[arg % PROCESSES];
	int sig = sigs[arg / 4 % 4];

	return to ? error_or(kill(to, to == process[0] && sig == SIGTERM ? 0 : sig)) : 0;
}

CALL(parent)
{
	return getppid() == process[0] ? 0 : getppid() == getpid() ? 2 : 1;
}

CALL(mask)
{
	static const int hows[] = { SIG_BLOCK, SIG_UNBLOCK, SIG_SETMASK };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, arg / 3 % 2 ? SIGUSR1 : SIGCHLD);
	return error_or(sigprocmask(hows[arg % 3], &set, NULL));
}

CALL(action)
{
	static const __typeof__(&handle) actions[] = { handle, SIG_IGN, SIG_DFL };
	int sig = arg / 3 % 2 ? SIGUSR1 : SIGCHLD;

	/* The first one stays alive. */
	signal(sig, actions[!me && sig == SIGUSR1 ? arg % 2 : arg % 3]);
	return 0;
}

CALL(pending)
{
	sigset_t set;

	sigpending(&set);
	return sigismember(&set, SIGUSR1) + 2 * sigismember(&set, SIGCHLD);
}

CALL(make)
{
	return error_or(mkdir(path_of(arg), 0700));
}

CALL(remove_name)
{
	return error_or(rmdir(path_of(arg)));
}

CALL(is)
{
	return error_or(access(path_of(arg), F_OK));
}

CALL(look)
{
	int fd = open(path_of(arg), O_RDONLY);

	return fd < 0 ? -errno : close(fd);
}

CALL(name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%c", folder, 'a' + (arg + 1) % 2);
	return error_or(rename(path_of(arg), path));
}

CALL(file_get)
{
	char c = 0;
	long n = read(OPEN_FILE, &c, 1);

	return n == 1 ? c : error_or(n);
}

CALL(file_at)
{
	return error_or(lseek(OPEN_FILE, arg % 2, arg / 2 % 2 ? SEEK_SET : SEEK_CUR));
}

CALL(file_ask)
{
	struct stat st;
	char path[128];

	snprintf(path, sizeof(path), "%s/file", folder);
	return stat(path, &st) ? -errno : (long)st.st_size;
}

/* The mapping stays, so that others write what it shows while it is read. */
CALL(file_view)
{
	static const volatile char *view;
	long sum = 0;
	int i;

	if (!view)
		view = mmap(NULL, 4096, PROT_READ, arg % 2 ? MAP_SHARED : MAP_PRIVATE, OPEN_FILE,
			    0);
	for (i = 0; i < 8 && view != MAP_FAILED; i++)
		sum += view[i];
	return sum;
}

CALL(file_put)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/file", folder);
	fd = open(path, O_WRONLY | O_APPEND);
	ret = fd < 0 ? -errno : error_or(write(fd, "x", 1));
	close(fd);
	return ret;
}

CALL(open_folder)
{
	DIR *dir = opendir(arg % 2 ? folder : path_of(arg / 2));

	return dir ? closedir(dir) : -errno;
}

/* With the memory of its creator, until it executes a program or ends. */
CALL(borrow)
{
	pid_t pid = vfork();

	if (pid)
		return pid > 0 ? 0 : -errno;
	if (arg % 2)
		execl("/bin/true", "true", NULL);
	_exit(arg % 4);
}

CALL(locked)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return 0;
}

CALL(execute)
{
	char number[2][16];
	char *argv[] = { arguments[0], "--go-on", arguments[1], arguments[2], number[0], number[1],
			 notes, NULL };

	if (!me)
		return 0;
	snprintf(number[0], sizeof(number[0]), "%d", me);
	snprintf(number[1], sizeof(number[1]), "%u", at + 1);
	execv(arguments[0], argv);
	return -errno;
}

#define C(name)	{ name, #name }

struct call {
	long (*make)(unsigned int arg);
	const char *name;
};

/* Of a family's calls programs take any. */
static const struct call families[][FAMILY + 1] = {
	{ C(put), C(get), C(shut), C(over), C(again), C(size_of) },
	{ C(put), C(get), C(slow_put), C(slow_get), C(shut) },
	{ C(put), C(get), C(execute), C(shut), C(locked) },
	{ C(child), C(reap), C(reap_slowly), C(parent), C(action), C(locked) },
	{ C(child), C(get), C(put), C(reap), C(end) },
	{ C(send), C(mask), C(action), C(pending), C(locked), C(parent) },
	{ C(send), C(reap), C(action), C(end), C(execute) },
	{ C(make), C(remove_name), C(is), C(look), C(name) },
	{ C(file_get), C(file_at), C(file_ask), C(locked), C(look) },
	{ C(file_get), C(file_put), C(file_ask), C(file_at) },
	{ C(file_view), C(file_put), C(file_ask), C(locked), C(open_folder) },
	{ C(borrow), C(get), C(put), C(reap), C(reap_slowly) },
	{ C(make), C(remove_name), C(open_folder), C(borrow), C(file_put) },
};

#define FAMILIES	(sizeof(families) / sizeof(families[0]))

static struct {
	const struct call *call;
	unsigned int arg;
} program[PROCESSES][MAX_OPS];
static unsigned int processes, ops[PROCESSES];
static bool pipes_kill;
static uint64_t state;

static uint64_t draw(void)
{
	return outcome_draw(&state);
}

static void make_program(void)
{
	const struct call *f[2];
	unsigned int p, i, k;

	f[0] = families[draw() % FAMILIES];
	f[1] = draw() % 2 ? f[0] : families[draw() % FAMILIES];
	processes = draw() % 3 ? 2 : 3;
	pipes_kill = !(draw() % 3);
	for (p = 0; p < processes; p++) {
		ops[p] = 1 + draw() % (processes == 2 ? 3 : 2);
		for (i = 0; i < ops[p]; i++) {
			const struct call *of = f[draw() % 2];

			for (k = 0; of[k].make; k++)
				;
			program[p][i].call = &of[draw() % k];
			program[p][i].arg = draw() % 1024;
		}
	}
}

static const struct call *find_call(const char *text, size_t length)
{
	size_t f, k;

	for (f = 0; f < FAMILIES; f++)
		for (k = 0; families[f][k].make; k++)
			if (!strncmp(families[f][k].name, text, length) &&
			    !families[f][k].name[length])
				return &families[f][k];
	return NULL;
}

static bool add_call(unsigned int p, const char *name, size_t length, unsigned int arg)
{
	unsigned int i = p < PROCESSES ? ops[p]++ : MAX_OPS;

	if (i >= MAX_OPS)
		return false;
	program[p][i].call = find_call(name, length);
	program[p][i].arg = arg;
	return program[p][i].call;
}

/* As print_program() has it. */
static bool read_program(const char *text)
{
	pipes_kill = *text == '!';
	processes = outcome_read(text + pipes_kill, add_call);
	return processes;
}

static bool take_program(const char *text)
{
	char *rest;

	if (*text++ != 'A')
		return false;
	if (*text < '0' || *text > '9')
		return read_program(text);
	state = strtoull(text, &rest, 10);
	make_program();
	return !*rest;
}

static void print_program(void)
{
	unsigned int p, i;

	fputs(pipes_kill ? "A!" : "A", stdout);
	for (p = 0; p < processes; p++)
		for (i = 0; i < ops[p]; i++)
			printf("%s%s(%u)", i ? "," : p ? ";" : "", program[p][i].call->name,
			       program[p][i].arg);
	putchar('\n');
}

/* At numbers that are known, without an end that can be opened again by its path. */
static void make_pipe(int number, int flags)
{
	int fd[2];

	if (pipe2(fd, flags) || dup3(fd[0], number, flags & O_CLOEXEC) < 0 ||
	    dup3(fd[1], number + 1, flags & O_CLOEXEC) < 0)
		exit(2);
	close(fd[0]);
	close(fd[1]);
}

static void make_objects(void)
{
	char path[128];
	unsigned int p;
	int fd;

	mkdir(folder, 0700);
	rmdir(path_of(0));
	rmdir(path_of(1));
	snprintf(path, sizeof(path), "%s/file", folder);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, "0123", 4) != 4)
		exit(2);
	close(fd);
	fd = open(path, O_RDONLY);
	if (dup2(fd, OPEN_FILE) < 0)
		exit(2);
	close(fd);
	make_pipe(FIRST, O_NONBLOCK);
	make_pipe(SECOND, O_NONBLOCK);
	make_pipe(SLOW, 0);
	make_pipe(CLOSING, O_NONBLOCK | O_CLOEXEC);
	for (p = 0; p < processes; p++)
		make_pipe(NOTED + 2 * p, 0);
	if (!pipes_kill)
		signal(SIGPIPE, SIG_IGN);
	signal(SIGUSR1, handle);
}

static void run(void)
{
	for (; at < ops[me]; at++)
		note("", program[me][at].call->make(program[me][at].arg));
}

static void __attribute__((noreturn)) leave(void)
{
	if (write(NOTED + 2 * me + 1, notes, noted) != (ssize_t)noted)
		_exit(2);
	_exit(0);
}

/* All lines have the same length. */
static int collect(const char *file)
{
	char line[LINE + 1];
	unsigned int p;
	size_t n = noted;
	ssize_t got;
	int fd;

	memcpy(line, notes, noted);
	for (p = 1; p < processes; p++) {
		n += snprintf(line + n, LINE - n, " |");
		close(NOTED + 2 * p + 1);
		while ((got = read(NOTED + 2 * p, line + n, LINE - 1 - n)) > 0)
			n += got;
	}
	snprintf(line + n, LINE + 1 - n, "%*s\n", LINE - 1 - (int)n, "");
	fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	return fd >= 0 && write(fd, line, LINE) == LINE ? 0 : 2;
}

/* The first process: what it does once its own calls are made. */
static int finish(const char *file)
{
	int status;
	pid_t pid;

	while ((pid = wait(&status)) > 0)
		note("w", reaped(pid, status));
	return collect(file);
}

static void go_on(char **argv)
{
	static char *again[3];

	again[0] = argv[0];
	again[1] = argv[2];
	again[2] = argv[3];
	arguments = again;
	me = atoi(argv[4]);
	at = atoi(argv[5]);
	noted = snprintf(notes, NOTES, "%s", argv[6]);
	/* Who the others are it does not know any more. */
	signal(SIGUSR1, handle);
	if (!pipes_kill)
		signal(SIGPIPE, SIG_IGN);
	run();
	leave();
}

int main(int argc, char **argv)
{
	bool list = argc == 3 && !strcmp(argv[1], "--list");
	bool goes_on = argc == 7 && !strcmp(argv[1], "--go-on");
	static char path[4096];
	unsigned int p;

	if ((argc != 3 && !goes_on) || !take_program(argv[1 + (list || goes_on)]))
		return 2;
	if (list) {
		print_program();
		return 0;
	}
	folder = path;
	snprintf(path, sizeof(path), "%.100s.dir", argv[goes_on ? 3 : 2]);
	if (goes_on)
		go_on(argv);
	arguments = argv;
	make_objects();
	process[0] = getpid();
	for (p = 1; p < processes; p++) {
		process[p] = fork();
		if (!process[p]) {
			me = p;
			run();
			leave();
		}
	}
	signal(SIGPIPE, SIG_IGN);
	run();
	return finish(argv[2]);
}
