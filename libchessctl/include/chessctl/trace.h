/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: a run on disk.
 */
#ifndef CHESSCTL_API_TRACE_H
#define CHESSCTL_API_TRACE_H

#include <chessctl/api.h>
#include <chessctl/record.h>
#include <chessctl/run.h>
#include <chessctl/wait.h>

#ifdef __cplusplus
extern "C" {
#endif

/* trace.c: a failing (or any) run on disk. Text, one item per line, a version
 * line first and a checksum line last; docs/trace-format.md
 */
struct chess_trace_probe {	/* a file given with --probe, or one with access points */
	char *path;			/* absolute */
	char *hash;			/* of its bytes, hex */
};
struct chess_trace_point {	/* an instruction whose accesses to memory were points */
	unsigned int file;		/* index in @code_files */
	uint64_t offset;		/* in the file */
};
/*
 * The block of a heap that a race is on: the entries of its allocation and of the free() after
 * it, and their numbers from 1. Number 0: none was recorded.
 */
struct chess_race_piece {
	struct chess_access allocated, freed;
	uint32_t allocated_number, freed_number;
};
/* Which of two calls are made in a signal handler. */
enum chess_in_handler {
	CHESS_IN_HANDLER_NONE,
	CHESS_IN_HANDLER_FIRST,
	CHESS_IN_HANDLER_SECOND,
	CHESS_IN_HANDLER_BOTH,		/* handlers of two signals */
};
struct chess_trace_race {	/* as struct chess_racing_pair; sites are not kept */
	struct chess_access first, second;
	uint64_t address;
	uint32_t size;
	bool beside_atomic;
	/* before version 10 not known: zero */
	uint32_t number[2];		/* of both in the record of accesses, from 1 */
	struct chess_race_piece piece;
	/* if not NONE, no race, and about no memory: two calls of the heap */
	enum chess_in_handler in_handler;
};
/* "first", "second", "both", or NULL: as traces and JSON have it */
CHESS_API const char *chess_in_handler_name(enum chess_in_handler h);
/* What is known of how small the schedule of a failing run is. */
enum chess_minimal {
	CHESS_MINIMAL_UNKNOWN,
	CHESS_MINIMAL_CHOICES,		/* without any one of its choices the bug is gone */
	CHESS_MINIMAL_FEWEST,		/* no schedule with fewer preemptions shows the bug */
};
/* "choices", "fewest", or NULL: as traces and JSON have it */
CHESS_API const char *chess_minimal_name(enum chess_minimal m);
struct chess_trace_variable {	/* of the environment */
	char *name;
	uint16_t check;			/* of its value, which may be a secret */
};
struct chess_trace_file {	/* that was mapped */
	char *path;
	char *identity;			/* "build:" and its build-id, or "bytes:" and their hash */
};
struct chess_trace_call {	/* a system call at a point, as strace has it */
	uint32_t seq;			/* the point's */
	char *text;
};
struct chess_trace_name {	/* of a task, as ps has it */
	uint16_t task;
	char *name;
};
struct chess_trace {
	unsigned int version;
	char **argv;			/* NULL terminated */
	char *cwd;
	char *program;			/* resolved path */
	char *program_hash;		/* of its bytes, hex */
	char *kernel;			/* release it was made on */
	enum chess_verdict verdict;
	int status;
	enum chess_minimal minimal;	/* before version 11 unknown */
	struct chess_record *record;
	struct chess_wait *waits;
	size_t n_waits;
	char *maps;
	char *points;			/* --points as given */
	char *out;			/* captured stdout, may be NULL, before version 12 it is */
	char *err;			/* captured stderr, may be NULL */
	char *expect;			/* chess_expect_text(); before version 12 NULL */
	uint32_t quantum_us;		/* that was in force; 0: unknown (version 1) */
	bool virtual_time;		/* time was the group's; before version 3 it never was */
	unsigned int surroundings;	/* enum chess_surroundings; before version 4 none */
	struct chess_trace_probe *probes;	/* before version 6 none */
	size_t n_probes;
	/* files that had traps and were mapped later than at its start; before version 11 none */
	struct chess_trace_probe *later;
	size_t n_later;
	/* before version 9 none of: */
	char **code;			/* chess_runner_opts.code; NULL terminated, or NULL */
	struct chess_trace_probe *code_files;
	size_t n_code_files;
	struct chess_trace_point *access_points;	/* in order of file and offset */
	size_t n_access_points;
	struct chess_trace_race *races;	/* that this run shows */
	size_t n_races;
	/* before version 12 none of: */
	uint64_t stack_limit;		/* RLIMIT_STACK, UINT64_MAX: unlimited; 0: not known */
	struct chess_trace_variable *environment;	/* by name; not known without stack_limit */
	size_t n_environment;
	struct chess_trace_file *files;	/* of @maps */
	size_t n_files;
	/* of a run that did not go where its prefix asked for: the prefix, encoded; or NULL */
	char *asked;
	char **causes;			/* sentences on that */
	size_t n_causes;
	struct chess_trace_call *calls;	/* by event */
	size_t n_calls;
	/* of tasks whose name is not the program's, by task; before version 23 none */
	struct chess_trace_name *names;
	size_t n_names;
};
/* trace_given.c: hex digits, malloc'ed; NULL: the file has none, or cannot be read */
CHESS_API char *chess_build_id(const char *path);
CHESS_API int chess_trace_write(const struct chess_trace *t, const char *path);
/* NULL and errno: EINVAL truncated or edited (bad checksum), ENOTSUP newer version, ENOENT... */
CHESS_API struct chess_trace *chess_trace_read(const char *path);
CHESS_API void chess_trace_free(struct chess_trace *t);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_TRACE_H */
