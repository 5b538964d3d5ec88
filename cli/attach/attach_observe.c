// SPDX-License-Identifier: GPL-2.0-only
/*
 * chessctl attach --observe: looks at a process four times a second until it ends, the
 * time is over or somebody says so. On a terminal a table is drawn at every second look.
 * What is loaded into the kernel goes away with this process, however it ends.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "attach/attach.h"
#include "attach/interrupt.h"
#include "now.h"
#include "attach/observe.h"
#include "out.h"
#include "attach/process.h"

#define LOOK_EVERY	(CHESS_SECOND / 4)

/*
 * Until @when, a signal, or the end of the process; that comes once, then *@pidfd is -1:
 * descendants may go on.
 */
static void wait_until(uint64_t when, int *pidfd, const sigset_t *mask)
{
	struct pollfd end = { .fd = *pidfd, .events = POLLIN };
	uint64_t now = chess_now_ns(), left = when > now ? when - now : 0;
	struct timespec t = { .tv_sec = left / CHESS_SECOND, .tv_nsec = left % CHESS_SECOND };

	/* Without a time left it still lets signals in. */
	if (ppoll(&end, 1, &t, mask) > 0)
		*pidfd = -1;
}

/* Alarms that are new: for a program's output they go to stderr as a sentence. */
static void say_alarms(struct observation *o, size_t alarms, bool json)
{
	for (; o->alarms < alarms; o->alarms++) {
		const struct chess_live_alarm *a = chess_live_alarm(o->live, o->alarms);

		if (json)
			cli_note("attach: deadlock of %zu tasks, %u among them", a->n,
				 a->edges[0].tid);
		else if (!isatty(STDOUT_FILENO))
			observe_alarm(o, a);
	}
	fflush(stdout);
}

/* Return: an exit code. */
static int look_on(struct observation *o, const struct attach_options *opt, int pidfd,
		   const sigset_t *mask)
{
	bool screen = isatty(STDOUT_FILENO) && !opt->json;
	uint64_t length = opt->seconds * CHESS_SECOND, next = o->start;
	uint64_t end = length ? next + length : UINT64_MAX;
	size_t looks, alarms;
	int ret;

	for (looks = 0; !o->end; looks++) {
		o->now = chess_now_ns();
		ret = chess_live_update(o->live, &alarms);
		if (ret == -ESRCH)
			o->end = "process";
		else if (ret)
			return cli_fail(CLI_ENVIRONMENT, "attach: process %d can no longer be observed: %s",
					o->pid, chess_error());
		say_alarms(o, alarms, opt->json);
		if (screen && looks % 2 == 0)
			observe_screen(o);
		if (!o->end && interrupt_seen())
			o->end = "interrupt";
		else if (!o->end && chess_now_ns() >= end)
			o->end = "time";
		if (o->end)
			break;
		/* A look that took longer than it may does not make the next ones hurry. */
		next += LOOK_EVERY;
		if (next < chess_now_ns())
			next = chess_now_ns();
		wait_until(next < end ? next : end, &pidfd, mask);
	}
	if (screen)
		printf("\033[H\033[J");
	if (opt->json)
		observe_json(o);
	else
		observe_summary(o);
	for (looks = 0; screen && looks < o->alarms; looks++)
		observe_alarm(o, chess_live_alarm(o->live, looks));
	return out_finish(o->alarms ? CLI_BUG : CLI_OK);
}

int attach_observe(const struct attach_options *opt)
{
	const struct chess_live_opts live = {
		.sz = sizeof(live), .pid = opt->pid, .tree = opt->tree, .follow = opt->follow,
	};
	struct observation o = { .pid = opt->pid };
	int ret = attach_target(opt->pid), pidfd;
	sigset_t mask;

	if (ret != CLI_PROCEED)
		return ret;
	pidfd = syscall(SYS_pidfd_open, opt->pid, 0);
	process_name(o.program, sizeof(o.program), opt->pid);
	o.live = chess_live_new(&live);
	if (!o.live) {
		ret = cli_fail(CLI_ENVIRONMENT, "attach: process %d cannot be observed: %s",
			       opt->pid, chess_error());
		goto out;
	}
	o.names = names_new();
	o.start = chess_now_ns();
	interrupt_begin_waiting(&mask);
	/* Loading takes a moment; scripts wait for this line. */
	cli_note("attach: process %d (%s) is watched; Ctrl-C ends it", o.pid, o.program);
	ret = look_on(&o, opt, pidfd, &mask);
	names_free(o.names);
	chess_live_free(o.live);
out:
	if (pidfd >= 0)
		close(pidfd);
	return ret;
}
