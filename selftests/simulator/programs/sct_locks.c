// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of SCTBench (Thomson, Donaldson and Betts, PPoPP'14), of its set
 * "concurrent software benchmarks", whose bug is in the order of critical sections:
 * plain variables are used under locks only, and are not points.
 */
#include <string.h>

#include "programs.h"

#define QUEUE		20
#define STACK		10
#define ROUNDS		7

static struct {
	struct sim_mutex m, l;
	struct sim_cond empty, full;
	int balance, deposited, withdrawn;
	int first, second;		/* classes of carter01, data of twostage */
	int data;
	int buffer[QUEUE + 1], noted[QUEUE], in, out, n;
	bool may_send, may_receive;
} g;

static void reset(void)
{
	memset(&g, 0, sizeof(g));
	g.may_send = true;
}

static void reset_full(void)
{
	reset();
	g.n = 1;
}

static void reset_two(void)
{
	reset();
	g.n = 2;
}

static void nothing(void *arg)
{
	(void)arg;
}

/* account_bad: the check has the wrong sum */
static void check_balance(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	if (g.deposited && g.withdrawn)
		sim_assert(g.balance == -5);
	sim_unlock(&g.m);
}

static void deposit(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	g.balance += 2;
	g.deposited = 1;
	sim_unlock(&g.m);
}

static void withdraw(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	g.balance -= 4;
	g.withdrawn = 1;
	sim_unlock(&g.m);
}

static void account(void *arg)
{
	(void)arg;
	sim_create(check_balance, NULL);
	sim_create(deposit, NULL);
	sim_create(withdraw, NULL);
}

/* carter01_bad: the first of each class takes the second lock inside the first */
static void visit(int *inside)
{
	sim_lock(&g.m);
	if (++*inside == 1)
		sim_lock(&g.l);
	sim_unlock(&g.m);
	sim_lock(&g.m);
	if (--*inside == 0)
		sim_unlock(&g.l);
	sim_unlock(&g.m);
}

static void visit_first(void *arg)
{
	(void)arg;
	visit(&g.first);
}

static void visit_second(void *arg)
{
	(void)arg;
	visit(&g.second);
}

static void carter(void *arg)
{
	void (*const body[])(void *arg) = { visit_first, visit_second, nothing, nothing };
	int task[COUNT_OF(body)];
	size_t i;

	(void)arg;
	for (i = 0; i < COUNT_OF(body); i++)
		task[i] = sim_create(body[i], NULL);
	for (i = 0; i < COUNT_OF(body); i++)
		sim_join(task[i]);
}

/* circular_buffer_bad: a receiver that comes too early misses its number */
static void send_some(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		sim_lock(&g.m);
		if (g.may_send) {
			g.buffer[g.in++] = i;
			g.may_send = false;
			g.may_receive = true;
		}
		sim_unlock(&g.m);
	}
}

static void receive_some(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < ROUNDS; i++) {
		sim_lock(&g.m);
		if (g.may_receive) {
			sim_assert(g.buffer[g.out++] == i);
			g.may_receive = false;
			g.may_send = true;
		}
		sim_unlock(&g.m);
	}
}

static void circular_buffer(void *arg)
{
	(void)arg;
	run_two_kinds(send_some, 1, receive_some, 1);
}

static void nested(struct sim_mutex *outer, struct sim_mutex *inner)
{
	sim_lock(outer);
	sim_lock(inner);
	sim_unlock(inner);
	sim_unlock(outer);
}

static void m_then_l(void *arg)
{
	(void)arg;
	nested(&g.m, &g.l);
}

static void l_then_m(void *arg)
{
	(void)arg;
	nested(&g.l, &g.m);
}

static void deadlock01(void *arg)
{
	(void)arg;
	run_two_kinds(m_then_l, 1, l_then_m, 1);
}

/* lazy01_bad: fails when both others were faster */
static void add_or_check(void *arg)
{
	long i = (long)arg;

	sim_lock(&g.m);
	if (i < 2)
		g.data += i + 1;
	else
		sim_assert(g.data < 3);
	sim_unlock(&g.m);
}

static void lazy01(void *arg)
{
	(void)arg;
	run_tasks(add_or_check, 3);
}

/* phase01_bad: the first lock is never given back */
static void keep_first(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	sim_unlock(&g.m);
	sim_lock(&g.m);
	sim_lock(&g.l);
	sim_unlock(&g.l);
	sim_lock(&g.l);
	sim_unlock(&g.l);
}

static void phase01(void *arg)
{
	(void)arg;
	run_two_kinds(keep_first, 1, keep_first, 1);
}

/*
 * queue_bad: the first number is queued before the flags are heeded. A reader that was in
 * vain once is one number after what is noted for its turn.
 */
static void fill(void *arg)
{
	int i, value = 0;

	(void)arg;
	sim_lock(&g.m);
	g.buffer[g.in++] = value;
	g.noted[0] = value;
	sim_unlock(&g.m);
	for (i = 0; i < QUEUE - 1; i++) {
		sim_lock(&g.m);
		if (g.may_send) {
			g.buffer[g.in++] = ++value;
			g.noted[i + 1] = value;
			g.may_send = false;
			g.may_receive = true;
		}
		sim_unlock(&g.m);
	}
}

static void drain(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < QUEUE; i++) {
		sim_lock(&g.m);
		if (g.may_receive) {
			sim_assert(g.noted[i] == g.buffer[g.out++]);
			g.may_receive = false;
			g.may_send = true;
		}
		sim_unlock(&g.m);
	}
}

static void queue(void *arg)
{
	(void)arg;
	run_two_kinds(fill, 1, drain, 1);
}

/* stack_bad: once something was pushed, every pop is taken for possible */
static void push_all(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < STACK; i++) {
		sim_lock(&g.m);
		g.n++;
		g.may_receive = true;
		sim_unlock(&g.m);
	}
}

static void pop_all(void *arg)
{
	int i;

	(void)arg;
	for (i = 0; i < STACK; i++) {
		sim_lock(&g.m);
		if (g.may_receive) {
			sim_assert(g.n > 0);
			g.n--;
		}
		sim_unlock(&g.m);
	}
}

static void stack(void *arg)
{
	(void)arg;
	run_two_kinds(push_all, 1, pop_all, 1);
}

/* sync01_bad, sync02_bad: producer and consumer, and a condition that never comes */
static void produce(int times)
{
	int i;

	for (i = 0; i < times; i++) {
		sim_lock(&g.m);
		while (g.n > 0)
			sim_wait(&g.empty, &g.m);
		g.n++;
		sim_unlock(&g.m);
		sim_signal(&g.full);
	}
}

static void consume(int times, int each)
{
	int i;

	for (i = 0; i < times; i++) {
		sim_lock(&g.m);
		while (g.n == 0)
			sim_wait(&g.full, &g.m);
		g.n -= each;
		sim_unlock(&g.m);
		sim_signal(&g.empty);
	}
}

static void produce_once(void *arg)
{
	(void)arg;
	produce(1);
}

static void look_once(void *arg)
{
	(void)arg;
	consume(1, 0);
}

static void sync01(void *arg)
{
	(void)arg;
	run_two_kinds(produce_once, 1, look_once, 1);
}

static void produce_twice(void *arg)
{
	(void)arg;
	produce(2);
}

static void consume_twice(void *arg)
{
	(void)arg;
	consume(2, 1);
}

static void sync02(void *arg)
{
	(void)arg;
	run_two_kinds(produce_twice, 1, consume_twice, 1);
}

/* stringbuffer-jdk1.4: the length is asked first, the characters are taken later */
static void erase_and_append(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	g.n = 0;
	sim_unlock(&g.m);
	sim_lock(&g.m);
	g.n = 3;
	sim_unlock(&g.m);
}

static void append_other(void *arg)
{
	int length;

	(void)arg;
	sim_create(erase_and_append, NULL);
	sim_lock(&g.l);
	sim_lock(&g.m);
	length = g.n;
	sim_unlock(&g.m);
	sim_lock(&g.m);
	sim_assert(length <= g.n);
	sim_unlock(&g.m);
	sim_unlock(&g.l);
}

static void reset_text(void)
{
	reset();
	g.n = 3;
}

/* twostage: two values that belong together, each under a lock of its own */
static void write_both(void *arg)
{
	(void)arg;
	sim_lock(&g.m);
	g.first = 1;
	sim_unlock(&g.m);
	sim_lock(&g.l);
	g.second = g.first + 1;
	sim_unlock(&g.l);
}

static void read_both(void *arg)
{
	int first, second;

	(void)arg;
	sim_lock(&g.m);
	first = g.first;
	sim_unlock(&g.m);
	if (!first)
		return;
	sim_lock(&g.l);
	second = g.second;
	sim_unlock(&g.l);
	sim_assert(second == first + 1);
}

#define TWO_STAGE(name, writers, readers) \
static void name(void *arg) \
{ \
	(void)arg; \
	run_two_kinds(write_both, writers, read_both, readers); \
}
TWO_STAGE(two_stage, 1, 1)
TWO_STAGE(two_stage_20, 10, 10)
TWO_STAGE(two_stage_50, 40, 10)

#define PROGRAM(n, r, m) { .name = n, .reset = r, .main = m }

const struct sct sct_locks[] = {
	{ PROGRAM("account_bad", reset, account), 0, CHESS_VERDICT_ASSERT,
	  { 20, 10.1, 5.8, 4.3, 4.5, 4.1, 18.1 }, { 0 } },
	{ PROGRAM("carter01_bad", reset, carter), 1, CHESS_VERDICT_DEADLOCK,
	  { 6, 4.5, -1, 5.0, 3.4, 1.9, 1 }, { 0 } },
	{ PROGRAM("circular_buffer_bad", reset, circular_buffer), 1, CHESS_VERDICT_ASSERT,
	  { 17, 3.1, 2.8, 9.1, 4.6, 2.1, 4.2 },
	  { 20 } },
	{ PROGRAM("deadlock01_bad", reset, deadlock01), 1, CHESS_VERDICT_DEADLOCK,
	  { 7, 3.0, 1.8, 12.9, 7.4, 3.5, 3.2 },
	  { 20 } },
	{ PROGRAM("lazy01_bad", reset, lazy01), 0, CHESS_VERDICT_ASSERT,
	  { 1, 7.0, 2, 4.9, 4.6, 4.7, 20.6 }, { 0 } },
	{ PROGRAM("phase01_bad", reset, phase01), 0, CHESS_VERDICT_DEADLOCK,
	  { 1, -1, -1, -1, -1, -1, -1 }, { 0 } },
	{ PROGRAM("queue_bad", reset, queue), 1, CHESS_VERDICT_ASSERT,
	  { 2, 3.5, 2.1, 3.3, 2.3, 1.1, 1 }, { 0 } },
	{ PROGRAM("stack_bad", reset, stack), 1, CHESS_VERDICT_ASSERT,
	  { 10, 8.0, 4.6, 3.2, 2.6, 1.7, 176 },
	  { 20 } },
	{ PROGRAM("stringbuffer-jdk1.4", reset_text, append_other), 2, CHESS_VERDICT_ASSERT,
	  { 9, 26.9, 8.5, 280.7, 25.7, 23.4, 2242.6 },
	  { [6] = 1 } },
	{ PROGRAM("sync01_bad", reset_full, sync01), 0, CHESS_VERDICT_DEADLOCK,
	  { 1, -1, -1, -1, -1, -1, -1 }, { 0 } },
	{ PROGRAM("sync02_bad", reset_two, sync02), 0, CHESS_VERDICT_DEADLOCK,
	  { 1, -1, -1, -1, -1, -1, -1 }, { 0 } },
	{ PROGRAM("twostage_bad", reset, two_stage), 1, CHESS_VERDICT_ASSERT,
	  { 8, 4.0, 7.5, 12.6, 8.7, 15.1, 464.1 }, { 0 } },
	{ PROGRAM("twostage_20", reset, two_stage_20), 1, CHESS_VERDICT_ASSERT,
	  { -1, 76.0, 5.7, 159.2, 100.7, 156, -1 },
	  { [6] = 20 } },
	{ PROGRAM("twostage_50", reset, two_stage_50), 1, CHESS_VERDICT_ASSERT,
	  { -1, 286.0, 20.5, 1676, 692.0, 1637.2, -1 },
	  { [6] = 20 } },
};

const size_t n_sct_locks = COUNT_OF(sct_locks);
