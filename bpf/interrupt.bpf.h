/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is an interrupt served? What watches wake-ups asks: the current task is not the waker then.
 *
 * Such programs are built twice: where the count of interrupts stands depends on the
 * kernel, and libbpf wants CAP_SYS_ADMIN to make sure that a variable is nowhere.
 */
#ifndef CHESS_INTERRUPT_BPF_H
#define CHESS_INTERRUPT_BPF_H

#include "kernel.bpf.h"
#include "look.bpf.h"
#include <bpf/bpf_helpers.h>

#define PREEMPT_SOFTIRQ		0x00000100	/* of preempt_count: one is served */
#define PREEMPT_HARDIRQ		0x00ff0000	/* with NMI */

#ifdef CHESS_PCPU_HOT			/* 6.2 to 6.14 */
extern struct pcpu_hot pcpu_hot __ksym;

static __always_inline int preempt_count(void)
{
	return ((struct pcpu_hot *)bpf_this_cpu_ptr(&pcpu_hot))->preempt_count;
}
#else
extern int __preempt_count __ksym;

static __always_inline int preempt_count(void)
{
	return *(int *)bpf_this_cpu_ptr(&__preempt_count);
}
#endif

/* CHESS_LOOK_HARDIRQ, CHESS_LOOK_SOFTIRQ, 0. */
static __always_inline __u32 interrupt(void)
{
	int count = preempt_count();

	return (count & PREEMPT_HARDIRQ ? CHESS_LOOK_HARDIRQ : 0) |
	       (count & PREEMPT_SOFTIRQ ? CHESS_LOOK_SOFTIRQ : 0);
}

#endif /* CHESS_INTERRUPT_BPF_H */
