// SPDX-License-Identifier: GPL-2.0-only
/*
 * Models of the programs in bpf/, with the points their BPF programs make. Each is there
 * as it is and with an argument, which makes it right.
 */
#include <stddef.h>
#include <string.h>

#include "model.h"

static struct {
	unsigned int lock, readers;
	int balance;
	bool linked, freed;
} probed;

static const bool is_wrong, is_right = true;

/* Points stand in front of what they are of: spin.bpf.c. */
static void b_spin_lock(void)
{
	model_point();
	while (probed.lock)
		model_yield();
	probed.lock = 1;
}

static void b_spin_unlock(void)
{
	model_point();
	probed.lock = 0;
}

static void take_70(void *right)
{
	bool enough;

	b_spin_lock();
	enough = probed.balance >= 70;
	if (!*(const bool *)right) {
		b_spin_unlock();
		b_spin_lock();
	}
	if (enough)
		probed.balance -= 70;
	b_spin_unlock();
}

static void two_take(const bool *right)
{
	unsigned int first, second;

	probed.balance = 100;
	first = m_create(take_70, (void *)right);
	second = m_create(take_70, (void *)right);
	m_join(first);
	m_join(second);
	m_assert(probed.balance >= 0);
}

/* usdt.bpf.c */
static void read_entry(void *unused)
{
	bool found;

	(void)unused;
	probed.readers++;
	model_point();
	found = probed.linked;
	model_point();
	if (found)
		m_assert(!probed.freed);
	probed.readers--;
}

static void remove_entry(void *right)
{
	model_point();
	probed.linked = false;
	while (*(const bool *)right && probed.readers)
		model_yield();
	model_point();
	probed.freed = true;
}

static void read_and_remove(const bool *right)
{
	unsigned int reader, writer;

	probed.linked = true;
	reader = m_create(read_entry, NULL);
	writer = m_create(remove_entry, (void *)right);
	m_join(reader);
	m_join(writer);
}

static void account_wrong(void)
{
	two_take(&is_wrong);
}

static void account_right(void)
{
	two_take(&is_right);
}

static void usdt_wrong(void)
{
	read_and_remove(&is_wrong);
}

static void usdt_right(void)
{
	read_and_remove(&is_right);
}

static void reset_bpf(void)
{
	memset(&probed, 0, sizeof(probed));
}

#define BPF(name) { #name, reset_bpf, name }

const struct model_program model_bpf[] = {
	BPF(account_wrong), BPF(account_right), BPF(usdt_wrong), BPF(usdt_right), { 0 },
};
