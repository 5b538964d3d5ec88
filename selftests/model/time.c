// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits with an end. Nothing reads the clock, so only deadlines that pass move it.
 */
#include "model.h"

void m_nanosleep(uint64_t ns)
{
	static const char nobody_wakes;

	model_point();
	model_sleep_until(&nobody_wakes, model_clock() + ns);
}

/* A sync function with an end is a yield (libchessctl/code/wrappers.c). */
bool m_sem_timedwait(struct sem *s, uint64_t deadline)
{
	bool in_time = true;

	model_yield();
	if (s->value) {
		s->value--;
		return true;
	}
	s->waiters++;
	while (!s->value && in_time)
		in_time = !model_sleep_until(&s->value, deadline);
	if (in_time)
		s->value--;
	s->waiters--;
	return in_time;
}

/* The event may be there although the deadline passed: it is looked at once more. */
bool m_epoll_wait_for(struct eventfd *e, uint64_t ns)
{
	uint64_t deadline = model_clock() + ns;

	model_point();
	while (!e->count)
		if (model_sleep_until(e, deadline))
			break;
	return e->count;
}
