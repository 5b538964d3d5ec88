/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the core kernel.
 */
#ifndef _CHESS_PROBE_H
#define _CHESS_PROBE_H

int chess_probe_get(void);
void chess_probe_put(void);
void chess_probe_exit(void);
void chess_probe_rings(void);
u32 chess_probe_missed(void);
u32 chess_probe_freezes(void);

#endif /* _CHESS_PROBE_H */
