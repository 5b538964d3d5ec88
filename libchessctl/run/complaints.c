// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of what monitors inside a program say when they find it wrong: the C library of its
 * heap and its locks, language runtimes of exceptions and panics nobody caught, sanitizers of
 * what they look for. A row is a pattern of a line, so that a new message of an old monitor is
 * known before anybody has seen it. See complaints.h.
 *
 * Sources: glibc malloc/malloc.c (malloc_printerr), sysdeps/posix/libc_fatal.c, debug/, nptl/;
 * libstdc++ vterminate.cc, libc++abi; Rust library/std/src/panicking.rs, rt.rs; Go
 * runtime/panic.go, proc.go; compiler-rt's sanitizer_common, asan, tsan, msan, lsan, ubsan;
 * valgrind memcheck/mc_errors.c.
 */
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "run/complaints.h"
#include "internal.h"

enum monitor {
	GLIBC, CPP, RUST, GO, ASAN, LSAN, MSAN, TSAN, UBSAN, MEMCHECK,
	PROGRAM,	/* none: the program itself, by assert(3) */
};

static const char *const monitors[] = {
	[GLIBC] = "glibc", [CPP] = "C++", [RUST] = "Rust", [GO] = "Go",
	[ASAN] = "AddressSanitizer", [LSAN] = "LeakSanitizer", [MSAN] = "MemorySanitizer",
	[TSAN] = "ThreadSanitizer", [UBSAN] = "UndefinedBehaviorSanitizer",
	[MEMCHECK] = "Memcheck",
};

/**
 * struct row - a complaint
 * @monitor: who says it
 * @when: what has to have come of the program, for it to decide
 * @verdict: of the run
 * @key: is part of each such line; looked for first, since that is cheap
 * @line: extended regular expression, matched against the line
 */
struct row {
	enum monitor monitor;
	enum chess_complaint_when when;
	enum chess_verdict verdict;
	const char *key;
	const char *line;
};

#define ABORTED		CHESS_WHEN_ABORTED
#define FAILED		CHESS_WHEN_FAILED
#define SAID		CHESS_WHEN_SAID
#define ASSERT		CHESS_VERDICT_ASSERT
#define CRASH		CHESS_VERDICT_CRASH
#define DEADLOCK	CHESS_VERDICT_DEADLOCK
#define MEMORY		CHESS_VERDICT_MEMORY
#define RACE		CHESS_VERDICT_RACE

/* How a function of the heap is called; its name, "(): ", then a sentence. */
#define HEAP	"(^|[^A-Za-z0-9_])[a-z_]*(alloc|free|chunk|tcache|memalign)[a-z_]*\\(\\): [a-z]"

/* Where a line of valgrind begins. */
#define VG	"^==[0-9]+== "

/* The first row that fits a line is what it is; the first line that fits is what is reported. */
static const struct row rows[] = {
	{ GLIBC, ABORTED, CRASH, "malloc.c:", "(^|[ /])malloc\\.c:[0-9]+: [a-z_]+: Assertion `" },
	{ PROGRAM, ABORTED, ASSERT, ": Assertion `", ": Assertion `" },
	{ GLIBC, ABORTED, CRASH, "(): ", HEAP },
	{ GLIBC, ABORTED, CRASH, "corrupt", "(double free or corruption|corrupted (size|double-linked|unsorted|top|list|[a-z-]+ (size|list|chunks?)))" },
	{ GLIBC, ABORTED, CRASH, " ***: ", "\\*\\*\\* .* \\*\\*\\*: .*terminated" },
	{ GLIBC, ABORTED, CRASH, "*** ", "\\*\\*\\* stack smashing detected \\*\\*\\*" },
	{ GLIBC, ABORTED, CRASH, "Fatal glibc error: ", "Fatal glibc error: " },
	{ GLIBC, ABORTED, CRASH, "The futex facility ", "The futex facility returned an unexpected error code" },
	{ GLIBC, ABORTED, CRASH, "invalid fastbin", "invalid fastbin entry" },
	{ GLIBC, ABORTED, CRASH, "break adjusted", "break adjusted to free malloc space" },
	{ GLIBC, ABORTED, ASSERT, "FATAL: exception not", "FATAL: exception not rethrown" },

	{ CPP, ABORTED, ASSERT, "terminate called ", "terminate called (after throwing an instance of|without an active exception|recursively)" },
	{ CPP, ABORTED, ASSERT, "libc++abi: ", "libc\\+\\+abi: terminating" },
	{ CPP, ABORTED, CRASH, " virtual ", "(pure|Pure) virtual (method|function) called" },

	{ RUST, SAID, ASSERT, "' panicked at ", "thread '.*' panicked at " },
	{ RUST, SAID, ASSERT, ") panicked at ", "thread '.*' \\([0-9]+\\) panicked at " },
	{ RUST, FAILED, CRASH, "fatal runtime error: ", "^fatal runtime error: " },
	{ RUST, FAILED, CRASH, "has overflowed its ", "thread '.*' has overflowed its stack" },

	{ GO, FAILED, DEADLOCK, "all goroutines are", "^fatal error: all goroutines are asleep - deadlock!" },
	{ GO, FAILED, DEADLOCK, "no goroutines (", "^fatal error: no goroutines \\(main called runtime\\.Goexit\\) - deadlock!" },
	{ GO, FAILED, RACE, "fatal error: concurrent ", "^fatal error: concurrent map " },
	{ GO, FAILED, CRASH, "fatal error: ", "^fatal error: " },
	{ GO, FAILED, CRASH, "panic: runtime error: ", "^panic: runtime error: invalid memory address" },
	{ GO, FAILED, ASSERT, "panic: ", "^panic: " },
	{ GO, SAID, RACE, "WARNING: DATA RACE", "^WARNING: DATA RACE" },

	{ TSAN, SAID, RACE, "ThreadSanitizer: data race", "ThreadSanitizer: data race" },
	{ TSAN, SAID, MEMORY, "ThreadSanitizer: heap-use", "ThreadSanitizer: heap-use-after-free" },
	{ TSAN, FAILED, CRASH, "ThreadSanitizer:", "ThreadSanitizer:(SEGV|DEADLYSIGNAL)" },
	{ TSAN, SAID, ASSERT, "WARNING: ThreadSanitizer: ", "WARNING: ThreadSanitizer: " },
	{ ASAN, FAILED, CRASH, "ERROR: AddressSanitizer: ", "AddressSanitizer: (SEGV|BUS|ILL|FPE|stack-overflow)" },
	{ ASAN, SAID, MEMORY, "ERROR: AddressSanitizer: ", "AddressSanitizer: [a-z]" },
	{ LSAN, SAID, MEMORY, "ERROR: LeakSanitizer: ", "LeakSanitizer: detected memory leaks" },
	{ MSAN, SAID, MEMORY, "MemorySanitizer: use", "WARNING: MemorySanitizer: use-of-uninitialized-value" },
	{ UBSAN, SAID, ASSERT, ": runtime error: ", "^[^ ]+:[0-9]+(:[0-9]+)?: runtime error: " },
	{ MEMCHECK, SAID, MEMORY, "== Invalid ", VG "Invalid (read|write) of size [0-9]" },
	{ MEMCHECK, SAID, MEMORY, "== Invalid ", VG "Invalid free\\(\\)" },
	{ MEMCHECK, SAID, MEMORY, "== Mismatched ", VG "Mismatched free\\(\\)" },
	{ MEMCHECK, SAID, MEMORY, "uninitialised ", VG "(Use of uninitialised value of size|Conditional jump or move depends on uninitialised)" },
	{ MEMCHECK, SAID, MEMORY, "== Syscall param ", VG "Syscall param .* (uninitialised|unaddressable) byte" },
	{ MEMCHECK, SAID, MEMORY, "== Source and ", VG "Source and destination overlap in " },
	{ MEMCHECK, SAID, MEMORY, " lost in loss record ", VG "[0-9,]+ .*bytes in [0-9,]+ blocks are definitely lost" },
	{ MEMCHECK, SAID, CRASH, "== Jump to the ", VG "Jump to the invalid address" },
	{ UBSAN, FAILED, CRASH, "ERROR: UndefinedBehavior", "ERROR: UndefinedBehaviorSanitizer: " },
};

/* Longer ones are cut: what they say is at their beginning. */
#define LINE_MAX_BYTES	1024

static regex_t compiled[ARRAY_SIZE(rows)];
static bool ready[ARRAY_SIZE(rows)];

int chess_monitor_number(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(monitors); i++)
		if (!strcasecmp(monitors[i], name))
			return i;
	return -1;
}

const char *chess_monitor_name(unsigned int number)
{
	return number < ARRAY_SIZE(monitors) ? monitors[number] : NULL;
}

char *chess_monitor_list(void)
{
	size_t i, size = 1;
	char *all;

	for (i = 0; i < ARRAY_SIZE(monitors); i++)
		size += strlen(monitors[i]) + 2;
	all = calloc(size, 1);
	for (i = 0; all && i < ARRAY_SIZE(monitors); i++) {
		strcat(all, i ? ", " : "");
		strcat(all, monitors[i]);
	}
	return all;
}

/* Without memory for it no line fits, and the run is judged by how it ended. */
static bool fits(size_t i, const char *line)
{
	if (!ready[i])
		ready[i] = !regcomp(&compiled[i], rows[i].line, REG_EXTENDED | REG_NOSUB);
	return ready[i] && !regexec(&compiled[i], line, 0, NULL, 0);
}

/* The line that @at is in; @from: the text begins there. Return: its length in @line. */
static size_t copy_line(const char *from, const char *at, char *line, const char **start)
{
	size_t n;

	while (at > from && at[-1] != '\n')
		at--;
	*start = at;
	n = strcspn(at, "\n");
	if (n > LINE_MAX_BYTES - 1)
		n = LINE_MAX_BYTES - 1;
	memcpy(line, at, n);
	line[n] = '\0';
	return n;
}

/* The first line of @err that row @i fits, or NULL; a copy in @line. */
static const char *first_line(size_t i, const char *err, char *line)
{
	const char *at = err, *start;

	while ((at = strstr(at, rows[i].key))) {
		copy_line(err, at, line, &start);
		if (fits(i, line))
			return start;
		at += strcspn(at, "\n");
	}
	return NULL;
}

bool chess_complaint_of(const char *err, const struct chess_expect *x, enum chess_verdict verdict,
			int bad_status, struct chess_complaint *out)
{
	uint32_t unheard = x ? x->unheard : 0;
	enum chess_complaint_when when = CHESS_WHEN_SAID;

	if (WIFSIGNALED(bad_status))
		/* Of another signal it is an explanation only where it is one of any end. */
		when = WTERMSIG(bad_status) == SIGABRT ? CHESS_WHEN_ABORTED : CHESS_WHEN_SAID;
	else if (WEXITSTATUS(bad_status))
		when = CHESS_WHEN_FAILED;
	return chess_complaint_find(err, unheard, when, out) && out->monitor &&
	       (out->verdict == verdict || verdict == CHESS_VERDICT_CRASH);
}

bool chess_complaint_find(const char *err, uint32_t unheard, enum chess_complaint_when when,
			  struct chess_complaint *out)
{
	const char *best = NULL, *start;
	char line[LINE_MAX_BYTES];
	size_t i;

	for (i = 0; err && *err && i < ARRAY_SIZE(rows); i++) {
		/* What is said of any end is said of one that failed, too. */
		if (rows[i].when < when ||
		    (rows[i].monitor != PROGRAM && unheard >> rows[i].monitor & 1))
			continue;
		start = first_line(i, err, line);
		if (!start || (best && start >= best))
			continue;
		best = start;
		out->monitor = chess_monitor_name(rows[i].monitor);
		out->verdict = rows[i].verdict;
		out->said = start;
		out->length = strcspn(start, "\n");
	}
	return best;
}
