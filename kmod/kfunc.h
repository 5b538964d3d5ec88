/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Points that BPF programs make.
 */
#ifndef _CHESS_KFUNC_H
#define _CHESS_KFUNC_H

#include <linux/types.h>

int chess_point(u64 object, u32 op, u32 flags);
void chess_kfunc_init(void);

#endif /* _CHESS_KFUNC_H */
