/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names for addresses: functions, source lines and static variables, from the
 * maps text and the stack snapshots a trace holds. The process is long gone;
 * only its ELF files are read. Used by report.c.
 */
#ifndef CLI_SYMBOLIZE_H
#define CLI_SYMBOLIZE_H

#include <stdbool.h>
#include <stdint.h>
#include <chessctl/chessctl.h>

/**
 * struct place - where in a program something is
 * @function: NULL when unknown
 * @file: source file, NULL without debug information
 * @directory: what @file is relative to if it does not begin with "/"; may be NULL
 * @line: line in @file
 * @module: path of the ELF file, NULL when the address is in none
 * @offset: into @function, or into @module when @function is NULL
 */
struct place {
	char *function;
	char *file;
	char *directory;
	int line;
	char *module;
	uint64_t offset;
};

struct symbols;

/* @maps: text of /proc/PID/maps, or NULL: every look-up then says "unknown" */
struct symbols *symbols_new(const char *maps);
void symbols_free(struct symbols *s);

/* name of a static variable ("queue", "queue+0x8"), malloc'ed; NULL if none */
char *symbols_variable(struct symbols *s, uint64_t address);

/**
 * struct code_place - whose code is at an address; strings are of the symbols
 * @module: path of the ELF file
 * @function: the symbol, as the linker knows it; NULL when there is none
 * @system: the file is the C library, the loader or the like
 */
struct code_place {
	const char *module, *function;
	bool system;
};

/*
 * The instruction at which a point stands: the call of a trapped function, or the point's own. An
 * access to memory is not called, unless the function does that frees it.
 */
uint64_t symbols_event_address(const struct chess_event *e);

/* @pc as in return addresses minus one. False when it is in no file that is known. */
bool symbols_code(struct symbols *s, uint64_t pc, struct code_place *out);

/* The instruction at @pc. False when it is in no file that is known. */
bool symbols_place(struct symbols *s, uint64_t pc, struct place *out);

/* The same, but of a library of the system its function only, no line. */
bool symbols_instruction(struct symbols *s, uint64_t pc, struct place *out);

/*
 * Where in the user's own code the event happened: from @stack where there is
 * one, else from the addresses of the event itself. False when nothing is known.
 */
bool symbols_event_place(struct symbols *s, const struct chess_event *e,
			 const struct chess_stack *stack, struct place *out);

/*
 * The user's own functions that were on their way then, innermost first, as of
 * place_text(), at most @max; 0 without a stack to unwind. To be freed, each.
 */
size_t symbols_event_stack(struct symbols *s, const struct chess_event *e,
			   const struct chess_stack *stack, char **texts, size_t max);

/*
 * As symbols_event_stack(), of a stack alone: without its @skip innermost functions, whosever
 * they are.
 */
size_t symbols_stack(struct symbols *s, const struct chess_stack *stack, int skip, char **texts,
		     size_t max);

/*
 * Where in the user's own code a function was called that returns to @pc and is the innermost
 * of @stack, which may be NULL. False when it is in no file that is known.
 */
bool symbols_return_place(struct symbols *s, const struct chess_stack *stack, uint64_t pc,
			  struct place *out);

/* Is @path the C library, the loader, or a runtime of C or C++? By its name. */
bool symbols_is_system(const char *path);

/* "main() at abba.c:12", "main+0x14 in abba", "abba+0x1194"; malloc'ed */
char *place_text(const struct place *p);
void place_clear(struct place *p);

#endif /* CLI_SYMBOLIZE_H */
