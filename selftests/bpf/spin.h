/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A lock of the program's own: test and set, no call of any library, no system call.
 * To chessctl it is plain instructions, until a BPF program makes points of it.
 */
#ifndef SPIN_H
#define SPIN_H

/* Not inlined, and nothing concluded from what is in it. */
#define PROBED __attribute__((noipa))

PROBED static void spin_wait(int *lock)
{
	/*
	 * Probed functions do not begin with "pause": QEMU does not stop after it when it is
	 * stepped, as kernels after 6.12 do for a uprobe there (docs/limits.md).
	 */
	__asm__ volatile("nop\n\tpause" : : "r"(lock) : "memory");
}

PROBED static void spin_lock(int *lock)
{
	while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE))
		spin_wait(lock);
}

PROBED static void spin_unlock(int *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

#endif /* SPIN_H */
