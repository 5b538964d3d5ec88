// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the sleeping calls do under control what they do without: sleep at
 * least as long as asked, return at once where there is nothing to wait for, and
 * write the remaining time when a signal ends them. Run by conformance.sh.
 */
#include "conf.h"

/* Raw calls: glibc looks at some arguments itself. */
static long relative(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns), rem = { .tv_sec = -7 };
	long ret = syscall(SYS_nanosleep, &ts, &rem);

	w->rem = rem.tv_sec == -7 ? "untouched" : conf_rem(w->ns, conf_ns(&rem));
	return ret;
}

static long clock_relative(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns), rem = { .tv_sec = -7 };
	long ret = syscall(SYS_clock_nanosleep, w->clock, 0, &ts, &rem);

	w->rem = rem.tv_sec == -7 ? "untouched" : conf_rem(w->ns, conf_ns(&rem));
	return ret;
}

static long clock_absolute(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w), rem = { .tv_sec = -7 };
	long ret = syscall(SYS_clock_nanosleep, w->clock, TIMER_ABSTIME, &ts, &rem);

	w->rem = rem.tv_sec == -7 ? "untouched" : conf_rem(w->ns, conf_ns(&rem));
	return ret;
}

static struct timespec bad_ns = { .tv_nsec = 1000000000 }, bad_sec = { .tv_sec = -1 };

static void nanosleep_more(void)
{
	struct timespec ts = conf_ts(CONF_SHORT);
	int64_t start = conf_now(CLOCK_MONOTONIC);

	conf_try("einval-ns", syscall(SYS_nanosleep, &bad_ns, NULL));
	conf_try("einval-sec", syscall(SYS_nanosleep, &bad_sec, NULL));
	conf_try("efault", syscall(SYS_nanosleep, conf_bad, NULL));
	conf_try("null", syscall(SYS_nanosleep, NULL, NULL));
	if (conf_wanted("no-rem")) {
		long ret = syscall(SYS_nanosleep, &ts, NULL);

		conf_line("no-rem", ret, "elapsed=%s",
			  conf_elapsed(CLOCK_MONOTONIC, start, CONF_SHORT));
	}
	/* The remaining time is written only when a signal came. */
	conf_try("bad-rem", syscall(SYS_nanosleep, &ts, conf_bad));
}

static void clock_more(void)
{
	struct timespec ts = conf_ts(CONF_SHORT);

	conf_try("einval-ns", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &bad_ns, NULL));
	conf_try("einval-sec", syscall(SYS_clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME, &bad_sec,
				       NULL));
	conf_try("einval-clock", syscall(SYS_clock_nanosleep, 77, 0, &bad_ns, NULL));
	conf_try("own-thread-clock", syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0,
					     &bad_ns, NULL));
	/* The clock is wrong: there is none, also if its low byte is 1, or no sleep by it. */
	conf_try("no-clock", syscall(SYS_clock_nanosleep, 77, 0, &ts, NULL));
	conf_try("no-clock-257", syscall(SYS_clock_nanosleep, 257, 0, &ts, NULL));
	conf_try("no-clock-abs", syscall(SYS_clock_nanosleep, 257, TIMER_ABSTIME, &ts, NULL));
	conf_try("coarse-clock", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC_COARSE, 0, &ts,
					 NULL));
	conf_try("raw-clock", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC_RAW, 0, &ts, NULL));
	conf_try("thread-clock", syscall(SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, &ts,
					 NULL));
	conf_try("efault", syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, conf_bad, NULL));
}

static const struct conf_call calls[] = {
	{ .name = "nanosleep", .nr = SYS_nanosleep, .flags = CONF_NO_WAKE,
	  .clock = CLOCK_MONOTONIC, .wait = relative, .more = nanosleep_more },
	{ .name = "monotonic", .nr = SYS_clock_nanosleep, .flags = CONF_NO_WAKE,
	  .clock = CLOCK_MONOTONIC, .wait = clock_relative, .more = clock_more },
	{ .name = "realtime", .nr = SYS_clock_nanosleep, .flags = CONF_NO_WAKE,
	  .clock = CLOCK_REALTIME, .wait = clock_relative },
	{ .name = "boottime", .nr = SYS_clock_nanosleep, .flags = CONF_NO_WAKE,
	  .clock = CLOCK_BOOTTIME, .wait = clock_relative },
	{ .name = "monotonic-abs", .nr = SYS_clock_nanosleep, .flags = CONF_NO_WAKE | CONF_ABS,
	  .clock = CLOCK_MONOTONIC, .wait = clock_absolute },
	{ .name = "realtime-abs", .nr = SYS_clock_nanosleep, .flags = CONF_NO_WAKE | CONF_ABS,
	  .clock = CLOCK_REALTIME, .wait = clock_absolute },
};

int main(int argc, char **argv)
{
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
