/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The embedded VM: run a command in a throw-away QEMU machine that shows the
 * host's root file system read-only under a tmpfs, with chess.ko loaded, and
 * hand back its output and exit code.  Used by the commands that need the
 * module (cmd_*.c) and by the test tool chess-vm (vm/chess-vm.c).
 */
#ifndef CHESS_CLI_VM_H
#define CHESS_CLI_VM_H

#include <stdbool.h>
#include <stddef.h>

struct chess_vm_kernel;

/**
 * struct chess_vm_opts - how to set up the VM; zero means the default
 * @sz: sizeof(struct chess_vm_opts), for additions
 * @cpus: virtual CPUs (2)
 * @memory_mb: memory in MB (2048)
 * @kernel_dir: a directory made by scripts/vm-kernel.sh (chess_vm_kernel_find())
 * @append: words to add to the kernel command line
 * @module: path of chess.ko, NULL to load none
 * @outbox: host directory to share read-write, under the same path
 * @timeout_s: give up after so many seconds (never)
 * @verbose: show the guest's console on stderr
 * @env_extra: NULL-terminated "NAME=VALUE" list set over the caller's environment
 * @near: NULL-terminated list of files, and directories of files, that are opened again and
 *	again: they are copied when the VM starts. What does not exist is left out
 * @service: name of one more port of the guest; NULL: there is none
 * @service_fd: its other end, a socket that QEMU inherits; the caller's to close
 * @trial: the command is only tried, see init.c; not for callers of chess_vm_run()
 * @outbox_tag: the guest's name for the share of @outbox; NULL: the usual one. As @trial
 */
struct chess_vm_opts {
	size_t sz;
	unsigned int cpus;
	unsigned int memory_mb;
	const char *kernel;
	const char *append;
	const char *module;
	const char *outbox;
	unsigned int timeout_s;
	bool verbose;
	char *const *env_extra;
	const char *const *near;
	const char *service;
	int service_fd;
	bool trial;
	const char *outbox_tag;
};

/**
 * chess_vm_run() - run a command in a VM of its own
 * @o: options
 * @argv: the command, NULL-terminated; looked up in PATH inside the VM
 * @status: set to the command's exit code, 128 + N if signal N ended it
 *
 * The command runs as root with the caller's working directory, environment,
 * umask and stdio; CHESS_VM_UID, CHESS_VM_GID and CHESS_VM_GROUPS tell it who
 * the caller was.  A signal that would end the caller ends the VM first.
 * Not for programs with several threads: it changes signal dispositions while
 * it runs.
 *
 * Return: 0 when the command ended by itself and the guest's kernel had
 * nothing to complain about, else a negative errno after one clear sentence
 * on stderr.
 */
int chess_vm_run(const struct chess_vm_opts *o, char *const argv[], int *status);

/**
 * chess_vm_find() - find a piece of the VM's data beside the running binary
 * @name: "kernel/generic", "chess.ko" or "vm/init"
 * @buf: where to put the path
 * @len: size of @buf
 *
 * Looks in $CHESS_VM_DIR if that is set, else in the build tree and in
 * PREFIX/lib/chess.
 *
 * Return: 0 or -ENOENT.
 */
int chess_vm_find(const char *name, char *buf, size_t len);

/**
 * chess_vm_kvm_flaw() - why the VM will not be given to KVM
 *
 * The only test of it: chess_vm_run() goes by it, and doctor says what it says.
 *
 * Return: NULL when /dev/kvm is used, else the reason, valid until the next call.
 */
const char *chess_vm_kvm_flaw(void);

/* vm.c, for vm_initramfs.c */

/**
 * chess_vm_complain() - one sentence on stderr
 * @err: a positive errno
 * @fmt: the sentence, without newline
 *
 * Return: -@err.
 */
int __attribute__((format(printf, 2, 3))) chess_vm_complain(int err, const char *fmt, ...);

/* vm_initramfs.c */

/**
 * chess_vm_initramfs_make() - build the initramfs
 * @o: options
 * @kernel: what is booted
 *
 * Return: a file descriptor that QEMU may inherit, or a negative errno after
 * a sentence on stderr.
 */
int chess_vm_initramfs_make(const struct chess_vm_opts *o, const struct chess_vm_kernel *kernel);

/* vm_config.c */

/**
 * chess_vm_config_make() - what the guest has to know of a command
 * @o: options
 * @tty: the command gets a terminal
 * @kernel: what is booted
 * @argv: the command; NULL: none
 * @data: set to the configuration; the caller frees it
 * @len: set to its length
 *
 * Return: 0, or a negative errno after a sentence on stderr.
 */
int chess_vm_config_make(const struct chess_vm_opts *o, bool tty,
			 const struct chess_vm_kernel *kernel, char *const argv[], char **data,
			 size_t *len);

/*
 * What belongs to the moment in which a configuration is sent: the time, and random bytes, since
 * a machine that was saved would have those of another. @len: 256 are enough. Return: its length
 */
size_t chess_vm_config_moment(char *data, size_t len);

#endif
