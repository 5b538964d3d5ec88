// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program out of a seed, or one that is given, for outcomes.sh: two or three tasks make a few
 * calls on objects that they share, and note what each call returns. Together this is the outcome
 * of a run, which is appended to a file as one line. The calls are such that what they return
 * depends on the order in which tasks come, and no call waits for ever.
 *
 *	outcome_subject PROGRAM FILE
 *	outcome_subject --list PROGRAM
 *
 * PROGRAM is a number, the seed; or the calls of each task, as --list prints them:
 * "once(0),locked(1);once(0)". In front of either, "p" makes the tasks processes, which else are
 * threads; in front of a seed, "m" has them also access memory that they share, which they
 * otherwise do under locks only.
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

#define MAX_OPS		3
#define NOTES		512

static struct {
	const struct outcome_call *call;
	unsigned int arg;
} program[OUTCOME_TASKS][MAX_OPS];
static unsigned int tasks, ops[OUTCOME_TASKS];
static bool processes;

static uint64_t state;

static uint64_t draw(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* May be one of a program that has to have accesses to memory, or may have none? */
static bool is_family(const struct outcome_family *f, bool has, bool may)
{
	if (processes && !(f->flags & OUTCOME_SHARED))
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
		while (!is_family(f[i], memory && i == 0, memory));
	if (draw() % 2)
		f[1] = f[0];
	tasks = draw() % 6 ? 2 : 3;
	for (t = 0; t < tasks; t++) {
		ops[t] = tasks == 2 ? 1 + draw() % 2 + !(draw() % 3) : 1;
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

/* As print_program() has it. */
static bool read_program(const char *text)
{
	for (tasks = 1; ; text++) {
		const char *open = strchr(text, '(');
		unsigned int t = tasks - 1;
		char *end;

		if (!open || t == OUTCOME_TASKS || ops[t] == MAX_OPS)
			return false;
		program[t][ops[t]].call = find_call(text, open - text);
		program[t][ops[t]].arg = strtoul(open + 1, &end, 10);
		if (!program[t][ops[t]++].call || *end != ')')
			return false;
		text = end + 1;
		if (!*text)
			return true;
		if (*text == ';')
			tasks++;
		else if (*text != ',')
			return false;
	}
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
	end = (char *)text + strspn(text, "mp");
	if (*end < '0' || *end > '9')
		return read_program(text);
	processes = memchr(text, 'p', end - text);
	memory = memchr(text, 'm', end - text);
	state = strtoull(end, &end, 10);
	if (*end)
		return false;
	make_program(memory);
	return true;
}

/* Of each task. */
static char (*notes)[NOTES];

static void *run(void *arg)
{
	int me = (intptr_t)arg;
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < ops[me]; i++)
		at += snprintf(notes[me] + at, NOTES - at, " %ld",
			       program[me][i].call->make(me, program[me][i].arg));
	return NULL;
}

static void run_processes(void)
{
	unsigned int t;

	outcome_set_up(NULL);
	for (t = 0; t < tasks; t++)
		if (!fork()) {
			run((void *)(intptr_t)t);
			_exit(0);
		}
}

static void run_threads(void)
{
	pthread_t thread[OUTCOME_TASKS];
	unsigned int t;

	outcome_set_up(thread);
	for (t = 0; t < tasks; t++)
		pthread_create(&thread[t], NULL, run, (void *)(intptr_t)t);
	for (t = 0; t < tasks; t++)
		pthread_join(thread[t], NULL);
}

static int note_outcome(int fd)
{
	char line[OUTCOME_TASKS * NOTES + 16];
	unsigned int t;
	size_t n = 0;

	for (t = 0; t < tasks; t++)
		n += snprintf(line + n, sizeof(line) - n, "%s%s", t ? " |" : "", notes[t]);
	line[n++] = '\n';
	return write(fd, line, n) == (ssize_t)n ? 0 : 2;
}

int main(int argc, char **argv)
{
	bool list = argc > 1 && !strcmp(argv[1], "--list");
	int fd, ret;

	if (argc != 3 || !take_program(argv[1 + list]))
		return 2;
	if (list) {
		print_program();
		return 0;
	}
	fd = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return 2;
	notes = mmap(NULL, sizeof(*notes) * OUTCOME_TASKS, PROT_READ | PROT_WRITE,
		     (processes ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0);
	if (processes)
		run_processes();
	else
		run_threads();
	while (wait(NULL) > 0)
		;
	ret = note_outcome(fd);
	outcome_clean_up();
	return ret;
}
