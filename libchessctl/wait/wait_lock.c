// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits for a lock on a file. See wait_inquiry.h.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "wait/outside.h"
#include "wait/wait_inquiry.h"

/* @wish: all but the file */
static bool wait_lock(struct wait_inquiry *q, struct chess_lock_wish wish)
{
	char link[PATH_MAX];
	struct stat st;
	pid_t holder;
	bool outside;
	size_t i;

	chess_wait_say(q, "%s", chess_syscall_name(q->nr));
	if (!chess_wait_say_fd(q, q->arg[0], link, &st))
		return true;
	wish.dev = st.st_dev;
	wish.ino = st.st_ino;
	wish.tgid = q->tgid;
	wish.fd = q->arg[0];
	outside = chess_outside_locks(&q->in, &wish, &holder);
	if (holder && chess_wait_task_of(q, holder) >= 0)
		chess_wait_say(q, " held by T%d", chess_wait_task_of(q, holder));
	/* Of the threads of its process, the one that called last. */
	for (i = 0; i < q->n_tasks; i++)
		if (holder && q->point && (q->tgids[i] == holder ||
					   q->tasks[i].pid == (uint32_t)holder))
			chess_wait_add_holder(q, i, CHESS_HOLD_MAY, q->point->object_kind,
					      q->point->object);
	return outside;
}

bool chess_wait_flock(struct wait_inquiry *q)
{
	return wait_lock(q, (struct chess_lock_wish) {
		.kind = "FLOCK", .write = q->arg[1] & LOCK_EX, .end = INT64_MAX,
	});
}

bool chess_wait_fcntl(struct wait_inquiry *q)
{
	struct chess_lock_wish wish = { .end = INT64_MAX };
	struct flock f;

	if (q->arg[1] != F_SETLKW && q->arg[1] != F_OFD_SETLKW) {
		chess_wait_say(q, "%s", chess_syscall_name(q->nr));
		return true;
	}
	wish.kind = q->arg[1] == F_SETLKW ? "POSIX" : "OFDLCK";
	wish.write = true;
	if (chess_wait_peek(q, q->arg[2], &f, sizeof(f))) {
		wish.write = f.l_type == F_WRLCK;
		/* Relative to what only the kernel knows: any range may be meant. */
		if (f.l_whence == SEEK_SET && f.l_len >= 0) {
			wish.start = f.l_start;
			wish.end = f.l_len ? f.l_start + f.l_len - 1 : INT64_MAX;
		}
	}
	return wait_lock(q, wish);
}
