// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program out of a seed, or one that is given, for outcomes.sh: two or three tasks make a few
 * calls on objects that they share, and note what each call returns. Together this is the outcome
 * of a run, which is appended to a file as one line. The calls are such that what they return
 * depends on the order in which tasks come. A run that does not end, since its tasks wait for
 * ever, has an outcome too: the next run appends it, to FILE.stuck, and after the last one
 * "--stuck" prints it. So that all runs do the same, each appends a line there, which may be blank.
 *
 *	outcome_subject PROGRAM FILE
 *	outcome_subject --list PROGRAM
 *	outcome_subject --stuck FILE
 *
 * PROGRAM is a number, the seed; or the calls of each task, as --list prints them:
 * "once(0),locked(1);once(0)". In front of either, "p" makes the tasks processes, which else are
 * threads; in front of a seed, "m" has them also access memory that they share, which they
 * otherwise do under locks only; "w" has them make calls that may wait for ever.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "outcome_calls.h"
#include "outcome_text.h"
#include "outcome_waits.h"

#define MAX_OPS		3
#define NOTES		160
#define LINE		512

static struct {
	const struct outcome_call *call;
	unsigned int arg;
} program[OUTCOME_TASKS][MAX_OPS];
static unsigned int tasks, ops[OUTCOME_TASKS];
static bool processes, waits;
/* How many calls of the second the first one has waited for. */
static unsigned int waited[OUTCOME_TASKS][OUTCOME_TASKS];

static uint64_t state;

static uint64_t draw(void)
{
	return outcome_draw(&state);
}

/* May be one of a program that has to have accesses to memory, or may have none? */
static bool is_family(const struct outcome_family *f, bool has, bool may)
{
	if ((processes && !(f->flags & OUTCOME_SHARED)) || (!waits && f->flags & OUTCOME_WAITS))
		return false;
	return f->flags & OUTCOME_MEMORY ? may : !has;
}

/* Of one family, or of two; with @memory, the first is about that. */
static void make_program(bool memory)
{
	const struct outcome_family *f[2];
	unsigned int t, i, k;

	for (i = 0; i < 2; i++)
		do
			f[i] = &outcome_families[draw() % outcome_families_count];
		while (!is_family(f[i], memory && i == 0, memory) ||
		       (waits && i == memory && !(f[i]->flags & OUTCOME_WAITS)));
	if (draw() % 2)
		f[1] = f[0];
	tasks = draw() % (waits ? 2 : 6) ? 2 : 3;
	for (t = 0; t < tasks; t++) {
		ops[t] = waits ? 1 + draw() % 3 : tasks == 2 ? 1 + draw() % 2 + !(draw() % 3) : 1;
		for (i = 0; i < ops[t]; i++) {
			const struct outcome_family *of = f[draw() % 2];

			for (k = 0; k < OUTCOME_CALLS && of->call[k].make; k++)
				;
			program[t][i].call = &of->call[draw() % k];
			program[t][i].arg = draw() % 1024;
		}
	}
}

static const struct outcome_call *find_call(const char *name, size_t length)
{
	const struct outcome_family *f;
	size_t k;

	for (f = outcome_families; f < outcome_families + outcome_families_count; f++)
		for (k = 0; k < OUTCOME_CALLS && f->call[k].make; k++)
			if (!strncmp(f->call[k].name, name, length) && !f->call[k].name[length])
				return &f->call[k];
	return NULL;
}

static bool add_call(unsigned int task, const char *name, size_t length, unsigned int arg)
{
	unsigned int i = task < OUTCOME_TASKS ? ops[task]++ : MAX_OPS;

	if (i >= MAX_OPS)
		return false;
	program[task][i].call = find_call(name, length);
	program[task][i].arg = arg;
	return program[task][i].call;
}

/* As print_program() has it. */
static bool read_program(const char *text)
{
	tasks = outcome_read(text, add_call);
	return tasks;
}

static void print_program(void)
{
	unsigned int t, i;

	fputs(processes ? "p:" : "", stdout);
	for (t = 0; t < tasks; t++)
		for (i = 0; i < ops[t]; i++)
			printf("%s%s(%u)", i ? "," : t ? ";" : "", program[t][i].call->name,
			       program[t][i].arg);
	putchar('\n');
}

static bool take_program(const char *text)
{
	bool memory;
	char *end;

	if (!strncmp(text, "p:", 2)) {
		processes = true;
		return read_program(text + 2);
	}
	end = (char *)text + strspn(text, "mpw");
	if (*end < '0' || *end > '9')
		return read_program(text);
	processes = memchr(text, 'p', end - text);
	waits = memchr(text, 'w', end - text);
	memory = memchr(text, 'm', end - text);
	state = strtoull(end, &end, 10);
	if (*end)
		return false;
	make_program(memory);
	return true;
}

/* What each task noted, in a file that outlives a run. */
static struct notes {
	char of[OUTCOME_TASKS][NOTES];
	unsigned int tasks;	/* 0: the run ended */
} *notes;

long outcome_after(int me, unsigned int arg)
{
	unsigned int of = arg % tasks, calls = 1 + arg / tasks % MAX_OPS;

	if (calls > ops[of])
		calls = ops[of];
	for (; of != (unsigned int)me && waited[me][of] < calls; waited[me][of]++)
		outcome_wait_for(of, me);
	return 0;
}

/* Those that wait for @of, as bits. */
static unsigned int waiters(unsigned int of)
{
	unsigned int t, i, who = 0;

	for (t = 0; t < tasks; t++)
		for (i = 0; i < ops[t]; i++)
			if (t != of && program[t][i].call->make == outcome_after &&
			    program[t][i].arg % tasks == of)
				who |= 1U << t;
	return who;
}

static void *run(void *arg)
{
	int me = (intptr_t)arg;
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < ops[me]; i++) {
		at += snprintf(notes->of[me] + at, NOTES - at, " %ld",
			       program[me][i].call->make(me, program[me][i].arg));
		outcome_made(me, waiters(me));
	}
	outcome_end(me);
	return NULL;
}

static void run_processes(const char *folder)
{
	unsigned int t;

	outcome_set_up(NULL, folder);
	for (t = 0; t < tasks; t++)
		if (!fork()) {
			run((void *)(intptr_t)t);
			_exit(0);
		}
}

static void run_threads(const char *folder)
{
	pthread_t thread[OUTCOME_TASKS];
	unsigned int t;

	outcome_set_up(thread, folder);
	for (t = 0; t < tasks; t++)
		pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
	for (t = 0; t < tasks; t++)
		pthread_join(thread[t], NULL);
}

/* All lines have the same length. */
static void print_notes(char line[LINE + 1])
{
	unsigned int t;
	size_t n = 0;

	for (t = 0; t < notes->tasks; t++)
		n += snprintf(line + n, LINE - n, "%s%s", t ? " |" : "", notes->of[t]);
	snprintf(line + n, LINE + 1 - n, "%*s\n", LINE - 1 - (int)n, "");
}

static int append(const char *file, const char *suffix, const char *line)
{
	char path[4096];
	int fd, ret;

	snprintf(path, sizeof(path), "%s%s", file, suffix);
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return 2;
	ret = write(fd, line, LINE) == LINE ? 0 : 2;
	close(fd);
	return ret;
}

static bool map_notes(const char *file)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s.notes", file);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || ftruncate(fd, sizeof(*notes)))
		return false;
	notes = mmap(NULL, sizeof(*notes), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return notes != MAP_FAILED;
}

int main(int argc, char **argv)
{
	bool list = argc > 1 && !strcmp(argv[1], "--list");
	bool stuck = argc > 1 && !strcmp(argv[1], "--stuck");
	char line[LINE + 1], folder[64];
	int ret;

	if (argc != 3 || (!stuck && !take_program(argv[1 + list])))
		return 2;
	if (list) {
		print_program();
		return 0;
	}
	if (!map_notes(argv[2]))
		return 2;
	/* Of the run before, if it did not end. */
	print_notes(line);
	if (stuck) {
		fputs(line, stdout);
		return 0;
	}
	if (append(argv[2], ".stuck", line))
		return 2;
	memset(notes, 0, sizeof(*notes));
	notes->tasks = tasks;
	snprintf(folder, sizeof(folder), "%.50s.dir", argv[2]);
	if (processes)
		run_processes(folder);
	else
		run_threads(folder);
	while (wait(NULL) > 0)
		;
	print_notes(line);
	ret = append(argv[2], "", line);
	notes->tasks = 0;
	outcome_clean_up();
	return ret;
}
