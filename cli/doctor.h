/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chessctl doctor -- PROGRAM: is a program deterministic under control?
 */
#ifndef CLI_DOCTOR_H
#define CLI_DOCTOR_H

#include "session.h"

/*
 * Runs the program of an open session @runs times under the default policy and
 * prints every source of nondeterminism it sees. Return: exit code for the command.
 */
int doctor_program(struct session *s, unsigned int runs);

#endif /* CLI_DOCTOR_H */
