// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of programs/wrong/: programs that go on and on and get nowhere. After
 * wrong_sync.c, whose w they use.
 */
#include <stddef.h>

#include "model.h"

static void dine_politely(void *arg)
{
	unsigned int i = *(const unsigned int *)arg;

	for (;;) {
		m_lock(&w.forks[i]);
		if (m_trylock(&w.forks[1 - i]))
			break;
		model_yield();
		m_unlock(&w.forks[i]);
	}
	m_unlock(&w.forks[1 - i]);
	m_unlock(&w.forks[i]);
}

static void polite_philosophers(void)
{
	unsigned int t = m_create(dine_politely, (void *)&seat[1]);

	dine_politely((void *)&seat[0]);
	m_join(t);
}

static void wait_for_copy(void *arg)
{
	bool copy = w.flag;

	(void)arg;
	while (!copy)
		model_yield();
}

static void set_flag(void)
{
	m_lock(&w.m);
	w.flag = true;
	m_unlock(&w.m);
}

static void stale_copy(void)
{
	unsigned int t = m_create(wait_for_copy, NULL);

	set_flag();
	m_join(t);
}

static void work_on_copy(void *arg)
{
	bool copy = w.flag;

	(void)arg;
	do {
		m_lock(&w.m);
		m_unlock(&w.m);
	} while (!copy);
	w.gone = true;
}

static void selfish_worker(void)
{
	unsigned int t = m_create(work_on_copy, NULL);

	set_flag();
	while (!w.gone)
		model_yield();
	m_join(t);
}

static void dine_stubbornly(void *arg)
{
	unsigned int i = *(const unsigned int *)arg;
	bool got;

	m_lock(&w.forks[i]);
	for (got = m_trylock(&w.forks[1 - i]); !got; got = m_trylock_again(&w.forks[1 - i])) {
		m_unlock(&w.forks[i]);
		m_lock(&w.forks[i]);
	}
	m_unlock(&w.forks[1 - i]);
	m_unlock(&w.forks[i]);
}

static void stubborn_philosophers(void)
{
	unsigned int t = m_create(dine_stubbornly, (void *)&seat[1]);

	dine_stubbornly((void *)&seat[0]);
	m_join(t);
}

static void work_until_stopped(void *arg)
{
	bool stopped = false;

	(void)arg;
	while (!stopped) {
		m_lock(&w.m);
		model_yield();
		stopped = w.flag;
		m_unlock(&w.m);
	}
}

static void starved_stop(void)
{
	unsigned int t = m_create(work_until_stopped, NULL);

	set_flag();
	m_join(t);
}

/* The end of a quantum passes the processor on as a yield does. */
static void spin_on_copy(void *arg)
{
	wait_for_copy(arg);
	w.gone = true;
}

static void blind_spin(void)
{
	unsigned int t = m_create(spin_on_copy, NULL);

	set_flag();
	while (!w.gone)
		model_yield();
	m_join(t);
}
