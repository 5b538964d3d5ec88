// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Who has a lock of a process that runs. The kernel knows the word a task waits for, not
 * what it is part of. What waits in a mutex or a rwlock of glibc passes a value of its own
 * to futex(), and round the word stand fields that fit together only in such a lock; all
 * of them are looked at, and the word again at the end. The owner's number is good when a
 * task with that number lives, which the caller knows. In doubt there is no owner.
 */
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "peek.h"
#include "wait/owner.h"
#include "wait/proc.h"

/* pthread_mutex_t of glibc 2.0 and later, on x86-64. */
struct mutex {
	uint32_t lock, count, owner, nusers;
	int32_t kind;
};

#define MUTEX_CONTENDED		2
#define MUTEX_TYPE		3	/* normal, recursive, error-checking, adaptive */
#define MUTEX_ROBUST		16
#define MUTEX_SHARED		128
#define MUTEX_ELISION		768
#define MUTEX_KINDS	(MUTEX_TYPE | MUTEX_SHARED | MUTEX_ELISION)

/* pthread_mutex_t of musl: recursive or error-checking, robust, shared. */
#define MUSL_TYPE		3
#define MUSL_TYPES		0x87

/* pthread_rwlock_t of glibc 2.25 and later. */
struct rwlock {
	uint32_t readers, writers, wrphase_futex, writers_futex, pad3, pad4;
	int32_t cur_writer, shared;
	uint8_t elision[8];
	uint64_t pad2;
	uint32_t flags;
};

/* struct pthread of glibc begins with its own address, twice; its number stands here. */
#define THREAD_SELF		0x10
#define THREAD_TID		0x2d0

#define RWLOCK_WRPHASE		1
#define RWLOCK_WRLOCKED		2
#define RWLOCK_FUTEX_USED	2

static bool peek(const struct chess_look_task *t, uint64_t address, void *to, size_t size)
{
	return chess_read_memory(t->tid, address, to, size) == (ssize_t)size;
}

/* Has the word still the value @t waits with? */
static bool is_still(const struct chess_look_task *t, uint32_t value)
{
	uint32_t word;

	return peek(t, t->args[0], &word, sizeof(word)) && word == value;
}

static bool find_mutex(const struct chess_look_task *t, struct chess_owner *o)
{
	struct mutex m;

	if ((uint32_t)t->args[2] != MUTEX_CONTENDED || !peek(t, t->args[0], &m, sizeof(m)) ||
	    m.lock != MUTEX_CONTENDED || !m.owner || !m.nusers || m.kind & ~MUTEX_KINDS ||
	    !is_still(t, m.lock))
		return false;
	o->kind = CHESS_LOCK_MUTEX;
	o->address = t->args[0];
	o->tid = m.owner;
	o->shared = m.kind & MUTEX_SHARED;
	return true;
}

static bool find_rwlock(const struct chess_look_task *t, uint64_t address, struct chess_owner *o)
{
	struct rwlock l;

	if (!peek(t, address, &l, sizeof(l)) || !(l.readers & RWLOCK_WRPHASE) ||
	    !(l.readers & RWLOCK_WRLOCKED) || l.cur_writer <= 0 || l.shared & ~1 ||
	    (l.wrphase_futex | l.writers_futex) > 3 || !is_still(t, t->args[2]))
		return false;
	o->kind = CHESS_LOCK_RWLOCK;
	o->address = address;
	o->tid = l.cur_writer;
	o->shared = l.shared;
	return true;
}

/* A waiting reader sleeps on one of its words, a waiting writer on either. */
static bool find_rwlock_of(const struct chess_look_task *t, struct chess_owner *o)
{
	if (!((uint32_t)t->args[2] & RWLOCK_FUTEX_USED) || (uint32_t)t->args[2] > 3)
		return false;
	return find_rwlock(t, t->args[0] - offsetof(struct rwlock, wrphase_futex), o) ||
	       find_rwlock(t, t->args[0] - offsetof(struct rwlock, writers_futex), o);
}

/* Does a robust mutex of glibc begin here that this task has? */
static bool is_robust(const struct chess_look_task *t, uint32_t tid)
{
	struct mutex m;

	return peek(t, t->args[0], &m, sizeof(m)) && m.owner == tid && m.kind & MUTEX_ROBUST &&
	       !(m.kind & ~(MUTEX_KINDS | MUTEX_ROBUST));
}

/* In musl the type stands before the lock; that of a normal mutex has no owner in it. */
static bool is_musl(const struct chess_look_task *t)
{
	uint32_t type;

	return peek(t, t->args[0] - sizeof(type), &type, sizeof(type)) && type & MUSL_TYPE &&
	       !(type & ~MUSL_TYPES);
}

static bool find_word(const struct chess_look_task *t, bool pi, struct chess_owner *o)
{
	uint32_t word, tid;

	if (!peek(t, t->args[0], &word, sizeof(word)) || !(word & FUTEX_WAITERS) ||
	    word & FUTEX_OWNER_DIED)
		return false;
	tid = word & FUTEX_TID_MASK;
	/* Of PI futexes the kernel itself wants the owner there. */
	if (!pi && (word != (uint32_t)t->args[2] || (!is_robust(t, tid) && !is_musl(t))))
		return false;
	o->kind = CHESS_LOCK_WORD;
	o->address = t->args[0];
	o->tid = tid;
	o->shared = !(t->args[1] & FUTEX_PRIVATE_FLAG);
	return true;
}

/* pthread_join() waits for the kernel to clear the thread's number; never privately. */
static bool find_thread(const struct chess_look_task *t, struct chess_owner *o)
{
	uint64_t thread = t->args[0] - THREAD_TID, tcb, self;

	if (t->args[1] & FUTEX_PRIVATE_FLAG || !peek(t, thread, &tcb, sizeof(tcb)) ||
	    !peek(t, thread + THREAD_SELF, &self, sizeof(self)) || tcb != thread ||
	    self != thread || !is_still(t, t->args[2]))
		return false;
	o->kind = CHESS_LOCK_THREAD;
	o->address = t->args[0];
	o->tid = t->args[2];
	return true;
}

void chess_owner_find(const struct chess_look_task *t, struct chess_owner *o)
{
	unsigned int cmd = t->args[1] & FUTEX_CMD_MASK;

	memset(o, 0, sizeof(*o));
	o->address = t->args[0];
	o->timed = t->args[3];
	switch (cmd) {
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		if (!find_mutex(t, o) && !find_word(t, false, o) && !find_rwlock_of(t, o))
			find_thread(t, o);
		break;
	case FUTEX_LOCK_PI:
	case FUTEX_LOCK_PI2:
		find_word(t, true, o);
		break;
	}
}

const char *chess_lock_kind_name(enum chess_lock_kind kind)
{
	static const char *const names[] = {
		[CHESS_LOCK_UNKNOWN] = "futex", [CHESS_LOCK_MUTEX] = "mutex",
		[CHESS_LOCK_RWLOCK] = "rwlock", [CHESS_LOCK_WORD] = "mutex",
		[CHESS_LOCK_THREAD] = "thread",
	};

	return names[kind];
}
