// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits for a lock on a file. See wait_look.h.
 */
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "wait/outside.h"
#include "wait/wait_look.h"

/* @wish: all but the file */
static bool wait_lock(struct wait_look *l, struct chess_lock_wish wish)
{
	char link[PATH_MAX];
	struct stat st;
	pid_t holder;
	bool outside;
	size_t i;

	chess_wait_say(l, "%s", chess_syscall_name(l->nr));
	if (!chess_wait_say_fd(l, l->arg[0], link, &st))
		return true;
	wish.dev = st.st_dev;
	wish.ino = st.st_ino;
	wish.tgid = l->tgid;
	wish.fd = l->arg[0];
	outside = chess_outside_locks(&l->in, &wish, &holder);
	if (holder && chess_wait_task_of(l, holder) >= 0)
		chess_wait_say(l, " held by T%d", chess_wait_task_of(l, holder));
	/* Of the threads of its process, the one that called last. */
	for (i = 0; i < l->n_tasks; i++)
		if (holder && l->point && (l->tgids[i] == holder ||
					   l->tasks[i].pid == (uint32_t)holder))
			chess_wait_add_holder(l, i, CHESS_HOLD_MAY, l->point->object_kind,
					      l->point->object);
	return outside;
}

bool chess_wait_flock(struct wait_look *l)
{
	return wait_lock(l, (struct chess_lock_wish) {
		.kind = "FLOCK", .write = l->arg[1] & LOCK_EX, .end = INT64_MAX,
	});
}

bool chess_wait_fcntl(struct wait_look *l)
{
	struct chess_lock_wish wish = { .end = INT64_MAX };
	struct flock f;

	if (l->arg[1] != F_SETLKW && l->arg[1] != F_OFD_SETLKW) {
		chess_wait_say(l, "%s", chess_syscall_name(l->nr));
		return true;
	}
	wish.kind = l->arg[1] == F_SETLKW ? "POSIX" : "OFDLCK";
	wish.write = true;
	if (chess_wait_peek(l, l->arg[2], &f, sizeof(f))) {
		wish.write = f.l_type == F_WRLCK;
		/* Relative to what only the kernel knows: any range may be meant. */
		if (f.l_whence == SEEK_SET && f.l_len >= 0) {
			wish.start = f.l_start;
			wish.end = f.l_len ? f.l_start + f.l_len - 1 : INT64_MAX;
		}
	}
	return wait_lock(l, wish);
}
