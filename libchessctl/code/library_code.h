/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code of libraries that is examined, like the program's own, only for programs whose calls make
 * it matter.
 */
#ifndef CHESSCTL_LIBRARY_CODE_H
#define CHESSCTL_LIBRARY_CODE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Where a thread of glibc goes when its function has returned, or it has called pthread_exit():
 * it calls the destructors of its variables, then those of keys.
 */
#define CHESS_LIBRARY_THREAD_END	"__call_tls_dtors"

/**
 * struct chess_library_code - functions of the C library to examine
 * @calls: for programs that import one of these; NULL after the last
 * @functions: names; NULL after the last
 */
struct chess_library_code {
	const char *const *calls, *const *functions;
};

/* Row @i; NULL: there are no more. */
const struct chess_library_code *chess_library_code(size_t i);

/* Functions that unmap code, as dlclose() does; NULL after the last. */
extern const char *const chess_library_unloads[];

/*
 * Does the file @path import a function with one of these names? What is not an ELF file imports
 * none.
 */
bool chess_library_imports(const char *path, const char *const *names);

/* Has the file @path a function called @name, by symbol? Versions of a library differ. */
bool chess_library_has(const char *path, const char *name);

#endif /* CHESSCTL_LIBRARY_CODE_H */
