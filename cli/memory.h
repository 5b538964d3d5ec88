/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory of a process under control.
 */
#ifndef CHESSCTL_CLI_MEMORY_H
#define CHESSCTL_CLI_MEMORY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Copy @size bytes at @at, or as many as come before what is not mapped. Not by
 * process_vm_readv(): a kernel may be built without it (CROSS_MEMORY_ATTACH). Return: how many.
 */
size_t memory_read(pid_t pid, uint64_t at, void *to, size_t size);

#endif /* CHESSCTL_CLI_MEMORY_H */
