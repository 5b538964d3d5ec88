// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sync functions of glibc 2.36 as the kernel sees them: which futex call
 * blocks when, and whom which call wakes. Only one task runs at a time and only a
 * sleep hands over, so atomic operations are plain ones and compare-and-swap loops
 * run once. What is left out changes nothing a futex call can see: owners, robust
 * lists, time-outs, cancellation, overflow.
 *
 * Sources: nptl/lowlevellock.c, pthread_cond_wait.c, pthread_cond_common.c,
 * pthread_rwlock_common.c, sem_waitcommon.c, pthread_barrier_wait.c,
 * pthread_once.c of glibc 2.36 (Debian 12; its patches touch none of these).
 */
#include "model.h"

#define ALL	~0u

/* The futex words are private to one process and never read by anything else,
 * so the address of the word is the key.
 */
static void futex_wait(const unsigned int *word, unsigned int expected)
{
	if (*word == expected)
		model_wait(word);
}

/* lll_lock, __lll_lock_wait */
static void lock_word(unsigned int *word)
{
	unsigned int old = *word;

	if (!old) {
		*word = 1;
		return;
	}
	if (old == 2)
		futex_wait(word, 2);
	for (;;) {
		old = *word;
		*word = 2;
		if (!old)
			return;
		futex_wait(word, 2);
	}
}

static void unlock_word(unsigned int *word)
{
	unsigned int old = *word;

	*word = 0;
	if (old > 1)
		model_wake(word, 1);
}

void m_lock(struct mutex *m)
{
	model_point();
	lock_word(&m->word);
}

static bool try_word(unsigned int *word)
{
	if (*word)
		return false;
	*word = 1;
	return true;
}

bool m_trylock(struct mutex *m)
{
	model_point();
	return try_word(&m->word);
}

bool m_trylock_again(struct mutex *m)
{
	model_yield();
	return try_word(&m->word);
}

void m_unlock(struct mutex *m)
{
	model_point();
	unlock_word(&m->word);
}

/* __condvar_acquire_lock: the two low bits of g1_orig_size are a lock */
static void cond_acquire(struct cond *c)
{
	unsigned int s = c->g1_orig_size;

	if (!(s & 3)) {
		c->g1_orig_size = s | 1;
		return;
	}
	for (;;) {
		s = c->g1_orig_size;
		if ((s & 3) != 2) {
			c->g1_orig_size = (s & ~3u) | 2;
			if (!(s & 3))
				return;
		}
		futex_wait(&c->g1_orig_size, (s & ~3u) | 2);
	}
}

static void cond_release(struct cond *c)
{
	unsigned int s = c->g1_orig_size;

	c->g1_orig_size &= ~3u;
	if ((s & 3) == 2)
		model_wake(&c->g1_orig_size, 1);
}

/* __condvar_dec_grefs */
static void cond_leave_group(struct cond *c, unsigned int g)
{
	unsigned int refs = c->g_refs[g];

	c->g_refs[g] -= 2;
	if (refs == 3) {
		c->g_refs[g] &= ~1u;
		model_wake(&c->g_refs[g], ALL);
	}
}

/* __condvar_quiesce_and_switch_g1; may sleep until woken waiters have run */
static bool cond_switch_groups(struct cond *c, uint64_t wseq, unsigned int *g1_index)
{
	unsigned int g1 = *g1_index;
	unsigned int orig_size = c->g1_orig_size >> 2;
	uint64_t start = c->g1_start >> 1;

	if ((unsigned int)(wseq - start - orig_size) + c->g_size[g1 ^ 1] == 0)
		return false;

	c->g_signals[g1] |= 1;
	while (c->g_refs[g1] >> 1) {
		c->g_refs[g1] |= 1;
		futex_wait(&c->g_refs[g1], c->g_refs[g1]);
	}

	if (g1 == 1)
		c->g1_start += (orig_size << 1) + 1;
	else
		c->g1_start += (orig_size << 1) - 1;
	c->g_signals[g1] = 0;

	wseq = c->wseq >> 1;
	c->wseq ^= 1;
	g1 ^= 1;
	*g1_index = g1;

	orig_size = wseq - (start + orig_size);
	c->g1_orig_size = (orig_size << 2) | (c->g1_orig_size & 3);
	c->g_size[g1] += orig_size;
	return c->g_size[g1] != 0;
}

void m_wait(struct cond *c, struct mutex *m)
{
	uint64_t seq;
	unsigned int g, signals;

	model_point();
	g = c->wseq & 1;
	seq = c->wseq >> 1;
	c->wseq += 2;
	c->wrefs += 8;
	unlock_word(&m->word);

	for (;;) {
		signals = c->g_signals[g];
		if (signals & 1)
			goto done;
		if (signals)
			break;
		c->g_refs[g] += 2;
		if ((c->g_signals[g] & 1) || seq < c->g1_start >> 1) {
			cond_leave_group(c, g);
			goto done;
		}
		futex_wait(&c->g_signals[g], 0);
		cond_leave_group(c, g);
	}
	c->g_signals[g] -= 2;
	/* a signal taken from a more recent group is given back */
	if (seq < c->g1_start >> 1 && ((c->g1_start & 1) ^ 1) == g) {
		if (!(c->g_signals[g] & 1))
			c->g_signals[g] += 2;
		model_wake(&c->g_signals[g], 1);
	}
done:
	c->wrefs -= 8;
	/* __pthread_mutex_cond_lock: takes the word as contended */
	for (;;) {
		unsigned int old = m->word;

		m->word = 2;
		if (!old)
			return;
		futex_wait(&m->word, 2);
	}
}

void m_signal(struct cond *c)
{
	unsigned int g1;
	bool wake = false;

	model_point();
	if (!(c->wrefs >> 3))
		return;
	cond_acquire(c);
	g1 = (c->wseq & 1) ^ 1;
	if (c->g_size[g1] || cond_switch_groups(c, c->wseq >> 1, &g1)) {
		c->g_signals[g1] += 2;
		c->g_size[g1]--;
		wake = true;
	}
	cond_release(c);
	if (wake)
		model_wake(&c->g_signals[g1], 1);
}

void m_broadcast(struct cond *c)
{
	unsigned int g1;
	bool wake = false;

	model_point();
	if (!(c->wrefs >> 3))
		return;
	cond_acquire(c);
	g1 = (c->wseq & 1) ^ 1;
	if (c->g_size[g1]) {
		c->g_signals[g1] += c->g_size[g1] << 1;
		c->g_size[g1] = 0;
		model_wake(&c->g_signals[g1], ALL);
	}
	if (cond_switch_groups(c, c->wseq >> 1, &g1)) {
		c->g_signals[g1] += c->g_size[g1] << 1;
		c->g_size[g1] = 0;
		wake = true;
	}
	cond_release(c);
	if (wake)
		model_wake(&c->g_signals[g1], ALL);
}

/* __readers, and the flag in the two futex words */
#define WRPHASE		1u
#define WRLOCKED	2u
#define RWAITING	4u
#define READER		8u
#define USED		2u

void m_rdlock(struct rwlock *rw)
{
	model_point();
	rw->readers += READER;
	if (!(rw->readers & WRPHASE))
		return;
	if (!(rw->readers & WRLOCKED)) {
		rw->readers ^= WRPHASE;
		if (rw->wrphase_futex & USED) {
			rw->wrphase_futex = 0;
			model_wake(&rw->wrphase_futex, ALL);
		}
		rw->wrphase_futex = 0;
		return;
	}
	while ((rw->wrphase_futex | USED) == (1 | USED)) {
		rw->wrphase_futex |= USED;
		futex_wait(&rw->wrphase_futex, 1 | USED);
	}
}

void m_wrlock(struct rwlock *rw)
{
	bool shared = false;
	unsigned int r;

	model_point();
	r = rw->readers;
	rw->readers |= WRLOCKED;
	if (r & WRLOCKED) {
		for (;;) {
			if (!(r & WRLOCKED)) {
				rw->readers |= WRLOCKED;
				break;
			}
			if ((rw->writers_futex & ~USED) == 1) {
				rw->writers_futex = 1 | USED;
				shared = true;
				futex_wait(&rw->writers_futex, 1 | USED);
			}
			r = rw->readers;
		}
	}
	rw->writers_futex = 1 | (shared ? USED : 0);
	if (rw->readers & WRPHASE)
		goto done;
	if (!(rw->readers / READER)) {
		rw->readers |= WRPHASE;
		rw->wrphase_futex = 1;
		goto done;
	}
	while ((rw->wrphase_futex | USED) == USED) {
		rw->wrphase_futex = USED;
		futex_wait(&rw->wrphase_futex, USED);
	}
done:
	rw->writer = model_self() + 1;
}

static void write_unlock(struct rwlock *rw)
{
	bool wake_writer = rw->writers_futex & USED;
	bool hand_over = rw->readers / READER;
	bool wake_readers = hand_over && (rw->wrphase_futex & USED);

	rw->writer = 0;
	rw->writers_futex = 0;
	rw->readers ^= WRLOCKED;
	if (hand_over) {
		rw->readers ^= WRPHASE;
		rw->wrphase_futex = 0;
	}
	if (wake_readers)
		model_wake(&rw->wrphase_futex, ALL);
	if (wake_writer)
		model_wake(&rw->writers_futex, 1);
}

static void read_unlock(struct rwlock *rw)
{
	unsigned int old = rw->readers;

	rw->readers -= READER;
	if (!(rw->readers / READER)) {
		if (rw->readers & WRLOCKED)
			rw->readers |= WRPHASE;
		rw->readers &= ~RWAITING;
	}
	if (rw->readers & WRPHASE) {
		bool used = rw->wrphase_futex & USED;

		rw->wrphase_futex = 1;
		if (used)
			model_wake(&rw->wrphase_futex, ALL);
	}
	if ((old ^ rw->readers) & RWAITING)
		model_wake(&rw->readers, ALL);
}

void m_rwunlock(struct rwlock *rw)
{
	model_point();
	if (rw->writer == model_self() + 1)
		write_unlock(rw);
	else
		read_unlock(rw);
}

/* The futex word is the value; waiters are counted beside it. */
void m_sem_wait(struct sem *s)
{
	model_point();
	if (s->value) {
		s->value--;
		return;
	}
	s->waiters++;
	while (!s->value)
		futex_wait(&s->value, 0);
	s->value--;
	s->waiters--;
}

bool m_sem_trywait(struct sem *s)
{
	model_point();
	if (!s->value)
		return false;
	s->value--;
	return true;
}

void m_sem_post(struct sem *s)
{
	model_point();
	s->value++;
	if (s->waiters)
		model_wake(&s->value, 1);
}

bool m_barrier(struct barrier *b)
{
	unsigned int i, round;

	model_point();
	i = ++b->in;
	round = b->round;
	if (round + b->count <= i) {
		round = i - i % b->count;
		b->round = round;
		model_wake(&b->round, ALL);
	}
	while (i > round) {
		futex_wait(&b->round, round);
		round = b->round;
	}
	return i % b->count == 0;
}

#define ONCE_INPROGRESS	1u
#define ONCE_DONE	2u

void m_once(struct once *o, void (*fn)(void))
{
	model_point();
	while (o->state != ONCE_DONE) {
		if (o->state == ONCE_INPROGRESS) {
			futex_wait(&o->state, ONCE_INPROGRESS);
			continue;
		}
		o->state = ONCE_INPROGRESS;
		fn();
		o->state = ONCE_DONE;
		model_wake(&o->state, ALL);
	}
}
