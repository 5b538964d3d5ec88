/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The accesses of a run: which are recorded, which are points.
 */
#ifndef _CHESS_ACCESS_H
#define _CHESS_ACCESS_H

#include <linux/bitops.h>
#include <uapi/linux/chess.h>
#include "hot.h"
#include "rest.h"
#include "settle.h"

struct chess_access;
struct chess_group;
struct chess_hit;
struct chess_lane;
struct chess_operand;
struct chess_probe;
struct chess_task;
struct chess_vector;
struct pt_regs;

/**
 * struct chess_heat - how often a site was executed since the record is long (access.c)
 * @count: how often, without reads of the same address as the last time
 * @last: that address, its lower half
 */
struct chess_heat {
	u32 count;
	u32 last;
};

/**
 * struct chess_accesses - the accesses of a run, and which sites are points
 * @heats: CHESS_MAX_SITES of them, or NULL: no run could be long; written by the token holder
 *	alone
 * @is_hot: some of @heats is not zero; written by the token holder alone
 * @entries: @capacity of them; written by the token holder alone
 * @length: entries written, released with smp_store_release() so that the reader needs
 *	no lock
 * @capacity: entries there is memory for
 * @max: entries this run may write; 0: it records none. Fixed during a run
 * @lost: accesses that did not fit or whose address could not be determined
 * @points: bit N: site N is a point; CHESS_MAX_SITES bits, or NULL: none is. Fixed during
 *	a run
 * @has_points: some site is
 * @is_chosen: the images have the traps chosen that go with @points, @was_recording and
 *	@was_virtual
 * @was_recording: for a run that records
 * @was_virtual: for a run whose time is the group's
 * @vector: where vector and mask registers are stored to; used by the token holder
 * @loop: does the token holder wait in a loop? Used by it alone
 * @rest: do traps rest?
 */
struct chess_accesses {
	struct chess_heat *heats;
	bool is_hot;
	struct chess_access *entries;
	u32 length;
	u32 capacity;
	u32 max;
	u64 lost;
	unsigned long *points;
	bool has_points;
	bool is_chosen;
	bool was_recording;
	bool was_virtual;
	struct chess_vector *vector;
	struct chess_wait_loop *loop;
	struct chess_rest rest;
};

int chess_access_start(struct chess_group *g, u32 max, bool virtual);
void chess_access_free(struct chess_group *g);
int chess_access_set_points(struct chess_group *g, const u64 *words, u32 bytes);
bool chess_access_is_running(const struct chess_task *t);
void chess_access_alone(struct chess_task *t, const struct chess_operand *op,
			const struct pt_regs *regs);
int chess_access_lanes(struct chess_group *g, const struct chess_operand *op,
		       const struct pt_regs *regs, struct chess_lane *lanes);
bool chess_access_wants(const struct chess_group *g, const struct chess_probe *p);
void chess_access_exchange(struct chess_task *t, const struct chess_hit *hit,
			   const struct pt_regs *regs);
enum chess_take chess_access_take(struct chess_task *t, const struct chess_hit *hit,
				  const struct pt_regs *regs);
void chess_access_push(struct chess_task *t, struct chess_access like, u64 bytes);
void chess_access_file(struct chess_task *t, u8 kind, u8 memory, u64 address, u64 bytes, u64 ip);
void chess_access_of_task(struct chess_task *t, const struct chess_task *of, u8 kind, u64 address,
			  u64 bytes, u64 ip);
void chess_access_memory(struct chess_task *t, u8 kind, u64 start, u64 bytes, u64 ip,
			 u32 site);
void chess_access_piece(struct chess_task *t, const struct chess_hit *hit, u8 kind, u64 start,
			u64 bytes);
void chess_access_tell(struct chess_task *t, enum chess_told what, u32 sig, u64 set, u64 how);
void chess_access_see_stack(struct chess_task *t, unsigned long sp);
void chess_access_missed(struct chess_task *t);
CHESS_HOT bool chess_access_record(struct chess_task *t, const struct chess_hit *hit,
				   const struct pt_regs *regs);

/**
 * chess_access_is_point() - is the site of a trap a point in this run
 * @a: the accesses of the group
 * @p: the trap, with CHESS_PROBE_ACCESS
 *
 * Context: any.
 * Return: whether it is.
 */
static inline bool chess_access_is_point(const struct chess_accesses *a,
					 const struct chess_probe *p)
{
	return a->points && test_bit(p->site, a->points);
}

#endif /* _CHESS_ACCESS_H */
