/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loopback device of a network of its own. */
#ifndef _CHESS_LOOPBACK_H
#define _CHESS_LOOPBACK_H

const char *chess_loopback_up(void);

#endif
