// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds all that tells a program of time against each other: the clocks, time(),
 * gettimeofday(), times(), getrusage(), wait4(), sleeps, and the timers of each kind. What
 * is asked holds on any machine that is not so busy that half a second passes unnoticed;
 * what is printed is the same in each run where time is the group's. time.sh runs it.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MS	1000000LL
#define SECOND	(1000 * MS)
/* What other tasks of a machine may take, and times() rounds to. */
#define SLACK	(500 * MS)
#define TICK	(10 * MS)

static int failures;
static volatile sig_atomic_t taken;

static void check(bool holds, const char *what, int64_t a, int64_t b)
{
	printf("%s %s: %lld %lld\n", holds ? "ok" : "WRONG", what, (long long)a, (long long)b);
	failures += !holds;
}

static int64_t now(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts)) {
		perror("clock_gettime");
		exit(2);
	}
	return ts.tv_sec * SECOND + ts.tv_nsec;
}

static int64_t of_timeval(struct timeval tv)
{
	return tv.tv_sec * SECOND + tv.tv_usec * 1000LL;
}

static int64_t of_usage(const struct rusage *usage)
{
	return of_timeval(usage->ru_utime) + of_timeval(usage->ru_stime);
}

static int64_t used(int who)
{
	struct rusage usage;

	getrusage(who, &usage);
	return of_usage(&usage);
}

static int64_t of_ticks(clock_t ticks)
{
	return ticks * (SECOND / sysconf(_SC_CLK_TCK));
}

/* Uses processor time, without a call in between that is none of a clock. */
static void use(clockid_t clock, int64_t ns)
{
	int64_t until = now(clock) + ns;

	while (now(clock) < until)
		;
}

/* Lies what @b reads between two readings of @a, as far as it is rounded? */
static void between(const char *what, int64_t before, int64_t value, int64_t after, int64_t grain)
{
	check(value > before - grain && value < after + grain, what, value - before,
	      after - value);
}

static void wall_clocks(void)
{
	int64_t before = now(CLOCK_REALTIME), value, mono = now(CLOCK_MONOTONIC);
	struct timeval tv;
	clock_t ticks = times(NULL);

	gettimeofday(&tv, NULL);
	value = time(NULL) * SECOND;
	between("gettimeofday is the real-time clock", before, of_timeval(tv),
		now(CLOCK_REALTIME), 1000);
	between("time is the real-time clock", before - SECOND, value, now(CLOCK_REALTIME), MS);
	usleep(700000);
	check(now(CLOCK_MONOTONIC) - mono >= 700 * MS, "the monotonic clock sees a sleep",
	      now(CLOCK_MONOTONIC) - mono, 0);
	check(llabs(of_ticks(times(NULL) - ticks) - (now(CLOCK_MONOTONIC) - mono)) < SLACK,
	      "times() sees it as well", of_ticks(times(NULL) - ticks), 0);
}

static void processor_clocks(void)
{
	int64_t wall = now(CLOCK_MONOTONIC), process = now(CLOCK_PROCESS_CPUTIME_ID);
	int64_t usage, before, after;
	struct tms tms;

	sleep(1);
	check(now(CLOCK_PROCESS_CPUTIME_ID) - process < SLACK, "a sleep uses no processor time",
	      now(CLOCK_PROCESS_CPUTIME_ID) - process, 0);
	use(CLOCK_PROCESS_CPUTIME_ID, 600 * MS);
	check(now(CLOCK_MONOTONIC) - wall >= 1600 * MS, "what is used passes",
	      now(CLOCK_MONOTONIC) - wall, 0);
	before = now(CLOCK_PROCESS_CPUTIME_ID);
	usage = used(RUSAGE_SELF);
	after = now(CLOCK_PROCESS_CPUTIME_ID);
	between("getrusage is the process's clock", before, usage, after, TICK);
	times(&tms);
	between("times is the process's clock", before, of_ticks(tms.tms_utime + tms.tms_stime),
		now(CLOCK_PROCESS_CPUTIME_ID), 2 * TICK);
	before = now(CLOCK_THREAD_CPUTIME_ID);
	usage = used(RUSAGE_THREAD);
	between("so with the thread's", before, usage, now(CLOCK_THREAD_CPUTIME_ID), TICK);
}

static void *user(void *from)
{
	int64_t before = used(RUSAGE_THREAD);

	use(CLOCK_THREAD_CPUTIME_ID, 300 * MS);
	*(int64_t *)from = used(RUSAGE_THREAD) - before;
	return NULL;
}

static void threads(void)
{
	int64_t mine = now(CLOCK_THREAD_CPUTIME_ID), all = now(CLOCK_PROCESS_CPUTIME_ID), its = 0;
	pthread_t thread;

	pthread_create(&thread, NULL, user, &its);
	pthread_join(thread, NULL);
	mine = now(CLOCK_THREAD_CPUTIME_ID) - mine;
	all = now(CLOCK_PROCESS_CPUTIME_ID) - all;
	check(its >= 300 * MS - TICK && its < 300 * MS + SLACK, "a thread uses its own time", its, 0);
	check(mine < 150 * MS, "who waits for it uses none", mine, 0);
	check(all >= its + mine - TICK, "the process uses the sum", all, its + mine);
}

static void children(void)
{
	int64_t before = used(RUSAGE_CHILDREN), own = used(RUSAGE_SELF), its;
	struct rusage usage;
	siginfo_t info;
	struct tms tms;
	pid_t pid = fork();

	if (!pid) {
		if (used(RUSAGE_SELF) > 200 * MS)
			_exit(1);
		use(CLOCK_PROCESS_CPUTIME_ID, 400 * MS);
		_exit(0);
	}
	waitid(P_PID, pid, &info, WEXITED | WNOWAIT);
	check(used(RUSAGE_CHILDREN) == before, "a child counts when it was waited for", 0, 0);
	wait4(pid, &info.si_status, 0, &usage);
	its = of_usage(&usage);
	check(its >= 400 * MS - TICK && its < 400 * MS + SLACK, "wait4 tells what it used", its, 0);
	check(llabs(used(RUSAGE_CHILDREN) - before - its) < TICK, "and so does getrusage",
	      used(RUSAGE_CHILDREN) - before, its);
	times(&tms);
	check(llabs(of_ticks(tms.tms_cutime + tms.tms_cstime) - used(RUSAGE_CHILDREN)) <= 2 * TICK,
	      "and times", of_ticks(tms.tms_cutime + tms.tms_cstime), used(RUSAGE_CHILDREN));
	check(used(RUSAGE_SELF) - own < 200 * MS, "a child's time is not its parent's",
	      used(RUSAGE_SELF) - own, 0);
}

static void take(int sig)
{
	(void)sig;
	taken++;
}

/* A loop that makes no call: only the machine's time, or the watchdog, ends it. */
static void spin(void)
{
	while (!taken)
		;
}

/* One that makes them. */
static void call(void)
{
	while (!taken)
		getppid();
}

static void read_clock(void)
{
	while (!taken)
		now(CLOCK_MONOTONIC);
}

static void itimer(int which, int sig, void (*loop)(void), const char *what)
{
	struct itimerval timer = { .it_value = { 0, 700000 } }, left;
	int64_t wall = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);

	taken = 0;
	signal(sig, take);
	setitimer(which, &timer, NULL);
	getitimer(which, &left);
	check(of_timeval(left.it_value) <= 700 * MS + TICK && of_timeval(left.it_value) > 200 * MS,
	      "it is as far away as it was set", of_timeval(left.it_value), 0);
	loop();
	wall = now(CLOCK_MONOTONIC) - wall;
	cpu = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	check(wall >= 700 * MS - TICK && (which != ITIMER_REAL || wall < 700 * MS + SLACK), what,
	      wall, 0);
	check(cpu <= wall + TICK && (which == ITIMER_REAL || cpu >= 700 * MS - TICK),
	      "the processor time goes with it", cpu, wall);
}

static void timer(clockid_t clock, void (*loop)(void), const char *what)
{
	struct itimerspec set = { .it_value = { 0, 700 * MS } }, left;
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	int64_t begin = now(clock);
	timer_t id;

	taken = 0;
	signal(SIGUSR1, take);
	if (timer_create(clock, &event, &id)) {
		perror("timer_create");
		exit(2);
	}
	timer_settime(id, 0, &set, NULL);
	sleep(2);
	timer_gettime(id, &left);
	check(!taken && left.it_value.tv_nsec > 200 * MS, "a sleep does not end it",
	      left.it_value.tv_nsec, 0);
	loop();
	check(now(clock) - begin >= 700 * MS - TICK && now(clock) - begin < 700 * MS + SLACK, what,
	      now(clock) - begin, 0);
	timer_delete(id);
}

/* A clock and its timer are one: it has gone off when the clock has passed it. */
static void overruns(clockid_t clock, const char *what)
{
	struct itimerspec set = { { 0, 50 * MS }, { 0, 50 * MS } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	siginfo_t info = { .si_overrun = -1 };
	int64_t begin, end;
	sigset_t mask;
	timer_t id;

	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	timer_create(clock, &event, &id);
	begin = now(clock);
	timer_settime(id, 0, &set, NULL);
	use(clock, SECOND);
	end = now(clock);
	sigwaitinfo(&mask, &info);
	check(llabs((end - begin) / (50 * MS) - 1 - info.si_overrun) <= 1, what, info.si_overrun,
	      (end - begin) / (50 * MS));
	timer_delete(id);
	sigprocmask(SIG_UNBLOCK, &mask, NULL);
}

static struct timespec at(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };
}

/* In a namespace in which a clock is @ahead: its readings, and what happens at a time of it. */
static void ahead(clockid_t clock, int64_t outside, int64_t ahead, const char *what)
{
	int64_t before = now(clock), left;
	struct timespec end = at(before + SECOND);
	struct itimerspec its = { .it_value = at(before + 3600 * SECOND) };
	struct sigevent none = { .sigev_notify = SIGEV_NONE };
	timer_t timer;

	between(what, outside + ahead, before, outside + ahead + 3 * SECOND, 0);
	timer_create(clock, &none, &timer);
	timer_settime(timer, TIMER_ABSTIME, &its, NULL);
	timer_gettime(timer, &its);
	left = its.it_value.tv_sec * SECOND + its.it_value.tv_nsec;
	between("and a timer set to its time", 3599 * SECOND, left, 3600 * SECOND, 1);
	clock_nanosleep(clock, TIMER_ABSTIME, &end, NULL);
	between("and a sleep until its time", before + SECOND, now(clock), before + 2 * SECOND, 0);
}

/* Nothing to see for who may not make one, nor on a kernel without them. */
static void namespaces(void)
{
	int64_t monotonic = now(CLOCK_MONOTONIC), boottime = now(CLOCK_BOOTTIME);
	int64_t real = now(CLOCK_REALTIME);
	FILE *offsets;
	pid_t child;
	int status;

	if (unshare(CLONE_NEWTIME))
		return;
	offsets = fopen("/proc/self/timens_offsets", "w");
	if (!offsets || fprintf(offsets, "monotonic 864000 5\nboottime 432000 0\n") < 0 ||
	    fclose(offsets)) {
		check(false, "offsets of a time namespace cannot be set", errno, 0);
		return;
	}
	fflush(stdout);
	child = fork();
	if (!child) {
		failures = 0;
		ahead(CLOCK_MONOTONIC, monotonic, 864000 * SECOND + 5, "CLOCK_MONOTONIC ahead");
		ahead(CLOCK_BOOTTIME, boottime, 432000 * SECOND, "CLOCK_BOOTTIME ahead");
		between("CLOCK_REALTIME as before", real, now(CLOCK_REALTIME), real + 4 * SECOND, 0);
		fflush(stdout);
		_exit(failures);
	}
	waitpid(child, &status, 0);
	check(!status, "clocks of a time namespace", status, 0);
}

int main(void)
{
	wall_clocks();
	processor_clocks();
	threads();
	children();
	itimer(ITIMER_REAL, SIGALRM, read_clock, "ITIMER_REAL, while a clock is read");
	itimer(ITIMER_VIRTUAL, SIGVTALRM, read_clock, "ITIMER_VIRTUAL, while a clock is read");
	itimer(ITIMER_VIRTUAL, SIGVTALRM, spin, "ITIMER_VIRTUAL, in a loop");
	itimer(ITIMER_PROF, SIGPROF, call, "ITIMER_PROF, in a loop of calls");
	timer(CLOCK_PROCESS_CPUTIME_ID, spin, "a timer of the process's clock");
	timer(CLOCK_THREAD_CPUTIME_ID, call, "a timer of the thread's clock");
	overruns(CLOCK_MONOTONIC, "CLOCK_MONOTONIC overruns");
	overruns(CLOCK_PROCESS_CPUTIME_ID, "CLOCK_PROCESS_CPUTIME_ID overruns");
	namespaces();
	return failures ? 1 : 0;
}
