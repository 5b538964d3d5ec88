/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Taking the module out of the kernel and putting it back, for tests that prove
 * that nothing is left behind.
 */
#ifndef CHESS_SELFTESTS_MODULE_H
#define CHESS_SELFTESTS_MODULE_H

/* 0 or -errno; does not wait for users to go */
int module_unload(void);
/* the same, trying for some seconds; *tries is how often it was refused */
int module_unload_soon(unsigned int *tries);
/* $CHESS_KO, else the module of the tree that fits this kernel */
int module_load(void);

#endif /* CHESS_SELFTESTS_MODULE_H */
