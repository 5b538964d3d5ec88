/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the embedded VM's PID 1 (init.c) and its host (../vm.c) say to each
 * other over the one virtio-serial port: frames of a type, a length and that
 * many bytes.  Framing keeps stdout and stderr apart, in order and binary
 * clean, and makes end-of-file and the exit code explicit.
 *
 * Both sides are built from one tree and run on one machine, so there is no
 * version and no byte order to agree on.
 */
#ifndef CHESS_VM_PROTO_H
#define CHESS_VM_PROTO_H

#include <stdint.h>

#define CHESS_VM_PORT "chess.port"
#define CHESS_VM_MAX_DATA 32768

/* Ends a good run; anything short of it is a failure of the environment. */
#define CHESS_VM_WORD "CHESS-VM-OK"

enum chess_vm_frame_type {
	/* guest to host */
	CHESS_VM_HELLO = 1,	/* the command is about to start */
	CHESS_VM_OUT,		/* data of the command's stdout */
	CHESS_VM_ERR,		/* data of the command's stderr */
	CHESS_VM_WANT,		/* the command can take one more IN frame */
	CHESS_VM_FAIL,		/* a sentence: why the environment failed */
	CHESS_VM_EXIT,		/* the exit code in decimal, a space, CHESS_VM_WORD */
	CHESS_VM_READY,		/* it waits for a configuration */
	CHESS_VM_WAITING,	/* lines: what its processes wait in; an empty one ends them */
	/* host to guest */
	CHESS_VM_IN = 16,	/* data for the command's stdin */
	CHESS_VM_EOF,		/* end of stdin */
	CHESS_VM_WINDOW,	/* struct winsize of the host's terminal */
	CHESS_VM_CONFIG,	/* a piece of the configuration; an empty one ends it */
	CHESS_VM_ASK,		/* the command takes too long: what does it wait in? */
};

struct chess_vm_frame {
	uint32_t type;
	uint32_t len;
};

#endif
