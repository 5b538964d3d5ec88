// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that every waiting op of futex(2), futex_waitv(2) and futex_wait(2) gives
 * under control what it gives without. All words are in shared memory and none is
 * private, so that a process can wake as well as a thread. Run by conformance.sh.
 */
#include "conf.h"

#include <linux/futex.h>
#include <sys/wait.h>

#ifndef SYS_futex_wait
#define SYS_futex_wait	455	/* since Linux 6.7 */
#endif
#define FUTEX_U32	0x02	/* FUTEX2_SIZE_U32 */

#define WORD	(&conf_shared->word[0])
#define PI	(&conf_shared->word[1])

static long futex(uint32_t *word, int op, uint32_t val, const void *timeout, uint32_t *word2,
		  uint32_t val3)
{
	return syscall(SYS_futex, word, op, val, timeout, word2, val3);
}

static void clear(void)
{
	memset(conf_shared->word, 0, sizeof(conf_shared->word));
}

static void wake_word(void)
{
	*WORD = 1;
	futex(WORD, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static long wait_plain(struct conf_wait *w)
{
	struct timespec ts = conf_ts(w->ns);
	long ret = futex(WORD, FUTEX_WAIT, 0, &ts, NULL, 0);

	w->rem = conf_kept(w->ns, conf_ns(&ts));
	return ret;
}

static long wait_bitset(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	int op = FUTEX_WAIT_BITSET | (w->clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);

	return futex(WORD, op, 0, &ts, NULL, FUTEX_BITSET_MATCH_ANY);
}

/* Say whether it is ours, and give it back if it is. */
static void leave_pi(struct conf_wait *w, long ret)
{
	int error = errno;

	snprintf(w->extra, sizeof(w->extra), "mine=%d",
		 (*PI & FUTEX_TID_MASK) == (uint32_t)conf_tid);
	if (!ret)
		futex(PI, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	errno = error;
}

static long wait_pi_op(struct conf_wait *w, int op)
{
	struct timespec ts = conf_deadline(w);
	long ret = futex(PI, op, 0, &ts, NULL, 0);

	leave_pi(w, ret);
	return ret;
}

static long wait_lock_pi(struct conf_wait *w) { return wait_pi_op(w, FUTEX_LOCK_PI); }
static long wait_lock_pi2(struct conf_wait *w) { return wait_pi_op(w, FUTEX_LOCK_PI2); }

static void own_pi(void)
{
	conf_must(futex(PI, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
}

static void unlock_pi(void)
{
	conf_must(futex(PI, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
}

static long wait_requeue(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	int op = FUTEX_WAIT_REQUEUE_PI | (w->clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0);
	long ret = futex(WORD, op, 0, &ts, PI, 0);

	leave_pi(w, ret);
	return ret;
}

/* The waiter gets the lock at once, it is free. */
static void wake_requeue(void)
{
	conf_must(futex(WORD, FUTEX_CMP_REQUEUE_PI, 1, (void *)0, PI, 0));
}

static long wait_vector(struct conf_wait *w)
{
	struct futex_waitv v[2] = {
		{ .uaddr = (uintptr_t)&conf_shared->word[2], .flags = FUTEX_32 },
		{ .uaddr = (uintptr_t)WORD, .flags = FUTEX_32 },
	};
	struct timespec ts = conf_deadline(w);

	return syscall(SYS_futex_waitv, v, 2, 0, &ts, w->clock);
}

static long wait_new(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);

	return syscall(SYS_futex_wait, WORD, 0UL, (unsigned long)FUTEX_BITSET_MATCH_ANY, FUTEX_U32,
		       &ts, w->clock);
}

static const char *no_new(void)
{
	syscall(SYS_futex_wait, NULL, 0UL, 0UL, 0, NULL, 0);
	return errno == ENOSYS ? "this kernel has no futex_wait" : NULL;
}

static struct timespec bad_ns = { .tv_nsec = 1000000000 }, second = { .tv_sec = 1 };

static void plain_more(void)
{
	clear();
	conf_try("eagain", futex(WORD, FUTEX_WAIT, 1, &second, NULL, 0));
	conf_try("einval-ns", futex(WORD, FUTEX_WAIT, 0, &bad_ns, NULL, 0));
	conf_try("einval-unaligned", futex((void *)((char *)WORD + 1), FUTEX_WAIT, 0, &second, NULL,
					   0));
	conf_try("efault-word", futex(conf_bad, FUTEX_WAIT, 0, &second, NULL, 0));
	conf_try("efault-timeout", futex(WORD, FUTEX_WAIT, 0, conf_bad, NULL, 0));
	conf_try("enosys", futex(WORD, 99, 0, &second, NULL, 0));
}

static void bitset_more(void)
{
	clear();
	conf_try("eagain", futex(WORD, FUTEX_WAIT_BITSET, 1, &second, NULL, ~0U));
	conf_try("einval-no-bits", futex(WORD, FUTEX_WAIT_BITSET, 0, &second, NULL, 0));
	conf_try("einval-ns", futex(WORD, FUTEX_WAIT_BITSET, 0, &bad_ns, NULL, ~0U));
	conf_try("efault-timeout", futex(WORD, FUTEX_WAIT_BITSET, 0, conf_bad, NULL, ~0U));
}

static void pi_more(int op)
{
	clear();
	conf_try("free", futex(PI, op, 0, &second, NULL, 0));
	*PI = conf_tid;
	conf_try("edeadlk", futex(PI, op, 0, &second, NULL, 0));
	conf_try("einval-ns", futex(PI, op, 0, &bad_ns, NULL, 0));
	conf_try("efault-word", futex(conf_bad, op, 0, &second, NULL, 0));
	conf_try("efault-timeout", futex(PI, op, 0, conf_bad, NULL, 0));
}

static void lock_pi_more(void) { pi_more(FUTEX_LOCK_PI); }
static void lock_pi2_more(void) { pi_more(FUTEX_LOCK_PI2); }

static void requeue_more(void)
{
	clear();
	conf_try("eagain", futex(WORD, FUTEX_WAIT_REQUEUE_PI, 1, &second, PI, 0));
	conf_try("einval-same", futex(WORD, FUTEX_WAIT_REQUEUE_PI, 0, &second, WORD, 0));
	conf_try("einval-ns", futex(WORD, FUTEX_WAIT_REQUEUE_PI, 0, &bad_ns, PI, 0));
	conf_try("efault-word", futex(WORD, FUTEX_WAIT_REQUEUE_PI, 0, &second, conf_bad, 0));
	conf_try("efault-timeout", futex(WORD, FUTEX_WAIT_REQUEUE_PI, 0, conf_bad, PI, 0));
}

static void vector_more(void)
{
	struct futex_waitv v = { .uaddr = (uintptr_t)WORD, .flags = FUTEX_32 };

	clear();
	conf_try("einval-count", syscall(SYS_futex_waitv, &v, 0, 0, &second, CLOCK_MONOTONIC));
	conf_try("einval-clock", syscall(SYS_futex_waitv, &v, 1, 0, &second, 77));
	conf_try("einval-ns", syscall(SYS_futex_waitv, &v, 1, 0, &bad_ns, CLOCK_MONOTONIC));
	conf_try("efault", syscall(SYS_futex_waitv, conf_bad, 1, 0, &second, CLOCK_MONOTONIC));
	conf_try("efault-timeout", syscall(SYS_futex_waitv, &v, 1, 0, conf_bad, CLOCK_MONOTONIC));
	v.val = 1;
	conf_try("eagain", syscall(SYS_futex_waitv, &v, 1, 0, &second, CLOCK_MONOTONIC));
}

static void new_more(void)
{
	clear();
	conf_try("eagain", syscall(SYS_futex_wait, WORD, 1UL, ~0U, FUTEX_U32, &second, 1));
	conf_try("einval-no-bits", syscall(SYS_futex_wait, WORD, 0UL, 0UL, FUTEX_U32, &second, 1));
	conf_try("einval-flags", syscall(SYS_futex_wait, WORD, 0UL, ~0U, 0x1000, &second, 1));
	conf_try("einval-ns", syscall(SYS_futex_wait, WORD, 0UL, ~0U, FUTEX_U32, &bad_ns, 1));
	conf_try("efault-word", syscall(SYS_futex_wait, conf_bad, 0UL, ~0U, FUTEX_U32, &second, 1));
}

#define ABS	(CONF_NO_READY | CONF_ABS)

static const struct conf_call calls[] = {
	{ .name = "wait", .nr = SYS_futex, .flags = CONF_NO_READY, .clock = CLOCK_MONOTONIC,
	  .setup = clear, .wake = wake_word, .wait = wait_plain, .more = plain_more },
	{ .name = "bitset", .nr = SYS_futex, .flags = ABS, .clock = CLOCK_MONOTONIC,
	  .setup = clear, .wake = wake_word, .wait = wait_bitset, .more = bitset_more },
	{ .name = "bitset-realtime", .nr = SYS_futex, .flags = ABS, .clock = CLOCK_REALTIME,
	  .setup = clear, .wake = wake_word, .wait = wait_bitset },
	{ .name = "lock-pi", .nr = SYS_futex, .flags = ABS, .clock = CLOCK_REALTIME, .setup = clear,
	  .own = own_pi, .wake = unlock_pi, .wait = wait_lock_pi, .more = lock_pi_more },
	{ .name = "lock-pi2", .nr = SYS_futex, .flags = ABS, .clock = CLOCK_MONOTONIC,
	  .setup = clear, .own = own_pi, .wake = unlock_pi, .wait = wait_lock_pi2,
	  .more = lock_pi2_more },
	{ .name = "requeue-pi", .nr = SYS_futex, .flags = ABS, .clock = CLOCK_MONOTONIC,
	  .setup = clear, .wake = wake_requeue, .wait = wait_requeue, .more = requeue_more },
	{ .name = "requeue-pi-realtime", .nr = SYS_futex, .flags = ABS, .clock = CLOCK_REALTIME,
	  .setup = clear, .wake = wake_requeue, .wait = wait_requeue },
	{ .name = "waitv", .nr = SYS_futex_waitv, .flags = ABS, .clock = CLOCK_MONOTONIC,
	  .setup = clear, .wake = wake_word, .wait = wait_vector, .more = vector_more },
	{ .name = "waitv-realtime", .nr = SYS_futex_waitv, .flags = ABS, .clock = CLOCK_REALTIME,
	  .setup = clear, .wake = wake_word, .wait = wait_vector },
	{ .name = "new-wait", .nr = SYS_futex_wait, .flags = ABS, .clock = CLOCK_MONOTONIC,
	  .setup = clear, .wake = wake_word, .wait = wait_new, .more = new_more, .skip = no_new },
	{ .name = "new-wait-realtime", .nr = SYS_futex_wait, .flags = ABS, .clock = CLOCK_REALTIME,
	  .setup = clear, .wake = wake_word, .wait = wait_new, .skip = no_new },
};

int main(int argc, char **argv)
{
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
