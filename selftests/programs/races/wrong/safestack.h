/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How SafeStack fails: for safestack.c as for its model (selftests/simulator/programs/sct_stack.c).
 *
 * Strategy surw finds it with this seed in this run, in both, as the search of the one is
 * that of the other run by run: where all instructions at which tasks access what they share
 * are points, and so are system calls. On average it takes hundreds of thousands of runs.
 * The seed was chosen: the model was asked for those of 1 to 600 that find it within 6000
 * runs. Eight do, this one first.
 */
#define SAFESTACK_SEED		290
#define SAFESTACK_RUN		40

/*
 * And how with as few preemptions as there can be: selftests/unit/safestack_test.c goes
 * through all states of the algorithm, and no schedule with six fails. It is an order of the
 * accesses to count, head, each next and value; selftests/simulator/order.h finds the schedule that
 * has it, in both: "T1*2" is two accesses by T1, however many points they take. Items are 0
 * to 2, on the stack in this order.
 *
 *  T1*2   pop: count is 3, head is 0. It is about to take away the next of 0.
 *  T2*9   pops 0 (5: count, head, next of 0 is 1, head becomes 1, count 2), owns it (2:
 *	   value), begins to push it (2: head is 1, next of 0 becomes 1), and is about to
 *	   swap the head, if that still is 1.
 *  T3*9   pops 1, whose next is 2, owns it, begins to push it: the next of 1 becomes 2. It
 *	   is about to swap the head, if that still is 2. Count is 1.
 *  T1     takes away the next of 0, which is being pushed: 1.
 *  T2*5   the swap fails, as head is 2. So the next of 0 becomes 2, and head 0: A-B-A for
 *	   T1. Count is 2, and it begins another pop (count).
 *  T1*4   head is 0 as before and becomes 1, the next that 0 had: T1 has popped 0, and on
 *	   top is an item that T3 owns. Count is 1. T1 owns 0 (2: value).
 *  T2*5   goes on with its pop: head is 1, its next is 2, head becomes 2, count 0. Now two
 *	   own 1. It stores its number there, and is about to look whether it is there.
 *  T1*5   pushes 0: head becomes 0. Count is 1, too few for another pop: a yield.
 *  T3*26  its swap fails, as head is 0; so the next of 1 becomes 0, and head 1 (4 with
 *	   count). It has two rounds more, of 11 accesses: pops 1, where it stores its
 *	   number, pushes it; and ends.
 *  T2     finds a number that is not its own: the assertion fails.
 */
#define SAFESTACK_ORDER		"T1*2 T2*9 T3*9 T1 T2*5 T1*4 T2*5 T1*5 T3*26 T2"
#define SAFESTACK_ACCESSES	67

/* Nine switches; at T1's yield and at T3's end somebody else goes on for free. */
#define SAFESTACK_PREEMPTIONS	7
