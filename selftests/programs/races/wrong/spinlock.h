/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lock of CHESS's interlocked queues: an exchange, and after so many tries in vain the
 * processor is given to others.
 */
#ifndef RACES_SPINLOCK_H
#define RACES_SPINLOCK_H

#include <sched.h>

#define TRIES 4

static int spinlock;

static inline void spin_lock(void)
{
	for (int n = 0; __atomic_exchange_n(&spinlock, 1, __ATOMIC_SEQ_CST); n++)
		if (n % TRIES == TRIES - 1)
			sched_yield();
}

static inline void spin_unlock(void)
{
	__atomic_exchange_n(&spinlock, 0, __ATOMIC_SEQ_CST);
}

#define LOCK() spin_lock()
#define UNLOCK() spin_unlock()

#endif /* RACES_SPINLOCK_H */
