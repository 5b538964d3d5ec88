// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time stamp counter, as a program under control reads it: the clock of its group, by a
 * processor of 1 GHz. The instruction has a trap, since the machine's counter differs in
 * every run. Runtimes draw random numbers from it: Go seeds each thread's with it.
 */
#include "arch_x86.h"
#include "chess.h"
#include "task.h"
#include "time/clock.h"
#include "tsc.h"

/**
 * chess_tsc_read() - the result of the instruction under a trap
 * @t: the task, which is current and has the token
 * @p: the trap, with CHESS_PROBE_TSC
 * @regs: user registers at the instruction; if it is answered, those after it
 *
 * A reading of the clock like any other: it takes CHESS_CLOCK_STEP.
 *
 * Context: die notifier.
 * Return: false where time is not the group's: the instruction is to be executed.
 */
bool chess_tsc_read(struct chess_task *t, const struct chess_probe *p, struct pt_regs *regs)
{
	if (READ_ONCE(t->group->state) != CHESS_GROUP_STATE_RUNNING ||
	    !(READ_ONCE(t->group->flags) & CHESS_RUN_FLAGS_VIRTUAL_TIME))
		return false;
	chess_arch_tsc_answer(regs, chess_clock_read(t), p->orig_len);
	return true;
}
