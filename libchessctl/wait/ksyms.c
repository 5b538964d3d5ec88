// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of functions of the running kernel, from /proc/kallsyms. For the stacks of
 * a snapshot; only reports use it, so it is read when one does.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "internal.h"
#include "wait/look.h"

struct ksym {
	uint64_t address;
	uint32_t name;		/* offset in names */
};

static struct {
	struct ksym *sym;
	size_t n, room;
	char *names;
	size_t used, size;
	/* The scheduler's functions, which the kernel keeps together. */
	uint64_t sched_from, sched_to;
} table;

static pthread_once_t once = PTHREAD_ONCE_INIT;

static int by_address(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

static bool add(uint64_t address, const char *name)
{
	size_t len = strlen(name) + 1;

	if (chess_array_room(&table.sym, &table.room, table.n + 1, sizeof(*table.sym)) ||
	    chess_array_room(&table.names, &table.size, table.used + len, 1))
		return false;
	table.sym[table.n].address = address;
	table.sym[table.n++].name = table.used;
	memcpy(table.names + table.used, name, len);
	table.used += len;
	return true;
}

/* One line, "ADDRESS KIND NAME[\tMODULE]". False: no memory for it */
static bool add_line(char *line)
{
	uint64_t address;
	char *name, kind;

	/* Not sscanf(): 200,000 lines are most of what a report of a deadlock costs. */
	address = strtoull(line, &name, 16);
	if (!address || name[0] != ' ' || !name[1] || name[2] != ' ')
		return true;
	kind = name[1];
	name += 3;
	name[strcspn(name, "\t")] = '\0';
	if (!strcmp(name, "__sched_text_start"))
		table.sched_from = address;
	else if (!strcmp(name, "__sched_text_end"))
		table.sched_to = address;
	else if (strchr("tTwW", kind))
		return add(address, name);
	return true;
}

/*
 * The kernel gives a page at most in one read, and stdio would ask for a quarter of that:
 * st_blksize of a file in /proc is 1024.
 */
static void read_table(void)
{
	static char buffer[1 << 16];
	FILE *f = fopen("/proc/kallsyms", "re");
	size_t size = 0;
	char *line = NULL;
	ssize_t n;

	if (!f)
		return;
	setvbuf(f, buffer, _IOFBF, sizeof(buffer));
	while ((n = getline(&line, &size, f)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (!add_line(line))
			break;
	}
	free(line);
	fclose(f);
	qsort(table.sym, table.n, sizeof(*table.sym), by_address);
}

const char *chess_ksym(uint64_t address, uint64_t *offset)
{
	size_t low = 0, high, mid;

	pthread_once(&once, read_table);
	high = table.n;
	if (!high || address < table.sym[0].address)
		return NULL;
	while (high - low > 1) {
		mid = low + (high - low) / 2;
		if (table.sym[mid].address <= address)
			low = mid;
		else
			high = mid;
	}
	if (offset)
		*offset = address - table.sym[low].address;
	return table.names + table.sym[low].name;
}

const char *chess_ksym_wchan(const struct chess_look_task *t)
{
	uint32_t i;

	pthread_once(&once, read_table);
	for (i = 0; i < t->n_stack; i++)
		if (t->stack[i] < table.sched_from || t->stack[i] >= table.sched_to)
			return chess_ksym(t->stack[i], NULL);
	return NULL;
}
