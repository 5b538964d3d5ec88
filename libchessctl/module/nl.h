/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What runner.c needs of nl.c beyond the public calls.
 */
#ifndef CHESSCTL_NL_H
#define CHESSCTL_NL_H

#include <sys/types.h>

#include "chessctl/chessctl.h"

/* chess_run_start() that also says the number the run got; max_accesses 0: none */
int chess_run_begin(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
		    uint32_t max_accesses, const uint32_t *stack_seqs, size_t n, uint32_t *run);

/* The same with a process that is kept after @keep_at decisions; with 0, begun by a fork of it,
 * which is @root
 */
int chess_run_begin_kept(struct chess_ctl *c, uint32_t group, uint32_t flags, uint32_t fair,
			 uint32_t max_accesses, uint32_t keep_at, uint32_t *run, pid_t *root);

/* chess_probe_add() with CHESS_PROBE_OPERANDS for each trap with CHESS_PROBE_ACCESS */
int chess_probe_add_accesses(struct chess_ctl *c, uint32_t group, int fd,
			     const struct chess_probe *p, size_t n,
			     const struct chess_operand *operands);

/* chess_notice_wait() that also ends, with -ECANCELED, when @fd becomes readable */
int chess_notice_wait_fd(struct chess_ctl *c, int timeout_ms, int fd, struct chess_run_notice *n);

#endif /* CHESSCTL_NL_H */
