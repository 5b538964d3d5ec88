// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that timers that send signals or start threads give under control what
 * they give without: alarm, setitimer(ITIMER_REAL), timer_create. What waits for
 * them is a call without a timeout of its own. Run by conformance.sh.
 */
#include "conf.h"

#include <semaphore.h>
#include <sys/time.h>
#include <sys/wait.h>

static sigset_t none, alarms, rts;
static int64_t began;

static void begin(void)
{
	conf_shared->handled = 0;
	began = conf_now(CLOCK_MONOTONIC);
	errno = 0;
}

static const char *since(int64_t ns)
{
	return conf_elapsed(CLOCK_MONOTONIC, began, ns);
}

/* Blocked but in sigsuspend(), so that no signal is lost in front of it. */
static void block_alarm(int flags)
{
	conf_catch(SIGALRM, flags);
	conf_must(sigprocmask(SIG_BLOCK, &alarms, NULL));
}

static void unblock_alarm(void)
{
	conf_must(sigprocmask(SIG_UNBLOCK, &alarms, NULL));
	conf_default(SIGALRM);
}

/* --- alarm -------------------------------------------------------------- */

static void alarm_more(void)
{
	unsigned int left;
	long ret;

	/* A second is long enough to get there. */
	if (conf_wanted("pause")) {
		conf_catch(SIGALRM, SA_RESTART);
		begin();
		alarm(1);
		ret = pause();
		conf_line("pause", ret, "elapsed=%s handled=%d", since(1000 * MS),
			  conf_shared->handled);
	}
	if (conf_wanted("sigsuspend")) {
		block_alarm(0);
		begin();
		alarm(1);
		ret = sigsuspend(&none);
		conf_line("sigsuspend", ret, "elapsed=%s handled=%d", since(1000 * MS),
			  conf_shared->handled);
		unblock_alarm();
	}
	if (conf_wanted("cancelled")) {
		left = alarm(100);
		conf_line("first", left, " ");
		left = alarm(50);
		conf_line("replaced", 0, "left=%s", left == 99 || left == 100 ? "as asked" : "not");
		left = alarm(0);
		conf_line("cancelled", 0, "left=%s", left == 49 || left == 50 ? "as asked" : "not");
		left = alarm(0);
		conf_line("none", left, " ");
	}
	conf_default(SIGALRM);
}

/* --- setitimer ---------------------------------------------------------- */

static struct itimerval value(int64_t ns, int64_t interval)
{
	return (struct itimerval){
		.it_value = { ns / 1000000000, ns % 1000000000 / 1000 },
		.it_interval = { interval / 1000000000, interval % 1000000000 / 1000 },
	};
}

static int64_t nanos(struct timeval tv)
{
	return tv.tv_sec * 1000000000LL + tv.tv_usec * 1000;
}

static void set(int64_t ns, int64_t interval)
{
	struct itimerval t = value(ns, interval);

	conf_must(setitimer(ITIMER_REAL, &t, NULL));
}

/* Nobody catches it: it ends the process. */
static void deadly(void)
{
	int status = 0;
	pid_t pid = conf_must(fork());

	if (!pid) {
		set(CONF_SHORT, 0);
		for (;;)
			pause();
	}
	conf_must(waitpid(pid, &status, 0));
	conf_line("deadly", 0, "signal=%d", WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

/* A child has none of its parent's. */
static void inherited(void)
{
	struct itimerval t = value(0, 0);
	int status = 0;
	pid_t pid;

	set(CONF_FAR, 0);
	pid = conf_must(fork());
	if (!pid) {
		getitimer(ITIMER_REAL, &t);
		_exit(nanos(t.it_value) != 0);
	}
	conf_must(waitpid(pid, &status, 0));
	set(0, 0);
	conf_line("child", 0, "armed=%d", WEXITSTATUS(status));
}

static void read_pipe(void)
{
	int fd[2];
	char byte;
	long ret;

	conf_must(pipe(fd));
	conf_catch(SIGALRM, 0);
	begin();
	/* Periodic: one may come before the read. */
	set(CONF_SHORT, CONF_SHORT);
	ret = read(fd[0], &byte, 1);
	conf_line("read", ret, "elapsed=%s handled=%s", since(CONF_SHORT),
		  conf_shared->handled ? "yes" : "no");
	set(0, 0);
	conf_default(SIGALRM);
	close(fd[0]);
	close(fd[1]);
}

static void itimer_more(void)
{
	struct itimerval t, old;
	long ret;
	int i;

	block_alarm(0);
	if (conf_wanted("once")) {
		begin();
		set(CONF_SHORT, 0);
		ret = sigsuspend(&none);
		conf_must(getitimer(ITIMER_REAL, &old));
		conf_line("once", ret, "elapsed=%s handled=%d left=%s", since(CONF_SHORT),
			  conf_shared->handled, conf_rem(CONF_SHORT, nanos(old.it_value)));
	}
	if (conf_wanted("interval")) {
		begin();
		set(20 * MS, 20 * MS);
		for (i = 0; i < 3; i++)
			ret = sigsuspend(&none);
		conf_line("interval", ret, "elapsed=%s handled=%d", since(60 * MS),
			  conf_shared->handled);
		set(0, 0);
		unblock_alarm();
		block_alarm(0);
	}
	unblock_alarm();
	if (conf_wanted("read"))
		read_pipe();
	if (conf_wanted("gettime")) {
		set(CONF_FAR, CONF_SHORT);
		ret = getitimer(ITIMER_REAL, &old);
		conf_line("getitimer", ret, "value=%s interval=%s",
			  conf_rem(CONF_FAR, nanos(old.it_value)),
			  conf_kept(CONF_SHORT, nanos(old.it_interval)));
		t = value(0, 0);
		ret = setitimer(ITIMER_REAL, &t, &old);
		conf_line("disarm", ret, "value=%s", conf_rem(CONF_FAR, nanos(old.it_value)));
		ret = getitimer(ITIMER_REAL, &old);
		conf_line("disarmed", ret, "value=%s", conf_rem(CONF_FAR, nanos(old.it_value)));
	}
	if (conf_wanted("deadly"))
		deadly();
	if (conf_wanted("child"))
		inherited();
	t = (struct itimerval){ .it_value = { 0, 1000000 } };
	conf_try("einval-us", setitimer(ITIMER_REAL, &t, NULL));
	conf_try("einval-which", setitimer(77, &t, NULL));
	conf_try("efault", syscall(SYS_setitimer, ITIMER_REAL, conf_bad, NULL));
	conf_try("efault-old", syscall(SYS_getitimer, ITIMER_REAL, conf_bad));
}

/* --- timer_create ------------------------------------------------------- */

static timer_t timer_new(clockid_t clock, int notify)
{
	struct sigevent e = { .sigev_notify = notify, .sigev_signo = SIGRTMIN };
	timer_t t;

	e.sigev_value.sival_int = 55;
	if (notify == SIGEV_THREAD_ID)
		e._sigev_un._tid = conf_tid;
	conf_must(timer_create(clock, &e, &t));
	return t;
}

static void timer_set(timer_t t, int flags, int64_t ns, int64_t interval)
{
	struct itimerspec s = { .it_value = conf_ts(ns), .it_interval = conf_ts(interval) };

	conf_must(timer_settime(t, flags, &s, NULL));
}

static void wait_rt(const char *name, int64_t ns)
{
	siginfo_t info = { 0 };
	long ret = sigwaitinfo(&rts, &info);

	conf_line(name, ret == SIGRTMIN ? 0 : ret, "code=%s value=%d overrun=%s elapsed=%s",
		  info.si_code == SI_TIMER ? "timer" : "other", info.si_value.sival_int,
		  info.si_overrun ? "some" : "none", since(ns));
}

static void signal_case(const char *name, clockid_t clock, int notify, int flags, int64_t ns)
{
	timer_t t;

	if (!conf_wanted(name))
		return;
	t = timer_new(clock, notify);
	begin();
	timer_set(t, flags, flags ? conf_now(clock) + ns : ns, 0);
	wait_rt(name, ns);
	conf_must(timer_delete(t));
}

static void timer_periodic(void)
{
	timer_t t = timer_new(CLOCK_MONOTONIC, SIGEV_SIGNAL);
	siginfo_t info;
	int ticks = 0;

	begin();
	timer_set(t, 0, 20 * MS, 20 * MS);
	while (ticks < 3 && sigwaitinfo(&rts, &info) == SIGRTMIN)
		ticks++;
	conf_line("interval", ticks, "elapsed=%s", since(60 * MS));
	conf_must(timer_delete(t));
}

static void timer_handler(void)
{
	timer_t t = timer_new(CLOCK_MONOTONIC, SIGEV_SIGNAL);
	sigset_t open;
	long ret;

	conf_catch(SIGRTMIN, 0);
	begin();
	timer_set(t, 0, CONF_SHORT, 0);
	sigemptyset(&open);
	ret = sigsuspend(&open);
	conf_line("handler", ret, "handled=%d elapsed=%s", conf_shared->handled,
		  since(CONF_SHORT));
	conf_must(timer_delete(t));
	conf_default(SIGRTMIN);
}

static void timer_settings(void)
{
	timer_t t = timer_new(CLOCK_MONOTONIC, SIGEV_SIGNAL);
	struct itimerspec old = { 0 }, zero = { 0 };
	long ret;

	timer_set(t, 0, CONF_FAR, CONF_SHORT);
	ret = timer_gettime(t, &old);
	conf_line("gettime", ret, "value=%s interval=%s",
		  conf_rem(CONF_FAR, conf_ns(&old.it_value)),
		  conf_kept(CONF_SHORT, conf_ns(&old.it_interval)));
	ret = timer_settime(t, 0, &zero, &old);
	conf_line("disarm", ret, "value=%s", conf_rem(CONF_FAR, conf_ns(&old.it_value)));
	ret = timer_gettime(t, &old);
	conf_line("disarmed", ret, "value=%s", conf_rem(CONF_FAR, conf_ns(&old.it_value)));
	conf_must(timer_delete(t));
	ret = timer_gettime(t, &old);
	conf_line("deleted", ret, " ");
}

static void timer_more(void)
{
	struct itimerspec bad = { .it_value = { .tv_nsec = 1000000000 } };
	struct sigevent e = { .sigev_notify = 77 };
	timer_t t;

	conf_must(sigprocmask(SIG_BLOCK, &rts, NULL));
	signal_case("once", CLOCK_MONOTONIC, SIGEV_SIGNAL, 0, CONF_SHORT);
	signal_case("realtime", CLOCK_REALTIME, SIGEV_SIGNAL, 0, CONF_SHORT);
	signal_case("abs", CLOCK_MONOTONIC, SIGEV_SIGNAL, TIMER_ABSTIME, CONF_SHORT);
	signal_case("realtime-abs", CLOCK_REALTIME, SIGEV_SIGNAL, TIMER_ABSTIME, CONF_SHORT);
	signal_case("expired", CLOCK_MONOTONIC, SIGEV_SIGNAL, TIMER_ABSTIME, -CONF_SHORT);
	signal_case("thread-id", CLOCK_MONOTONIC, SIGEV_THREAD_ID, 0, CONF_SHORT);
	if (conf_wanted("interval"))
		timer_periodic();
	if (conf_wanted("handler"))
		timer_handler();
	if (conf_wanted("settings"))
		timer_settings();
	t = timer_new(CLOCK_MONOTONIC, SIGEV_SIGNAL);
	conf_try("einval-ns", timer_settime(t, 0, &bad, NULL));
	conf_try("efault", syscall(SYS_timer_settime, 0, 0, conf_bad, NULL));
	conf_must(timer_delete(t));
	conf_try("einval-clock", timer_create(77, NULL, &t));
	conf_try("einval-notify", syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &t));
}

/* --- a thread for each expiry ------------------------------------------- */

static sem_t expired;
static int got;

static void on_expiry(union sigval v)
{
	got = v.sival_int;
	sem_post(&expired);
}

static void thread_case(const char *name, int64_t interval, int ticks)
{
	struct sigevent e = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_expiry };
	timer_t t;
	int i;

	if (!conf_wanted(name))
		return;
	e.sigev_value.sival_int = 66;
	got = 0;
	sem_init(&expired, 0, 0);
	conf_must(timer_create(CLOCK_MONOTONIC, &e, &t));
	begin();
	timer_set(t, 0, CONF_SHORT, interval);
	for (i = 0; i < ticks; i++)
		while (sem_wait(&expired) && errno == EINTR)
			;
	conf_line(name, ticks, "value=%d elapsed=%s", got, since(CONF_SHORT));
	conf_must(timer_delete(t));
}

static void thread_more(void)
{
	thread_case("once", 0, 1);
	thread_case("interval", CONF_SHORT, 3);
}

static const struct conf_call calls[] = {
	{ .name = "alarm", .more = alarm_more },
	{ .name = "setitimer", .more = itimer_more },
	{ .name = "timer_create", .more = timer_more },
	{ .name = "timer_create-thread", .more = thread_more },
};

int main(int argc, char **argv)
{
	sigemptyset(&none);
	sigemptyset(&alarms);
	sigaddset(&alarms, SIGALRM);
	sigemptyset(&rts);
	sigaddset(&rts, SIGRTMIN);
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
