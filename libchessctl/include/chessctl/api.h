/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * libchessctl: what all of its headers stand on. See <chessctl/chessctl.h>.
 */
#ifndef CHESSCTL_API_H
#define CHESSCTL_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <linux/chess.h>
#include <linux/chess_record.h>

#define CHESS_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* log.c: the last error of this thread as one sentence, never NULL */
CHESS_API const char *chess_error(void);

#ifdef __cplusplus
}
#endif
#endif /* CHESSCTL_API_H */
