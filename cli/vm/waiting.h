/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the processes of the guest wait in: for the report of a command that did not end in time.
 * Used by init.c only.
 */
#ifndef CHESS_VM_WAITING_H
#define CHESS_VM_WAITING_H

#include <stddef.h>

/* Passes a line for each thread that is not of the kernel or of PID 1 to @say. */
void waiting_list(void (*say)(const char *text, size_t len));

#endif /* CHESS_VM_WAITING_H */
