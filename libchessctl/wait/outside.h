/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * outside.c: does a process outside the group have the other end of something open?
 * wait.c asks while every task of the group is blocked. In doubt the answer is
 * yes, for a false "deadlock" is worse than waiting for the time-out.
 */
#ifndef CHESSCTL_OUTSIDE_H
#define CHESSCTL_OUTSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The processes of the group: their thread group ids. */
struct chess_inside {
	pid_t *tgid;
	size_t n;
};

enum chess_outside_mode { CHESS_OUTSIDE_ANY, CHESS_OUTSIDE_READER, CHESS_OUTSIDE_WRITER };

bool chess_inside_has(const struct chess_inside *in, pid_t tgid);

/* has an outsider this inode open, to read or to write */
bool chess_outside_has_open(const struct chess_inside *in, dev_t dev, ino_t ino,
			    enum chess_outside_mode mode);
/* has this process */
bool chess_process_has_open(pid_t tgid, dev_t dev, ino_t ino, enum chess_outside_mode mode);
bool chess_process_has_eventfd(pid_t tgid, const char *id);
/* has an outsider the eventfd with this id (fdinfo) open */
bool chess_outside_has_eventfd(const struct chess_inside *in, const char *id);
/* has an outsider a mapping of what stands as "DEV INODE" in /proc/PID/maps;
 * anonymous: there is no file that one could open to map it
 */
bool chess_outside_maps(const struct chess_inside *in, const char *dev_inode, bool anonymous);
/* has @tgid a child that is not in the group */
bool chess_outside_has_child(const struct chess_inside *in, pid_t tgid);
/* does an outsider see the file system with this device: is it mounted where that one lives */
bool chess_outside_has_mounted(const struct chess_inside *in, dev_t dev);
/* the inode of the other end of this unix socket; 0 where there is none */
ino_t chess_socket_peer(ino_t ino);
/* may an outsider send to, or read from, the peer of this unix socket */
bool chess_outside_has_peer(const struct chess_inside *in, ino_t ino);
/**
 * struct chess_lock_wish - a lock of a file that somebody waits for
 * @dev: the file's device
 * @ino: its inode
 * @kind: "FLOCK", "POSIX" or "OFDLCK"
 * @write: it is to be exclusive
 * @start: first byte
 * @end: last byte; INT64_MAX: to the end of the file
 * @tgid: the process that waits
 * @fd: the descriptor it uses
 */
struct chess_lock_wish {
	dev_t dev;
	ino_t ino;
	const char *kind;
	bool write;
	int64_t start, end;
	pid_t tgid;
	int fd;
};

/*
 * Who holds a lock that is in the way. Returns true when an outsider does, or nobody can
 * be found; *holder is the process of the group that does, or 0.
 */
bool chess_outside_locks(const struct chess_inside *in, const struct chess_lock_wish *wish,
			 pid_t *holder);

#endif /* CHESSCTL_OUTSIDE_H */
