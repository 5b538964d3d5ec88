/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * On this machine or in the VM? Controlling tasks needs the module; where it is
 * not loaded and cannot be, the same command is run in a throw-away VM.
 */
#ifndef CLI_WHERE_H
#define CLI_WHERE_H

#include <stdbool.h>
#include <stdint.h>
#include <chessctl/chessctl.h>

#include "vm/vm.h"

/**
 * struct where - what a command asks for, and what it gets
 * @vm: --vm was given
 * @host: --host was given
 * @kernel: which one the VM boots, see chess_vm_kernel_find(); NULL: the usual one
 * @outbox: folder the command writes in; NULL for none
 * @cpus: processors the VM should have; 0: as many as it has anyway
 * @memo: file that a search in the VM keeps in mind, see memo/memo.h; NULL: none
 * @ctl: open connection to the module, when where_go() returned CLI_PROCEED
 */
struct where {
	bool vm, host;
	const char *kernel;
	const char *outbox;
	unsigned int cpus;
	const char *memo;
	struct chess_ctl *ctl;
};

/**
 * where_go() - get the module, or run the command in the VM
 * @w: see there
 * @argc: of the command, argv[0] is its name
 * @argv: of the command
 *
 * Return: CLI_PROCEED, with w->ctl; else the exit code to end with.
 */
int where_go(struct where *w, int argc, char **argv);

#define WHERE_NEAR 64

/**
 * struct where_vm - how this chessctl is run in the VM
 * @o: the options
 * @near: files that each such run opens
 * @self: where_self()
 * @module: where_module_for_vm()
 */
struct where_vm {
	struct chess_vm_opts o;
	const char *near[WHERE_NEAR + 1];
	char *self, *module;
};

/* CLI_PROCEED, and then where_vm_close(); else the exit code, after a sentence */
int where_vm_open(struct where_vm *vm, const char *kernel);
void where_vm_close(struct where_vm *vm);

/* Are we the command that runs inside the VM? */
bool where_inside_vm(void);

/* id of the user or group that started chessctl outside the VM, from the variable @name
 * (CHESS_VM_UID, CHESS_VM_GID); UINT32_MAX: outside, or it is not known
 */
uint32_t where_id(const char *name);

/* absolute path of the running chessctl; malloc'ed, NULL with errno */
char *where_self(void);
/* chess.ko built for kernel @release (any when NULL); malloc'ed, NULL if none */
char *where_module(const char *release);
/* chess.ko for the kernel that the VM boots, or for @kernel; malloc'ed, NULL if none */
char *where_module_for_vm(const char *kernel);
/* loads the module; 0 or -errno, *path (malloc'ed) is what was tried or NULL. -ECANCELED:
 * by modprobe, which has said on stderr why it could not
 */
int where_load(char **path);

/* Rows for tables of options; @w: where they go */
#define WHERE_OPTIONS(w)								\
	{ "vm", OPT_FLAG, &(w).vm, NULL, "run in the VM", 0, 0, OPT_AROUND },		\
	{ "kernel", OPT_STRING, &(w).kernel, "PATH", "run in the VM, with this kernel",	\
	  0, 0, OPT_AROUND },								\
	{ "host", OPT_FLAG, &(w).host, NULL,						\
	  "run on this machine, which needs the module", 0, 0, OPT_AROUND }

#endif /* CLI_WHERE_H */
