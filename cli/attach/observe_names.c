// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names for addresses of processes that run, from what they have mapped. Symbols are read
 * once for a process and again when some time has passed, since it may map more.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "attach/observe.h"
#include "report/symbolize.h"

#define PROCESSES	16
#define GOOD_FOR	10	/* seconds */

struct names {
	struct known {
		pid_t tgid;
		time_t read;
		struct symbols *symbols;
	} known[PROCESSES];
	size_t next;
};

struct names *names_new(void)
{
	return cli_alloc(1, sizeof(struct names));
}

void names_free(struct names *n)
{
	size_t i;

	for (i = 0; i < PROCESSES; i++)
		symbols_free(n->known[i].symbols);
	free(n);
}

/* Are its files found under another root? */
static bool has_own_files(pid_t tgid)
{
	char *path = cli_printf("/proc/%d/ns/mnt", tgid), theirs[64], ours[64];
	ssize_t n = readlink(path, theirs, sizeof(theirs));
	ssize_t m = readlink("/proc/self/ns/mnt", ours, sizeof(ours));

	free(path);
	return n > 0 && m > 0 && (n != m || memcmp(theirs, ours, n));
}

/* Text of /proc/PID/maps with paths that can be opened from here; NULL: it is gone. */
static char *read_maps(pid_t tgid)
{
	char *path = cli_printf("/proc/%d/maps", tgid), *line = NULL, *text = NULL, *slash;
	bool elsewhere = has_own_files(tgid);
	FILE *from = fopen(path, "re"), *to;
	size_t size = 0, length;

	free(path);
	if (!from)
		return NULL;
	to = open_memstream(&text, &length);
	while (to && getline(&line, &size, from) > 0) {
		slash = elsewhere ? strchr(line, '/') : NULL;
		if (slash)
			fprintf(to, "%.*s/proc/%d/root%s", (int)(slash - line), line, tgid, slash);
		else
			fputs(line, to);
	}
	if (to)
		fclose(to);
	free(line);
	fclose(from);
	return text;
}

static struct symbols *symbols_of(struct names *n, pid_t tgid)
{
	struct known *k = NULL;
	time_t now = time(NULL);
	char *maps;
	size_t i;

	for (i = 0; i < PROCESSES; i++)
		if (n->known[i].tgid == tgid)
			k = &n->known[i];
	if (k && now - k->read < GOOD_FOR)
		return k->symbols;
	maps = read_maps(tgid);
	/* What was known of one that has ended is still right. */
	if (!maps || !*maps) {
		free(maps);
		return k ? k->symbols : NULL;
	}
	if (!k)
		k = &n->known[n->next++ % PROCESSES];
	symbols_free(k->symbols);
	*k = (struct known){ .tgid = tgid, .read = now, .symbols = symbols_new(maps) };
	free(maps);
	return k->symbols;
}

char *names_variable(struct names *n, pid_t tgid, uint64_t address)
{
	struct symbols *s = symbols_of(n, tgid);
	char *name = s ? symbols_variable(s, address) : NULL;

	return name ? name : cli_printf("0x%llx", (unsigned long long)address);
}

char *names_place(struct names *n, pid_t tgid, const struct chess_stack *stack)
{
	struct chess_event e = { .ip = stack ? stack->regs[16] : 0 };
	struct symbols *s = symbols_of(n, tgid);
	struct place place;
	char *text;

	if (!s || !stack || !symbols_event_place(s, &e, stack, &place))
		return NULL;
	text = place_text(&place);
	place_clear(&place);
	return text;
}
