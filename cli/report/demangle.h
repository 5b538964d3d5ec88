/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of C++ and Rust as people write them. */
#ifndef CLI_DEMANGLE_H
#define CLI_DEMANGLE_H

/**
 * demangle() - a symbol's name for a report
 * @symbol: as the linker knows it
 *
 * Functions lose result and arguments, and templates those that are long: "a::b<...>::c".
 *
 * Of Rust, the hash of a name goes, too.
 *
 * Return: malloc'ed text; a copy of @symbol where it is no name of C++ or Rust.
 */
char *demangle(const char *symbol);

/* What it makes of a whole name, in place; for tests. */
void demangle_shorten(char *name);
void demangle_shorten_rust(char *name);

#endif /* CLI_DEMANGLE_H */
