// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocking syscalls as far as the programs use them. A woken task tests its
 * condition again and may find that another one was faster.
 */
#include "model.h"

#define ALL	~0u

unsigned int m_read(struct channel *c, unsigned int max)
{
	unsigned int n;

	model_call();
	while (!c->bytes && !c->closed)
		model_wait(c);
	n = c->bytes < max ? c->bytes : max;
	c->bytes -= n;
	/* readers sleep exclusively: what is left is the next one's */
	if (c->bytes)
		model_wake(c, 1);
	/* The writer's socket has room again, and a socket has one wait queue: who
	 * sleeps in a read of it is woken as well, in vain (af_unix.c,
	 * unix_write_space()).
	 */
	if (c->back && n)
		model_wake(c->back, ALL);
	return n;
}

unsigned int m_read_nonblock(struct channel *c, unsigned int max)
{
	unsigned int n;

	model_call();
	n = c->bytes < max ? c->bytes : max;
	c->bytes -= n;
	return n;
}

/* ep_poll_callback(): waiters for events of a set wait exclusively. */
static void epoll_event(struct epoll *e)
{
	e->ready = true;
	model_wake(e, 1);
}

void m_write(struct channel *c, unsigned int bytes)
{
	bool was_empty;

	model_call();
	was_empty = !c->bytes;
	c->bytes += bytes;
	if (was_empty)
		model_wake(c, 1);
	if (c->set && !c->set->off)
		epoll_event(c->set);
}

void m_poll(struct channel *c)
{
	model_call();
	while (!c->bytes && !c->closed)
		model_wait(c);
}

void model_hangup(struct channel *c)
{
	c->closed = true;
	model_wake(c, ALL);
}

void m_close(struct channel *c)
{
	model_call();
	model_hangup(c);
}

unsigned int m_eventfd_read(struct eventfd *e)
{
	unsigned int n;

	model_call();
	while (!e->count)
		model_wait(e);
	n = e->count;
	e->count = 0;
	return n;
}

/* Both readers and epoll sets sleep on the event: neither is exclusive. */
void m_eventfd_write(struct eventfd *e, unsigned int n)
{
	model_call();
	e->count += n;
	model_wake(e, ALL);
}

/* One fd at most; wake-ups of a set reach its waiter through the event. */
void m_epoll_wait(struct eventfd *e)
{
	model_call();
	while (!e->count)
		model_wait(e);
}

static void epoll_look(struct epoll *e)
{
	if (e->channel->bytes)
		epoll_event(e);
}

void model_epoll_add(struct epoll *e, struct channel *c, bool oneshot)
{
	e->channel = c;
	e->oneshot = oneshot;
	c->set = e;
	epoll_look(e);
}

void m_epoll_rearm(struct epoll *e)
{
	model_call();
	e->off = false;
	epoll_look(e);
}

/* ep_send_events(): what is on the ready list is taken off it, and looked at again. */
void m_epoll_wait_event(struct epoll *e)
{
	model_call();
	do {
		while (!e->ready)
			model_wait(e);
		e->ready = false;
	} while (!e->channel->bytes);
	e->off = e->oneshot;
}

void m_flock(struct flock *f, unsigned int description)
{
	model_call();
	while (f->owner && f->owner != description + 1)
		model_wait(f);
	f->owner = description + 1;
}

void m_funlock(struct flock *f)
{
	model_call();
	f->owner = 0;
	model_wake(f, ALL);
}

void m_syscall(void)
{
	model_call();
}
