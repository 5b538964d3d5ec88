/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One slow timer per running group: spins, stalls, deferred decisions.
 */
#ifndef _CHESS_WATCHDOG_H
#define _CHESS_WATCHDOG_H

#include <linux/hrtimer.h>
#include <linux/smp.h>

struct chess_group;

/**
 * struct chess_guard - when an adopted group lets go by itself (watchdog.c)
 * @max_stall: jiffies a task may be parked; 0: no limit
 * @heartbeat: jiffies the owner may be silent; 0: no limit
 * @heard: when it last was not, jiffies
 * @max_slowdown: tasks that could run, in hundredths; 0: no limit
 * @ticks: ticks that found somebody running, since the average was looked at
 * @ready: tasks that could run, summed up over those ticks
 */
struct chess_guard {
	unsigned long max_stall;
	unsigned long heartbeat;
	unsigned long heard;
	u32 max_slowdown;
	u32 ticks;
	u32 ready;
};

/**
 * struct chess_watchdog - the slow timer of a group
 * @quantum_us: see the ABI; fixed while the group lives
 * @guard: when to let go; under plock
 * @decisions: value of chess_group.decisions at the last tick; under plock
 * @user: ticks that found the holder in user mode since its last decision; under plock
 * @spin: ticks that found it there and nobody else enabled, since then; under plock
 * @spun: of that time, what passed on the group's clock, nanoseconds; under plock
 * @idle: ticks the holder slept while its processor was idle; under plock
 * @timer: the tick
 * @mover: brings it to the processor of the token holder
 */
struct chess_watchdog {
	u32 quantum_us;
	struct chess_guard guard;
	u32 decisions;
	u32 user;
	u32 spin;
	u64 spun;
	u32 idle;
	struct hrtimer timer;
	call_single_data_t mover;
};

#define CHESS_TICK_MS		10
/* Ticks a decision waits for dying tasks, and for a task its prefix asks for. */
#define CHESS_DYING_TICKS	200
#define CHESS_AWAIT_TICKS	30

void chess_watchdog_init(struct chess_group *g);
void chess_watchdog_start(struct chess_group *g);
void chess_watchdog_adopted(struct chess_group *g);
void chess_watchdog_stop(struct chess_group *g);

#endif /* _CHESS_WATCHDOG_H */
