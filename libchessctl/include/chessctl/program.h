/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: programs and the files they execute: sync functions, traps, instructions
 * whose result no schedule decides.
 */
#ifndef CHESSCTL_API_PROGRAM_H
#define CHESSCTL_API_PROGRAM_H

#include <chessctl/api.h>

#ifdef __cplusplus
extern "C" {
#endif

struct chess_ctl;

/* a program, as it is to be started */
struct chess_program {
	char *const *argv;	/* argv[0] is searched in PATH like a shell does */
	char *const *envp;	/* NULL: ours */
	const char *cwd;	/* NULL: ours */
	uint32_t uid, gid;	/* UINT32_MAX: ours */
	bool capture;		/* stdout and stderr to memory, stdin from /dev/null */
	/* files whose code it runs later than at its start, NULL after the last; or NULL */
	const char *const *later;
};

/* symbols.c: sync functions of ELF files (the wrapper table) */
/* How many rows there were when traces did not say so yet, before version 14. */
#define CHESS_WRAPPERS_BEFORE	98
struct chess_wrapper {		/* one row of the table; id = index + 1 */
	const char *symbol;
	uint8_t op, op_flags, object_arg, second_arg;
};
CHESS_API const struct chess_wrapper *chess_wrapper_find(uint32_t id);
CHESS_API uint32_t chess_wrapper_count(void);
/* the function a point is at, NULL where it is at something else */
CHESS_API const struct chess_wrapper *chess_wrapper_of(const struct chess_event *e);
/*
 * Traps for every wrapper that @path provides, and, with id 0 and CHESS_PROBE_TSC, at every
 * instruction that reads the time stamp counter. Returns the count (0: none) and a
 * malloc'ed array sorted by offset; negative errno if it is not an ELF file that can be
 * read. Functions whose first instruction cannot be displaced are left out and
 * named in *skipped (malloc'ed, comma separated, NULL when none; skipped may be NULL).
 */
CHESS_API int chess_symbols_probes(const char *path, struct chess_probe **out, char **skipped);
/*
 * Files whose code a program can run at start: itself, its ELF interpreter and
 * the libraries its DT_NEEDED entries lead to (as ld.so would find them).
 * NULL-terminated malloc'ed array of malloc'ed paths.
 */
CHESS_API char **chess_symbols_files(const char *program);
/*
 * The same for the file at @path as it will be executed for @p: LD_LIBRARY_PATH,
 * LD_PRELOAD and PATH are those of p->envp, relative names in them begin at p->cwd.
 * @path itself is as we see it.
 */
CHESS_API char **chess_symbols_files_of(const struct chess_program *p, const char *path);

enum chess_program_kind {
	CHESS_PROGRAM_DYNAMIC = 1, CHESS_PROGRAM_STATIC, CHESS_PROGRAM_SCRIPT,
	CHESS_PROGRAM_32BIT, CHESS_PROGRAM_FOREIGN,
};
/* enum chess_program_kind of an executable file, or -errno: ENOENT, EACCES not
 * executable, EISDIR, ENOEXEC neither ELF nor #!
 */
CHESS_API int chess_symbols_kind(const char *path);

/* code.c: an instruction whose result no schedule decides, and that gets no trap */
struct chess_code_site {
	const char *instruction;	/* "rdtsc", "rdtscp", "rdpid", "rdrand", "rdseed", "cpuid" */
	uint64_t address;		/* as linked */
	char *function;			/* NULL when no symbol covers it */
	uint64_t offset;		/* into the function */
};
/*
 * All of them in the code of an ELF file, in the order of their sections. Returns
 * the count and a malloc'ed array; ENOEXEC if the file is not for x86-64.
 */
CHESS_API int chess_code_scan(const char *path, struct chess_code_site **out);
CHESS_API void chess_code_sites_free(struct chess_code_site *v, size_t n);

/*
 * program.c: traps in everything a program runs at its start.
 *
 * chess_probe_add_file() finds the sync functions @path provides and registers a
 * trap for each of them with the group; they are armed wherever a task of the group
 * maps the file. A file that provides none, or is not an ELF file for x86-64, is not an error.
 * Returns the number of traps, or -errno with chess_error(): what opening and
 * reading the file can give, and the module's own refusals (ENOENT no such group).
 *
 * chess_probe_add_program() does that for all of chess_symbols_files_of(): @path is
 * what execve will get for @p; for a script it is the interpreter.
 */
CHESS_API int chess_probe_add_file(struct chess_ctl *c, uint32_t group, const char *path);
CHESS_API int chess_probe_add_program(struct chess_ctl *c, uint32_t group,
			const struct chess_program *p, const char *path);

/*
 * probes.c: points that a user's BPF programs make (docs/probes.md).
 *
 * chess_probes_attach() loads the object files and attaches all programs in them, for
 * every process from now on; in a section the word PROGRAM means the file @program, as
 * we see it. Call it when nothing writes to that file any more. NULL and errno with
 * chess_error() where one cannot be used; then nothing is left attached. Takes over
 * libbpf's printing while it runs.
 */
struct chess_probes;
CHESS_API struct chess_probes *chess_probes_attach(const char *const *files, size_t n,
			const char *program);
CHESS_API void chess_probes_detach(struct chess_probes *p);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_PROGRAM_H */
