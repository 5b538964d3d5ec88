/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which runs are the same but for the order of ops that do not depend on each other.
 */
#ifndef CHESSCTL_HB_H
#define CHESSCTL_HB_H

#include "chessctl/chessctl.h"

/**
 * chess_hb_digest() - name of the happens-before class of a run
 * @r: record of a whole run
 * @digest: where to put it
 *
 * Two records of one program have the same digest when each task does the same ops and
 * those that depend on each other come in the same order; else they differ, but for
 * collisions of 64 bits.
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_hb_digest(const struct chess_record *r, uint64_t *digest);

/**
 * struct chess_hb_access - what an op did to one object
 * @task: who
 * @object: number of the object in the run, from 0
 * @kind: as in struct chess_event
 * @write: more than to read it
 * @tried: it found out that it has to wait, and changed nothing
 * @number: of the object as events have it
 * @event: index of the POINT event in the record; SIZE_MAX: a task begins or is created
 * @at: index of the event at which it took place: the decision that let the task go on, or
 *	that a task was created
 */
struct chess_hb_access {
	uint32_t task, object;
	uint8_t kind;
	bool write, tried;
	uint64_t number;
	size_t event, at;
};

/**
 * chess_hb_accesses() - all accesses of a run, in the order in which they took place
 * @r: the record
 * @tries: with those that found out that they have to wait; they come again when they no
 *	longer do
 * @out: the list, malloc'ed; NULL on failure
 * @n: its length
 * @n_objects: number of objects
 *
 * Return: 0, or -ENOMEM with chess_error().
 */
int chess_hb_accesses(const struct chess_record *r, bool tries, struct chess_hb_access **out,
		      size_t *n, size_t *n_objects);

#endif /* CHESSCTL_HB_H */
