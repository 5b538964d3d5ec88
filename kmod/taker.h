/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which thread takes a signal that is sent to a process.
 */
#ifndef _CHESS_TAKER_H
#define _CHESS_TAKER_H

void chess_taker_attach(void);
void chess_taker_detach(void);

#endif /* _CHESS_TAKER_H */
