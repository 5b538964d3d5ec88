/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a process that is running was started as, from /proc.
 */
#ifndef CLI_PROCESS_H
#define CLI_PROCESS_H

#include <sys/types.h>

/**
 * struct process - see above; what cannot be read is as empty as can be
 * @name: as ps shows it
 * @argv: NULL terminated
 * @cwd: working directory
 * @path: of its program
 * @hash: of its program's bytes
 * @maps: its file mappings, as /proc/PID/maps has them
 */
struct process {
	char name[32];
	char **argv;
	char *cwd, *path, *hash, *maps;
};

/*
 * Its number in its own pid namespace, where that is another one than ours and the number
 * differs; else 0.
 */
pid_t process_inside(pid_t pid);

/* As ps shows it, or "?". */
void process_name(char *name, size_t size, pid_t pid);
void process_read(struct process *p, pid_t pid);
void process_clear(struct process *p);

#endif /* CLI_PROCESS_H */
