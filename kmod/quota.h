/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one user may have: groups, and memory that grows with what is asked for.
 */
#ifndef _CHESS_QUOTA_H
#define _CHESS_QUOTA_H

#include <linux/uidgid.h>

struct chess_quota;

struct chess_quota *chess_quota_get(kuid_t uid);
void chess_quota_put(struct chess_quota *q);
void *chess_quota_alloc(struct chess_quota *q, size_t n, size_t size, size_t extra);
void chess_quota_free(const void *memory);

#endif /* _CHESS_QUOTA_H */
