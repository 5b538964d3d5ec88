// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that timerfds give under control what they give without: relative,
 * absolute and periodic ones on both clocks, read, polled and in an epoll set.
 * The waker, where there is one, sets the timer again. Run by conformance.sh.
 */
#include "conf.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

static int tfd = -1;

static void open_with(clockid_t clock)
{
	tfd = conf_must(timerfd_create(clock, 0));
}

static void open_monotonic(void) { open_with(CLOCK_MONOTONIC); }
static void open_realtime(void) { open_with(CLOCK_REALTIME); }

static void close_timer(void)
{
	close(tfd);
}

static void set(int64_t ns, int64_t interval, int flags)
{
	struct itimerspec t = { .it_value = conf_ts(ns), .it_interval = conf_ts(interval) };

	conf_must(timerfd_settime(tfd, flags, &t, NULL));
}

static void set_soon(void)
{
	set(MS, 0, 0);
}

static long expirations(struct conf_wait *w)
{
	uint64_t n = 0;
	long ret = read(tfd, &n, sizeof(n));

	snprintf(w->extra, sizeof(w->extra), "expired=%llu", (unsigned long long)n);
	return ret;
}

static long wait_relative(struct conf_wait *w)
{
	set(w->ns, 0, 0);
	return expirations(w);
}

static long wait_absolute(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);

	set(conf_ns(&ts), 0, TFD_TIMER_ABSTIME);
	return expirations(w);
}

static long wait_poll(struct conf_wait *w)
{
	struct pollfd p = { tfd, POLLIN, 0 };
	long ret;

	set(w->ns, 0, 0);
	ret = syscall(SYS_poll, &p, 1, -1);
	if (ret > 0)
		expirations(w);
	return ret;
}

static long wait_epoll(struct conf_wait *w)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLET, .data.u32 = 33 };
	int epfd = conf_must(epoll_create1(0)), error;
	long ret;

	conf_must(epoll_ctl(epfd, EPOLL_CTL_ADD, tfd, &e));
	set(w->ns, 0, 0);
	memset(&e, 0, sizeof(e));
	ret = syscall(SYS_epoll_wait, epfd, &e, 1, -1);
	error = errno;
	close(epfd);
	if (ret > 0)
		expirations(w);
	errno = error;
	return ret;
}

/* A timer and the call's own time-out: the earlier one is what happens. */
static void races(void)
{
	struct pollfd p;
	long ret;

	open_monotonic();
	p = (struct pollfd){ tfd, POLLIN, 0 };
	if (conf_wanted("timer-before-timeout")) {
		set(CONF_SHORT, 0, 0);
		ret = syscall(SYS_poll, &p, 1, (int)(CONF_FAR / MS));
		conf_line("timer-before-timeout", ret, "revents=%#x", p.revents);
	}
	if (conf_wanted("timeout-before-timer")) {
		set(CONF_FAR, 0, 0);
		ret = syscall(SYS_poll, &p, 1, (int)(CONF_SHORT / MS));
		conf_line("timeout-before-timer", ret, "revents=%#x", p.revents);
	}
	close_timer();
}

static void periodic(void)
{
	uint64_t n, sum = 0;
	int64_t start;
	int reads = 0;

	open_monotonic();
	start = conf_now(CLOCK_MONOTONIC);
	set(20 * MS, 20 * MS, 0);
	/* How many a read returns depends on the machine; their sum on the time. */
	while (sum < 4 && reads++ < 4 && read(tfd, &n, sizeof(n)) == sizeof(n))
		sum += n;
	conf_line("interval", 0, "expired=%s elapsed=%s", sum >= 4 ? "enough" : "too few",
		  conf_elapsed(CLOCK_MONOTONIC, start, 80 * MS));
	close_timer();
}

/* Both ticks are there after a sleep longer than two intervals. */
static void overdue(void)
{
	struct timespec ts = conf_ts(50 * MS);
	uint64_t n = 0;
	long ret;

	open_monotonic();
	set(20 * MS, 20 * MS, 0);
	nanosleep(&ts, NULL);
	ret = read(tfd, &n, sizeof(n));
	conf_line("overdue", ret, "expired=%s", n >= 2 ? "all" : "too few");
	close_timer();
}

static void settings(void)
{
	struct itimerspec t = { .it_value = conf_ts(CONF_FAR), .it_interval = conf_ts(CONF_SHORT) };
	struct itimerspec old = { 0 };
	long ret;

	open_monotonic();
	conf_must(timerfd_settime(tfd, 0, &t, NULL));
	ret = timerfd_gettime(tfd, &old);
	conf_line("gettime", ret, "value=%s interval=%s",
		  conf_rem(CONF_FAR, conf_ns(&old.it_value)),
		  conf_kept(CONF_SHORT, conf_ns(&old.it_interval)));
	memset(&t, 0, sizeof(t));
	ret = timerfd_settime(tfd, 0, &t, &old);
	conf_line("disarm", ret, "value=%s", conf_rem(CONF_FAR, conf_ns(&old.it_value)));
	ret = timerfd_gettime(tfd, &old);
	conf_line("disarmed", ret, "value=%s", conf_rem(CONF_FAR, conf_ns(&old.it_value)));
	close_timer();
}

static void read_more(void)
{
	struct itimerspec bad = { .it_value = { .tv_nsec = 1000000000 } };
	uint64_t n;

	if (conf_wanted("interval"))
		periodic();
	if (conf_wanted("overdue"))
		overdue();
	if (conf_wanted("settings"))
		settings();
	open_monotonic();
	conf_try("einval-ns", timerfd_settime(tfd, 0, &bad, NULL));
	conf_try("einval-flags", timerfd_settime(tfd, 0x7777, &bad, NULL));
	conf_try("efault", syscall(SYS_timerfd_settime, tfd, 0, conf_bad, NULL));
	conf_try("einval-size", read(tfd, &n, 3));
	conf_try("einval-clock", timerfd_create(77, 0));
	close_timer();
	tfd = conf_must(timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK));
	conf_try("eagain", read(tfd, &n, sizeof(n)));
	set(CONF_FAR, 0, 0);
	conf_try("eagain-armed", read(tfd, &n, sizeof(n)));
	close_timer();
}

#define REL	.flags = CONF_NO_READY | CONF_NO_ZERO
#define ABS	.flags = CONF_NO_READY | CONF_ABS
#define MONO	.clock = CLOCK_MONOTONIC, .setup = open_monotonic, .wake = set_soon, \
	.teardown = close_timer
#define REAL	.clock = CLOCK_REALTIME, .setup = open_realtime, .wake = set_soon, \
	.teardown = close_timer

static const struct conf_call calls[] = {
	{ .name = "read", .nr = SYS_read, REL, MONO, .wait = wait_relative, .more = read_more },
	{ .name = "read-realtime", .nr = SYS_read, REL, REAL, .wait = wait_relative },
	{ .name = "read-abs", .nr = SYS_read, ABS, MONO, .wait = wait_absolute },
	{ .name = "read-realtime-abs", .nr = SYS_read, ABS, REAL, .wait = wait_absolute },
	{ .name = "poll", .nr = SYS_poll, REL, MONO, .wait = wait_poll, .more = races },
	{ .name = "epoll", .nr = SYS_epoll_wait, REL, MONO, .wait = wait_epoll },
};

int main(int argc, char **argv)
{
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
