/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Saved machines, from which others begin; vm.c makes and uses them, doctor counts them.
 */
#ifndef CHESS_CLI_SNAPSHOT_H
#define CHESS_CLI_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/kernel.h"
#include "vm/vm.h"

#define CHESS_VM_SNAPSHOTS 3	/* the oldest is removed for the next */

/**
 * struct chess_vm_snapshot - one, or the right to make it
 * @dir: where it is, or will be
 * @memory: file of the machine's memory, -1: neither
 * @state: file of the rest
 * @make: it is not there, and no other process makes it
 * @lock: kept while it is made, else -1
 */
struct chess_vm_snapshot {
	char dir[4200];
	int memory, state;
	bool make;
	int lock;
};

/**
 * chess_vm_snapshot_key() - a hash of all that a saved machine depends on
 *
 * Files count by their inode, size and times. Return: 0 if there can be none.
 */
uint64_t chess_vm_snapshot_key(const struct chess_vm_opts *o,
			       const struct chess_vm_kernel *kernel);

/* What @key is of, or files to make it; false: neither. chess_vm_snapshot_close() if true */
bool chess_vm_snapshot_open(struct chess_vm_snapshot *s, uint64_t key);

/* What was made is complete; others find it from now on. False: they will not */
bool chess_vm_snapshot_commit(struct chess_vm_snapshot *s);

/* It is of no use. */
void chess_vm_snapshot_remove(struct chess_vm_snapshot *s);

void chess_vm_snapshot_close(struct chess_vm_snapshot *s);

/* The directory; false: there is none: no place for it is known, or $CHESS_VM_SNAPSHOT is "no" */
bool chess_vm_snapshot_place(char *dir, size_t len);

/* A directory of ours, and closed to others? */
bool chess_vm_is_private(const char *dir);

/* How many there are, and how much they take on disk */
size_t chess_vm_snapshot_count(uint64_t *bytes);

#endif /* CHESS_CLI_SNAPSHOT_H */
