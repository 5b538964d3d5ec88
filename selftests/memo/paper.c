// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first five bugs of table 2 of Maple (OOPSLA'12), re-implemented from what is published of
 * them: its figure 4, and what the names and idioms of the first four say. "paper BUG" shows the
 * bug in some schedule; "paper BUG other" is another input of the same program, which starts and
 * stops in the same way, and has none.
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t config = PTHREAD_MUTEX_INITIALIZER;
static int settings;
static bool other;

/* Both tasks do it at their start and at their end. */
static void configure(void)
{
	pthread_mutex_lock(&config);
	settings++;
	pthread_mutex_unlock(&config);
}

/* ---- a log is swept while one writes to it ---- */

static char text[16] = "log";
static char *volatile log_text = text;

static void write_log(void)
{
	if (log_text)
		assert(log_text);
}

static void sweep(void)
{
	if (!other)
		log_text = NULL;
}

/* ---- a buffer is cut between the look at its length and its use ---- */

static int length = 3;

static void append(void)
{
	int size;

	pthread_mutex_lock(&first);
	size = length;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&first);
	assert(size <= length);
	pthread_mutex_unlock(&first);
}

static void cut(void)
{
	pthread_mutex_lock(&first);
	if (!other)
		length = 0;
	pthread_mutex_unlock(&first);
}

/* ---- what is taken from the head of a list is put at its tail, not in one step ---- */

#define ITEMS	4

static int ring[ITEMS] = { 1, 2, 3, 4 }, head, tail, held;

static int take(void)
{
	int item;

	pthread_mutex_lock(&first);
	item = ring[head];
	head = (head + 1) % ITEMS;
	pthread_mutex_unlock(&first);
	return item;
}

static void put(int item)
{
	pthread_mutex_lock(&first);
	ring[tail] = item;
	tail = (tail + 1) % ITEMS;
	pthread_mutex_unlock(&first);
}

static void rotate(void)
{
	put(take());
}

static void rotate_too(void)
{
	if (!other)
		put(take());
	else
		held = ITEMS;
}

/* Each item comes after the one that was before it. */
static void check_ring(void)
{
	int i;

	for (i = 0; i < ITEMS; i++)
		assert(ring[i] == i + 1);
}

/* ---- an account is read and written under the lock, each by itself ---- */

static int balance = 100;

static int read_balance(void)
{
	int now;

	pthread_mutex_lock(&first);
	now = balance;
	pthread_mutex_unlock(&first);
	return now;
}

static void write_balance(int now)
{
	pthread_mutex_lock(&first);
	balance = now;
	pthread_mutex_unlock(&first);
}

static void deposit(void)
{
	write_balance(read_balance() + 10);
}

static void withdraw(void)
{
	if (other)
		read_balance();
	else
		write_balance(read_balance() - 10);
}

static void check_balance(void)
{
	assert(balance == (other ? 110 : 100));
}

/* ---- the log of a database has the changes of a table in another order ---- */

static int n_table, n_log, table[2], log_of[2];

static void change(int by, bool table_too)
{
	pthread_mutex_lock(&first);
	if (table_too)
		table[n_table++] = by;
	pthread_mutex_unlock(&first);
	pthread_mutex_lock(&second);
	if (table_too)
		log_of[n_log++] = by;
	pthread_mutex_unlock(&second);
}

static void delete_rows(void)
{
	change(1, true);
}

static void insert_rows(void)
{
	change(2, !other);
}

static void check_log(void)
{
	assert(!memcmp(table, log_of, sizeof(table)));
}

static const struct bug {
	const char *name;
	void (*mine)(void), (*theirs)(void), (*check)(void);
} bugs[] = {
	{ "log_proc_sweep", write_log, sweep, NULL },
	{ "string_buffer", append, cut, NULL },
	{ "circular_list", rotate, rotate_too, check_ring },
	{ "bank_account", deposit, withdraw, check_balance },
	{ "mysql_log_miss", delete_rows, insert_rows, check_log },
};

static void *work(void *arg)
{
	const struct bug *b = arg;

	configure();
	b->theirs();
	configure();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t worker;
	size_t i;

	other = argc > 2 && !strcmp(argv[2], "other");
	for (i = 0; i < sizeof(bugs) / sizeof(bugs[0]); i++)
		if (argc > 1 && !strcmp(argv[1], bugs[i].name))
			break;
	if (i == sizeof(bugs) / sizeof(bugs[0])) {
		fprintf(stderr, "paper: name a bug\n");
		return 2;
	}
	if (pthread_create(&worker, NULL, work, (void *)&bugs[i]))
		return 2;
	configure();
	bugs[i].mine();
	configure();
	pthread_join(worker, NULL);
	if (bugs[i].check)
		bugs[i].check();
	return 0;
}
