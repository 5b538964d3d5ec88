/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The program under test, looked at before anything is started, so that a
 * mistyped name costs no boot of a VM; and its hash, to know it again.
 */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

/*
 * Finds @name as a shell would, seen from @cwd (NULL: ours). Return: CLI_PROCEED and
 * *path (malloc'ed), or the exit code after one sentence on why it cannot run.
 */
int program_find(const char *name, const char *cwd, char **path);
/* of all bytes, hex, malloc'ed; NULL with errno */
char *program_hash(const char *path);

#endif /* CLI_PROGRAM_H */
