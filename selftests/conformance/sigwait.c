// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that waiting for signals gives under control what it gives without:
 * rt_sigtimedwait and glibc's sigwaitinfo and sigwait on it, signalfd, pause and
 * sigsuspend; which signal came, from whom, and which mask holds afterwards.
 * SIGUSR2 is what is waited for, SIGUSR1 what interrupts. Run by conformance.sh.
 */
#include "conf.h"

#include <poll.h>
#include <sys/signalfd.h>

#define KERNEL_SIGSET	8

static sigset_t usr2;
static int sfd = -1;

static void block_usr2(void)
{
	struct timespec none = { 0 };

	conf_must(sigprocmask(SIG_BLOCK, &usr2, NULL));
	/* None may be left from the case before. */
	while (sigtimedwait(&usr2, NULL, &none) > 0)
		;
}

static void unblock_usr2(void)
{
	block_usr2();
	conf_must(sigprocmask(SIG_UNBLOCK, &usr2, NULL));
}

static void send_usr2(void)
{
	conf_must(syscall(SYS_tgkill, conf_pid, conf_tid, SIGUSR2));
}

static void queue_usr2(void)
{
	union sigval value = { .sival_int = 123 };

	conf_must(sigqueue(conf_pid, SIGUSR2, value));
}

static const char *code(int c)
{
	return c == SI_TKILL ? "tkill" : c == SI_QUEUE ? "queue" : c == SI_USER ? "user" : "other";
}

static void say_info(struct conf_wait *w, const siginfo_t *info)
{
	if (info->si_signo)
		snprintf(w->extra, sizeof(w->extra), "signo=%s code=%s from=%s value=%d",
			 sigabbrev_np(info->si_signo), code(info->si_code),
			 info->si_pid == conf_pid ? "self" : "child",
			 info->si_code == SI_QUEUE ? info->si_value.sival_int : 0);
}

/* --- synchronous waits -------------------------------------------------- */

static long wait_timed(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	siginfo_t info = { 0 };
	long ret = syscall(SYS_rt_sigtimedwait, &usr2, &info, &ts, KERNEL_SIGSET);

	w->rem = conf_kept(w->ns, conf_ns(&ts));
	say_info(w, &info);
	return ret;
}

static long wait_info(struct conf_wait *w)
{
	siginfo_t info = { 0 };
	long ret = sigwaitinfo(&usr2, &info);

	say_info(w, &info);
	return ret;
}

/* glibc waits again when it was interrupted. */
static long wait_sigwait(struct conf_wait *w)
{
	int sig = 0, error = sigwait(&usr2, &sig);

	snprintf(w->extra, sizeof(w->extra), "signo=%s", sig ? sigabbrev_np(sig) : "none");
	errno = error;
	return error ? -1 : 0;
}

static void timed_more(void)
{
	struct timespec bad_ns = { .tv_nsec = 1000000000 }, bad_sec = { .tv_sec = -1 };
	struct timespec second = { .tv_sec = 1 };
	siginfo_t info;

	block_usr2();
	conf_try("einval-ns", syscall(SYS_rt_sigtimedwait, &usr2, &info, &bad_ns, KERNEL_SIGSET));
	conf_try("einval-sec", syscall(SYS_rt_sigtimedwait, &usr2, &info, &bad_sec, KERNEL_SIGSET));
	conf_try("einval-mask-size", syscall(SYS_rt_sigtimedwait, &usr2, &info, &second, 3UL));
	conf_try("efault-mask", syscall(SYS_rt_sigtimedwait, conf_bad, &info, &second,
					KERNEL_SIGSET));
	conf_try("efault-timeout", syscall(SYS_rt_sigtimedwait, &usr2, &info, conf_bad,
					   KERNEL_SIGSET));
	send_usr2();
	conf_try("efault-info", syscall(SYS_rt_sigtimedwait, &usr2, conf_bad, &second,
					KERNEL_SIGSET));
}

/* --- signalfd ----------------------------------------------------------- */

static void open_signalfd(void)
{
	block_usr2();
	sfd = conf_must(signalfd(-1, &usr2, 0));
}

static void close_signalfd(void)
{
	close(sfd);
}

static void say_signalfd(struct conf_wait *w, const struct signalfd_siginfo *info)
{
	if (info->ssi_signo)
		snprintf(w->extra, sizeof(w->extra), "signo=%s code=%s from=%s",
			 sigabbrev_np(info->ssi_signo), code(info->ssi_code),
			 (pid_t)info->ssi_pid == conf_pid ? "self" : "child");
}

static long wait_signalfd(struct conf_wait *w)
{
	struct signalfd_siginfo info = { 0 };
	long ret = read(sfd, &info, sizeof(info));

	say_signalfd(w, &info);
	return ret;
}

static long wait_signalfd_poll(struct conf_wait *w)
{
	struct signalfd_siginfo info = { 0 };
	struct pollfd p = { sfd, POLLIN, 0 };
	long ret = syscall(SYS_poll, &p, 1, (int)(w->ns / MS));

	if (ret > 0)
		ret = read(sfd, &info, sizeof(info));
	say_signalfd(w, &info);
	return ret;
}

static void signalfd_more(void)
{
	char little[8];

	open_signalfd();
	conf_try("einval-size", read(sfd, little, sizeof(little)));
	send_usr2();
	conf_try("efault", read(sfd, conf_bad, sizeof(struct signalfd_siginfo)));
	close_signalfd();
	sfd = conf_must(signalfd(-1, &usr2, SFD_NONBLOCK));
	block_usr2();
	conf_try("eagain", read(sfd, conf_shared->room, sizeof(struct signalfd_siginfo)));
	close_signalfd();
	conf_try("einval-flags", signalfd(-1, &usr2, 0x7777));
}

/* --- pause and sigsuspend ----------------------------------------------- */

static void catch_usr2(void)
{
	conf_catch(SIGUSR2, SA_RESTART);
	unblock_usr2();
}

static void catch_blocked_usr2(void)
{
	conf_catch(SIGUSR2, SA_RESTART);
	block_usr2();
}

static void forget_usr2(void)
{
	unblock_usr2();
	conf_default(SIGUSR2);
}

static long wait_pause(struct conf_wait *w)
{
	(void)w;
	return pause();
}

static long wait_suspend(struct conf_wait *w)
{
	sigset_t none, now;
	long ret;
	int error;

	sigemptyset(&none);
	ret = sigsuspend(&none);
	error = errno;
	conf_must(sigprocmask(SIG_SETMASK, NULL, &now));
	snprintf(w->extra, sizeof(w->extra), "blocked-again=%d", sigismember(&now, SIGUSR2));
	errno = error;
	return ret;
}

static void suspend_more(void)
{
	conf_try("efault", syscall(SYS_rt_sigsuspend, conf_bad, KERNEL_SIGSET));
	conf_try("einval-mask-size", syscall(SYS_rt_sigsuspend, &usr2, 3UL));
}

#define BLOCKED	.clock = CLOCK_MONOTONIC, .setup = block_usr2
#define SFD	.clock = CLOCK_MONOTONIC, .setup = open_signalfd, .teardown = close_signalfd, \
	.wake = send_usr2

static const struct conf_call calls[] = {
	{ .name = "sigtimedwait", .nr = SYS_rt_sigtimedwait, BLOCKED, .wake = send_usr2,
	  .wait = wait_timed, .more = timed_more },
	{ .name = "sigwaitinfo", .nr = SYS_rt_sigtimedwait, BLOCKED, .flags = CONF_NO_TIME,
	  .wake = queue_usr2, .wait = wait_info },
	{ .name = "sigwait", .nr = SYS_rt_sigtimedwait, BLOCKED, .flags = CONF_NO_TIME,
	  .wake = send_usr2, .wait = wait_sigwait },
	{ .name = "signalfd", .nr = SYS_read, SFD, .flags = CONF_NO_TIME, .wait = wait_signalfd,
	  .more = signalfd_more },
	{ .name = "signalfd-poll", .nr = SYS_poll, SFD, .wait = wait_signalfd_poll },
	{ .name = "pause", .nr = SYS_pause, .flags = CONF_NO_TIME | CONF_NO_READY,
	  .clock = CLOCK_MONOTONIC, .setup = catch_usr2, .wake = send_usr2, .wait = wait_pause,
	  .teardown = forget_usr2 },
	{ .name = "sigsuspend", .nr = SYS_rt_sigsuspend, .flags = CONF_NO_TIME,
	  .clock = CLOCK_MONOTONIC, .setup = catch_blocked_usr2, .wake = send_usr2,
	  .wait = wait_suspend, .teardown = forget_usr2, .more = suspend_more },
};

int main(int argc, char **argv)
{
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
