/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A QEMU machine as a process with four streams; used by vm.c and warm.c. What it is to do is
 * theirs to say (proto.h).
 */
#ifndef CHESS_CLI_QEMU_H
#define CHESS_CLI_QEMU_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "vm/vm.h"

/**
 * struct chess_vm_machine - a running QEMU
 * @pid: our child; 0: none, or another process's
 * @port: to the guest's PID 1
 * @console: what its kernel prints
 * @messages: what QEMU prints
 * @monitor: where QEMU takes commands; -1 if it was not asked for
 */
struct chess_vm_machine {
	pid_t pid;
	int port, console, messages, monitor;
};

/**
 * struct chess_vm_start - how it begins
 * @image: the kernel
 * @initrd: of chess_vm_initramfs_make()
 * @kvm: on the processor, else emulated
 * @memory: a file for the guest's memory, or -1
 * @shared: what the guest writes goes into that file
 * @state: a file of chess_vm_machine_save(), made with the same options and @memory, from which
 *	it begins; or -1, it boots
 * @monitor: it takes commands
 * @late: name of a link; once it leads to a directory, chess_vm_machine_share() shares that; NULL:
 *	nothing will
 */
struct chess_vm_start {
	const char *image;
	int initrd;
	bool kvm;
	int memory, state;
	bool shared, monitor;
	const char *late;
};

/* The tag of what chess_vm_machine_share() shares */
#define CHESS_VM_LATE "late"

/* Return: 0, or a negative errno after a sentence; chess_vm_machine_end() in both cases */
int chess_vm_machine_start(struct chess_vm_machine *m, const struct chess_vm_opts *o,
			   const struct chess_vm_start *start);

/* Kills it, if it is our child, and closes its streams */
void chess_vm_machine_end(struct chess_vm_machine *m);

/*
 * Writes all but the memory to @state. The guest must not have mounted anything. It should not
 * go on afterwards. False: it could not be saved.
 */
bool chess_vm_machine_save(struct chess_vm_machine *m, int state);

void chess_vm_machine_share(struct chess_vm_machine *m);
/* Lets it stand still, or go on. */
void chess_vm_machine_pause(struct chess_vm_machine *m, bool pause);

/* A hash of what chess_vm_machine_start() tells QEMU, but for the paths of files. */
uint64_t chess_vm_machine_hash(const struct chess_vm_opts *o);

/* The program's path; false: it is not installed */
bool chess_vm_machine_program(char *path, size_t len);

#endif /* CHESS_CLI_QEMU_H */
