/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine that waits for a command: chessctl vm. A process of the user, the keeper, has one
 * ready, hands it to the first command that fits, and prepares the next. Commands take it by
 * themselves (vm.c).
 */
#ifndef CHESS_CLI_WARM_H
#define CHESS_CLI_WARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "vm/kernel.h"
#include "vm/qemu.h"
#include "vm/vm.h"

/**
 * struct chess_vm_warm - what there is
 * @keeper: its process; 0: there is none
 * @ready: a machine waits; else one is being prepared
 * @fits: commands with these options would get it
 * @given: machines that were handed out
 */
struct chess_vm_warm {
	pid_t keeper;
	bool ready, fits;
	uint64_t given;
};

/**
 * chess_vm_warm_start() - have machines kept ready
 * @o: for commands with these options
 * @trial: a command that each machine is tried with
 * @idle_s: it ends when none was taken for so long
 *
 * Return: 0 as soon as the first is ready, or a negative errno after a sentence on stderr.
 */
int chess_vm_warm_start(const struct chess_vm_opts *o, char *const trial[], unsigned int idle_s);

/* Return: 0 as soon as there is no keeper, 1 if there was none; negative errno after a sentence */
int chess_vm_warm_stop(void);

/* Return: 0, or a negative errno after a sentence */
int chess_vm_warm_status(const struct chess_vm_opts *o, struct chess_vm_warm *w);

/**
 * chess_vm_warm_take() - take a machine that waits for its configuration
 * @o: see there; where there is an outbox, its tag in the guest is CHESS_VM_LATE
 * @kernel: of @o
 * @m: set to the machine
 *
 * Return: a descriptor whose close ends the machine; -1: there is none that fits.
 */
int chess_vm_warm_take(const struct chess_vm_opts *o, const struct chess_vm_kernel *kernel,
		       struct chess_vm_machine *m);

/* vm.c, for the keeper */

/*
 * Starts a machine, tries it, and returns when it waits for a configuration. @late: see
 * struct chess_vm_start. Return: 0, or a negative errno after a sentence.
 */
int chess_vm_prepare(const struct chess_vm_opts *o, const struct chess_vm_kernel *kernel,
		     char *const trial[], const char *late, struct chess_vm_machine *m);

#endif /* CHESS_CLI_WARM_H */
