// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread makes a call that writes to memory, and meanwhile another one reads that memory twice
 * and may see two values: that is a bug of each of these, which a search by default has to find.
 * Mended, a lock keeps the two apart.
 *
 *	calls --list
 *	calls NAME [mended]
 *	calls --alone NAME	make the call; exit status 0: what is read changed with it
 */
#include <argz.h>
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <glob.h>
#include <grp.h>
#include <iconv.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wordexp.h>

/* What all of them use: bytes, some descriptors and numbers. */
static char text[64] = "/usr/lib/x y z", other[64];
static int fd[2], value;
static pthread_attr_t attr;
static struct timespec moment;

/* @SEEN is read in the function it stands in, so by an instruction of this file. */
#define CASE(NAME, SET_UP, CALL, SEEN)					\
	static void set_up_##NAME(void) { SET_UP; }			\
	static void call_##NAME(void) { CALL; }				\
	static long seen_##NAME(void) { return (long)(SEEN); }

#define must(what)	do { if (!(what)) abort(); } while (0)

/* The kernel writes. */
static struct timex timex;
CASE(adjtimex, , must(adjtimex(&timex) >= 0), timex.tick)
CASE(fionread, must(!pipe(fd) && write(fd[1], "abc", 3) == 3),
     must(!ioctl(fd[0], FIONREAD, &value)),
     value)
static cpu_set_t cpus;
CASE(getaffinity, ,
     must(!sched_getaffinity(0, sizeof(cpus), &cpus)),
     cpus.__bits[0])
static gid_t groups[4];
CASE(getgroups, must(!setgroups(1, (gid_t[]){ 5 })),
     must(getgroups(4, groups) == 1),
     groups[0])
static struct flock lock_of_file;
CASE(getlk, lock_of_file.l_type = F_WRLCK; fd[0] = memfd_create("a", 0),
     must(!fcntl(fd[0], F_GETLK, &lock_of_file)),
     lock_of_file.l_type)
static uid_t uid[3] = { 7, 7, 7 };
CASE(getresuid, , must(!getresuid(&uid[0], &uid[1], &uid[2])), uid[1])
static struct msqid_ds queue;
CASE(msgctl, value = msgget(IPC_PRIVATE, 0600),
     must(!msgctl(value, IPC_STAT, &queue)),
     queue.msg_qbytes)
static unsigned short semaphores[1] = { 9 };
CASE(semctl, value = semget(IPC_PRIVATE, 1, 0600),
     must(!semctl(value, 0, GETALL, semaphores)),
     semaphores[0])
static struct shmid_ds segment;
CASE(shmctl, value = shmget(IPC_PRIVATE, 100, 0600),
     must(!shmctl(value, IPC_STAT, &segment)),
     segment.shm_segsz)
static struct rlimit limit;
CASE(prlimit, , must(!prlimit(0, RLIMIT_NOFILE, NULL, &limit)), limit.rlim_cur)
CASE(prctl_name, , must(!prctl(PR_GET_NAME, text)), text[0])
static fd_set fds;
CASE(pselect, must(!pipe(fd)); FD_SET(fd[0], &fds),
     must(!pselect(fd[0] + 1, &fds, NULL, NULL, &moment, NULL)),
     fds.fds_bits[0])
static struct timeval no_time;
CASE(select, must(!pipe(fd)); FD_SET(fd[0], &fds),
     must(!select(fd[0] + 1, &fds, NULL, NULL, &no_time)),
     fds.fds_bits[0])
CASE(pipe2, fd[0] = -1, must(!pipe2(fd, 0)), fd[0])
static sigset_t mask = { { 77 } };
CASE(sigprocmask, , must(!sigprocmask(SIG_BLOCK, NULL, &mask)), mask.__val[0])

static struct iovec vector = { text, 2 };
static struct mmsghdr message = { .msg_hdr = { .msg_iov = &vector, .msg_iovlen = 1 } };

static void send_three(void)
{
	must(!socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) && write(fd[1], "abc", 3) == 3);
}

CASE(recvmmsg, send_three(),
     must(recvmmsg(fd[0], &message, 1, 0, NULL) == 1),
     message.msg_len)
CASE(recvmsg, send_three(),
     must(recvmsg(fd[0], &message.msg_hdr, 0) == 2),
     message.msg_hdr.msg_flags)

/* The program makes the call itself, without a function of the C library that is known. */
CASE(raw_clock_gettime, ,
     syscall(SYS_clock_gettime, CLOCK_REALTIME, &moment),
     moment.tv_sec)
static struct epoll_event event;

static void make_epoll(void)
{
	struct epoll_event e = { .events = EPOLLIN, .data.u32 = 5 };

	must(!pipe(fd) && write(fd[1], "a", 1) == 1);
	value = epoll_create1(0);
	must(!epoll_ctl(value, EPOLL_CTL_ADD, fd[0], &e));
}

CASE(raw_epoll_wait, make_epoll(),
     syscall(SYS_epoll_wait, value, &event, 1, 0),
     event.data.u32)
CASE(raw_getcpu, value = 99, syscall(SYS_getcpu, &value, NULL, NULL), value)
static struct sockaddr_un name;
static socklen_t length = sizeof(name);
CASE(raw_getsockname, must(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd)),
     syscall(SYS_getsockname, fd[0], &name, &length),
     name.sun_family)
CASE(raw_pipe2, fd[0] = -1, syscall(SYS_pipe2, fd, 0), fd[0])
static struct pollfd poll_fd;

static void make_poll(void)
{
	must(!pipe(fd) && write(fd[1], "a", 1) == 1);
	poll_fd = (struct pollfd){ fd[0], POLLIN, 0 };
}

CASE(raw_poll, make_poll(), syscall(SYS_poll, &poll_fd, 1, 0), poll_fd.revents)
static unsigned long action[4];
CASE(raw_sigaction, signal(SIGUSR1, SIG_IGN),
     syscall(SYS_rt_sigaction, SIGUSR1, NULL, action, 8),
     action[0])
static struct stat status;
CASE(raw_stat, ,
     syscall(SYS_newfstatat, AT_FDCWD, "/", &status, 0),
     status.st_mode)

static void make_child(void)
{
	pid_t pid = fork();

	must(pid >= 0);
	if (!pid)
		_exit(3);
}

CASE(raw_wait4, make_child(), syscall(SYS_wait4, -1, &value, 0, NULL), value)

/* The C library writes. */
CASE(attr_set, must(!pthread_attr_init(&attr)),
     must(!pthread_attr_setguardsize(&attr, 65536)),
     ({ size_t n; pthread_attr_getguardsize(&attr, &n); n; }))
static pthread_attr_t of_thread;
CASE(getattr, ,
     must(!pthread_getattr_np(pthread_self(), &of_thread)),
     ((long *)&of_thread)[3])
CASE(getschedparam, value = 9,
     ({ struct sched_param p; pthread_getschedparam(pthread_self(), &value, &p); }),
     value)
CASE(key_create, value = 77,
     must(!pthread_key_create((pthread_key_t *)&value, NULL)),
     value)
static sem_t sem;
CASE(sem_init, must(!sem_init(&sem, 0, 1)),
     must(!sem_init(&sem, 0, 5)),
     ({ int n; sem_getvalue(&sem, &n); n; }))
CASE(confstr, , confstr(_CS_PATH, other, sizeof(other)), other[0])
CASE(dirname, , dirname(text), text[8])
CASE(basename, strcpy(text, "/x//"), basename(text), text[2])
static char *result;
CASE(ecvt, result = ecvt(1.5, 5, &fd[0], &fd[1]),
     ({ int a, b; ecvt(2.5, 5, &a, &b); }),
     result[0])
static unsigned short state[3] = { 1, 2, 3 };
CASE(erand48, , erand48(state), state[0])
CASE(gcvt, , gcvt(1.5, 5, other), other[0])
static double whole;
static volatile double number = 2.5;
CASE(modf, , modf(number, &whole), whole)
static char *end;
CASE(strtol, , strtol("123x", &end, 10), end)
CASE(strtod, , strtod("1.5x", &end), end)
CASE(strtok, , strtok(text, " "), text[10])
static glob_t found;
CASE(glob, , must(!glob("/us*", 0, NULL, &found)), found.gl_pathc)
static wordexp_t words;
CASE(wordexp, , must(!wordexp("a b", &words, 0)), words.we_wordc)
static char *in = text, *out = other;
static size_t in_left = 3, out_left = 16;
static iconv_t conversion;
CASE(iconv, conversion = iconv_open("UTF-16LE", "UTF-8"),
     must(!iconv(conversion, &in, &in_left, &out, &out_left)),
     out_left)
CASE(inet_ntop, , inet_ntop(AF_INET, &value, other, sizeof(other)), other[0])
static struct sockaddr_in address = { .sin_family = AF_INET };
CASE(getnameinfo, ,
     must(!getnameinfo((struct sockaddr *)&address, sizeof(address), other, sizeof(other), NULL, 0,
		       NI_NUMERICHOST)),
     other[0])
CASE(initstate, , initstate(1, other, sizeof(other)), other[4])
struct node {
	struct node *next, *before;
};

static struct node first, next;
CASE(insque, insque(&first, NULL), insque(&next, &first), first.next)
static mbstate_t shift;
static wchar_t wide;
CASE(mbrtowc, setlocale(LC_ALL, "C.UTF-8"),
     mbrtowc(&wide, "\xc3", 1, &shift),
     shift.__count)
CASE(memfrob, , memfrob(text, 3), text[0])
CASE(swab, , swab(text, other, 4), other[0])
static double load[3] = { -1, -1, -1 };
CASE(getloadavg, , must(getloadavg(load, 3) == 3), load[0])
static struct passwd *entry, of_root;
CASE(getpwnam_r, ,
     must(!getpwnam_r("root", &of_root, other, sizeof(other), &entry)),
     entry)
CASE(posix_spawn, ,
     must(!posix_spawn(&value, "/bin/true", NULL, NULL, (char *[]){ "true", NULL }, NULL)),
     value)
CASE(ptsname,
     fd[0] = posix_openpt(O_RDWR); fd[1] = posix_openpt(O_RDWR); result = ptsname(fd[0]),
     ptsname(fd[1]),
     result[9])
CASE(ptsname_r, fd[0] = posix_openpt(O_RDWR),
     must(!ptsname_r(fd[0], other, sizeof(other))),
     other[0])

static int backwards(const void *a, const void *b, void *unused)
{
	(void)unused;
	return *(const char *)b - *(const char *)a;
}

CASE(qsort_r, , qsort_r(text, 8, 1, backwards, NULL), text[0])
static struct statvfs volume;
CASE(fstatvfs, , must(!fstatvfs(0, &volume)), volume.f_bsize)

/* More functions with a state that the program has, or that fill in what they are given. */
static regex_t pattern;
CASE(regfree, must(!regcomp(&pattern, "a*b", 0)), regfree(&pattern), pattern.buffer)
CASE(regerror, , regerror(REG_ESPACE, NULL, other, sizeof(other)), other[0])
static struct hsearch_data table;
CASE(hcreate_r, , must(hcreate_r(10, &table)), table.size)
CASE(hsearch_r, must(hcreate_r(10, &table)),
     ({ ENTRY *made; must(hsearch_r((ENTRY){ text, text }, ENTER, &made, &table)); }),
     table.filled)
CASE(hdestroy_r, must(hcreate_r(10, &table)), hdestroy_r(&table), table.table)
static struct drand48_data drawn;
static long draw;
CASE(lrand48_r, srand48_r(1, &drawn), lrand48_r(&drawn, &draw), draw)
CASE(srand48_r, srand48_r(1, &drawn), srand48_r(2, &drawn), drawn.__x[1])
CASE(fcvt_r, , must(!fcvt_r(1.5, 2, &fd[0], &fd[1], other, sizeof(other))), other[0])
static float fraction;
CASE(modff, , modff(number, &fraction), fraction)
CASE(frexpf, , frexpf(number, &value), value)
CASE(lgamma_r, , lgamma_r(number, &value), value)
static char *argz;
static size_t argz_bytes;
CASE(argz_add, , must(!argz_add(&argz, &argz_bytes, text)), argz_bytes)
CASE(argz_create, , must(!argz_create((char *[]){ text, NULL }, &argz, &argz_bytes)), argz_bytes)
CASE(getsubopt, end = strcpy(other, "a=1,b"),
     getsubopt(&end, (char *[]){ (char[]){ "a" }, NULL }, &result),
     end)
CASE(getpwent_r, setpwent(),
     must(!getpwent_r(&of_root, other, sizeof(other), &entry)),
     entry)
static struct ether_addr ether;
CASE(ether_aton_r, , must(ether_aton_r("1:2:3:4:5:6", &ether)), ether.ether_addr_octet[0])
static sigset_t both, one;
CASE(sigorset, sigemptyset(&one); sigaddset(&one, 5), sigorset(&both, &one, &one),
     both.__val[0])
static unsigned int processor = 99;
CASE(getcpu, , must(!getcpu(&processor, NULL)), processor)
CASE(timespec_get, , timespec_get(&moment, TIME_UTC), moment.tv_sec)
static wchar_t wides[16] = L"abc", *wide_end;
CASE(wcpcpy, , wcpcpy(wides, L"xyz"), wides[0])
CASE(wcsncat, , wcsncat(wides, L"xyz", 2), wides[3])
CASE(wcstol, , wcstol(L"12x", &wide_end, 10), wide_end)
CASE(wctomb, , wctomb(other, L'x'), other[0])
static struct termios line;
CASE(cfmakeraw, line.c_lflag = ECHO, cfmakeraw(&line), line.c_lflag)
static posix_spawnattr_t spawned;
CASE(spawn_attr, posix_spawnattr_init(&spawned),
     posix_spawnattr_setflags(&spawned, POSIX_SPAWN_SETSID),
     ({ short n; posix_spawnattr_getflags(&spawned, &n); n; }))
static posix_spawn_file_actions_t actions;
CASE(spawn_actions, posix_spawn_file_actions_init(&actions),
     posix_spawn_file_actions_addclose(&actions, 0),
     actions.__used)
static pthread_mutexattr_t kind;
CASE(mutex_attr, pthread_mutexattr_init(&kind),
     pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE),
     ({ int n; pthread_mutexattr_gettype(&kind, &n); n; }))

/* Variables of the C library. */
CASE(lgamma, signgam = 0, lgamma(number), signgam)
static char *arguments[] = { "calls", "-a", "b", NULL };
CASE(getopt_optind, , must(getopt(3, arguments, "a:") == 'a'), optind)
CASE(getopt_optarg, , must(getopt(3, arguments, "a:") == 'a'), optarg)
CASE(tzset, must(!setenv("TZ", "XYZ5", 1)), tzset(), timezone)
CASE(tzname, must(!setenv("TZ", "XYZ5", 1)), localtime(&moment.tv_sec), tzname[0])

#define ENTRY(NAME)	{ #NAME, set_up_##NAME, call_##NAME, seen_##NAME }

static const struct {
	const char *name;
	void (*set_up)(void), (*call)(void);
	long (*seen)(void);
} cases[] = {
	ENTRY(adjtimex), ENTRY(fionread), ENTRY(getaffinity), ENTRY(getgroups), ENTRY(getlk),
	ENTRY(getresuid), ENTRY(msgctl), ENTRY(semctl), ENTRY(shmctl), ENTRY(prlimit),
	ENTRY(prctl_name), ENTRY(pselect), ENTRY(select), ENTRY(pipe2), ENTRY(sigprocmask),
	ENTRY(recvmmsg), ENTRY(recvmsg), ENTRY(raw_clock_gettime), ENTRY(raw_epoll_wait),
	ENTRY(raw_getcpu), ENTRY(raw_getsockname), ENTRY(raw_pipe2), ENTRY(raw_poll),
	ENTRY(raw_sigaction), ENTRY(raw_stat), ENTRY(raw_wait4), ENTRY(attr_set), ENTRY(getattr),
	ENTRY(getschedparam), ENTRY(key_create), ENTRY(sem_init), ENTRY(confstr), ENTRY(dirname),
	ENTRY(basename), ENTRY(ecvt), ENTRY(erand48), ENTRY(gcvt), ENTRY(modf), ENTRY(strtol),
	ENTRY(strtod), ENTRY(strtok), ENTRY(glob), ENTRY(wordexp), ENTRY(iconv), ENTRY(inet_ntop),
	ENTRY(getnameinfo), ENTRY(initstate), ENTRY(insque), ENTRY(mbrtowc), ENTRY(memfrob),
	ENTRY(swab), ENTRY(getloadavg), ENTRY(getpwnam_r), ENTRY(posix_spawn), ENTRY(ptsname),
	ENTRY(ptsname_r), ENTRY(qsort_r), ENTRY(fstatvfs), ENTRY(lgamma), ENTRY(getopt_optind),
	ENTRY(getopt_optarg), ENTRY(tzset), ENTRY(tzname), ENTRY(regfree), ENTRY(regerror),
	ENTRY(hcreate_r), ENTRY(hsearch_r), ENTRY(hdestroy_r), ENTRY(lrand48_r), ENTRY(srand48_r),
	ENTRY(fcvt_r), ENTRY(modff), ENTRY(frexpf), ENTRY(lgamma_r),
	ENTRY(argz_add), ENTRY(argz_create), ENTRY(getsubopt), ENTRY(getpwent_r),
	ENTRY(ether_aton_r), ENTRY(sigorset), ENTRY(getcpu), ENTRY(timespec_get), ENTRY(wcpcpy),
	ENTRY(wcsncat), ENTRY(wcstol), ENTRY(wctomb), ENTRY(cfmakeraw), ENTRY(spawn_attr),
	ENTRY(spawn_actions), ENTRY(mutex_attr),
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool mended;
static size_t at;

static void *make_call(void *unused)
{
	if (mended)
		pthread_mutex_lock(&lock);
	cases[at].call();
	if (mended)
		pthread_mutex_unlock(&lock);
	return unused;
}

static int run(void)
{
	pthread_t thread;
	long before;

	cases[at].set_up();
	assert(!pthread_create(&thread, NULL, make_call, NULL));
	if (mended)
		pthread_mutex_lock(&lock);
	before = cases[at].seen();
	assert(cases[at].seen() == before);
	if (mended)
		pthread_mutex_unlock(&lock);
	assert(!pthread_join(thread, NULL));
	return 0;
}

static int run_alone(void)
{
	long before;

	cases[at].set_up();
	before = cases[at].seen();
	cases[at].call();
	return cases[at].seen() == before;
}

static bool find(const char *wanted)
{
	for (at = 0; at < sizeof(cases) / sizeof(*cases); at++)
		if (!strcmp(cases[at].name, wanted))
			return true;
	fprintf(stderr, "there is no \"%s\"\n", wanted);
	return false;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (at = 0; at < sizeof(cases) / sizeof(*cases); at++)
			puts(cases[at].name);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "--alone"))
		return find(argv[2]) ? run_alone() : 2;
	if (argc < 2 || !find(argv[1]))
		return 2;
	mended = argc > 2;
	return run();
}
