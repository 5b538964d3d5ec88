/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which kernel the embedded VM boots: one that scripts/vm-kernel.sh unpacked, or one that is
 * installed on this machine together with chess.ko for it. Used by vm.c, and by the commands
 * that say which one it is.
 */
#ifndef CHESS_CLI_VM_KERNEL_H
#define CHESS_CLI_VM_KERNEL_H

#include <stddef.h>

#define CHESS_VM_PATH 4200
#define CHESS_VM_BOOT_MODULES 32

/*
 * Where below /lib/modules/RELEASE chess.ko is installed, for glob(3) with GLOB_BRACE: updates/dkms
 * by DKMS, updates and extra by "make modules_install". It may be compressed.
 */
#define CHESS_VM_MODULES "{updates/dkms,updates,extra}/chess.ko*"

/**
 * struct chess_vm_kernel - what booting a kernel takes
 * @image: what QEMU is given: an ELF image or a bzImage
 * @modules: directory with RELEASE/ that the guest is to have in /lib/modules; empty: it is
 *	there already
 * @chess: chess.ko for this kernel, if it was found with the kernel; else empty
 * @boot: modules that are loaded before there is a root file system, in this order; malloc'ed
 * @nboot: their number
 */
struct chess_vm_kernel {
	char image[CHESS_VM_PATH];
	char modules[CHESS_VM_PATH];
	char chess[CHESS_VM_PATH];
	char *boot[CHESS_VM_BOOT_MODULES];
	size_t nboot;
};

/**
 * chess_vm_kernel_find() - find the kernel that the VM boots
 * @given: a directory made by scripts/vm-kernel.sh; a directory in which a kernel was installed,
 *	with its own boot/ and lib/modules/; or an image that has 9p, overlayfs and virtio built in,
 *	with chess.ko beside it. NULL: what chess_vm_find() finds, or else an installed kernel,
 *	unless $CHESS_VM_DIR is set
 * @kernel: set to what was found; freed by chess_vm_kernel_clear()
 *
 * Return: 0; a negative errno after a sentence in @kernel->image that says what is missing.
 */
int chess_vm_kernel_find(const char *given, struct chess_vm_kernel *kernel);

/**
 * chess_vm_kernel_installed() - find an installed kernel that has chess.ko
 * @root: put before each path; "" for this machine
 * @prefer: release that is taken if it will do; else the newest one that will
 * @kernel: set to what was found, with @root before each path
 *
 * It will do if its image can be read and its modules include chess.ko, 9p, overlayfs and
 * virtio, or if these are built in.
 *
 * Return: 0 or -ENOENT.
 */
int chess_vm_kernel_installed(const char *root, const char *prefer,
			      struct chess_vm_kernel *kernel);

void chess_vm_kernel_clear(struct chess_vm_kernel *kernel);

#endif
