// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See unseen.h. The module says which system calls are of this kind (CHESS_TOLD_UNSEEN); calls of
 * functions are in the record, or among the accesses.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "code/wrappers.h"
#include "internal.h"
#include "race/access_list.h"
#include "race/handler_calls.h"
#include "race/unseen.h"

static uint32_t of_call(uint32_t nr)
{
	switch (nr) {
	case SYS_vmsplice:
		return 1U << CHESS_UNSEEN_PIPE;
	case SYS_io_uring_setup:
	case SYS_io_uring_enter:
		return 1U << CHESS_UNSEEN_RING;
	case SYS_seccomp:
		return 1U << CHESS_UNSEEN_FILTER;
	case SYS_prlimit64:
		return 1U << CHESS_UNSEEN_LIMIT;
	default:
		return 1U << CHESS_UNSEEN_FILE;
	}
}

static bool is_setlocale(const struct chess_event *e)
{
	const struct chess_wrapper *w = e->type == CHESS_EVENT_POINT ? chess_wrapper_of(e) : NULL;

	return w && !strcmp(w->symbol, "setlocale");
}

/* Of a task: the first one of its process; of that: has the process had more? */
struct member {
	uint16_t process;
	bool threads;
};

static void spawn(struct member *task, size_t tasks, const struct chess_event *e)
{
	if (e->task >= tasks || e->object >= tasks)
		return;
	task[e->object] = (struct member) { .process = e->object };
	if (e->arg <= CHESS_SPAWN_BORROWS)
		return;
	task[e->object].process = task[e->task].process;
	task[task[e->task].process].threads = true;
}

/* Was the locale of a process changed after it had been more than one thread? */
static int changes_locale(const struct chess_record *r)
{
	size_t i, tasks = chess_record_tasks(r);
	struct member *task = calloc(tasks + 1, sizeof(*task));
	const struct chess_event *e;
	bool changed = false;

	if (!task)
		return chess_set_error(ENOMEM, "no memory for %zu tasks", tasks);
	for (i = 0; !changed && (e = chess_record_event(r, i)); i++) {
		if (e->type == CHESS_EVENT_SPAWN)
			spawn(task, tasks, e);
		else if (e->type == CHESS_EVENT_EXEC && e->task < tasks)
			task[e->task] = (struct member) { .process = e->task };
		else if (e->task < tasks && is_setlocale(e))
			changed = task[task[e->task].process].threads;
	}
	free(task);
	return changed;
}

int chess_unseen_find(const struct chess_run_result *run,
		      uint64_t (*stream_of)(void *arg, const struct chess_access *a), void *arg,
		      uint32_t *out)
{
	bool several = chess_record_tasks(run->record) > 1, handled = false;
	size_t i;
	int ret = several ? changes_locale(run->record) : 0;

	*out = ret > 0 ? 1U << CHESS_UNSEEN_LOCALE : 0;
	if (ret < 0)
		return ret;
	for (i = 0; i < run->n_accesses; i++) {
		const struct chess_access *a = &run->accesses[i];

		if (several && chess_access_tells(a, CHESS_TOLD_UNSEEN))
			*out |= of_call(a->site);
		if (!chess_access_tells(a, CHESS_TOLD_HANDLER))
			continue;
		handled = true;
		if (a->ip & CHESS_HANDLER_SHARED)
			*out |= 1U << CHESS_UNSEEN_STACK;
	}
	ret = handled ? chess_handler_streams_find(run->record, run->accesses, run->n_accesses,
						   stream_of, arg) : 0;
	if (ret > 0)
		*out |= 1U << CHESS_UNSEEN_STREAM;
	return ret < 0 ? ret : 0;
}

const char *chess_unseen_text(uint32_t causes)
{
	static const char *const texts[CHESS_UNSEEN_CAUSES] = {
		[CHESS_UNSEEN_STREAM] =
			"a signal handler uses a stream, as printf() does, and may interrupt a call that uses the same one: what comes of that is not examined",
		[CHESS_UNSEEN_STACK] =
			"two threads have one alternative stack for their handlers, which may overwrite each other there: that is not examined",
		[CHESS_UNSEEN_PIPE] =
			"vmsplice() gave memory to a pipe: what is written there before the pipe is read is not examined",
		[CHESS_UNSEEN_RING] =
			"the kernel fetches requests of an io_uring, or chooses their buffers, by itself: what those access is not examined",
		[CHESS_UNSEEN_FILE] =
			"a file that is mapped got the bytes of another one by FICLONE or remap_file_pages(): what that changes in memory is not examined",
		[CHESS_UNSEEN_FILTER] =
			"a seccomp filter was put on other threads: which of their calls come after it is not examined",
		[CHESS_UNSEEN_LIMIT] =
			"a process set a limit of another one: which calls come after it there is not examined",
		[CHESS_UNSEEN_LOCALE] =
			"setlocale() was called beside other threads: which of their calls come after it, printf() and strcoll() for example, is not examined",
	};
	unsigned int i;

	for (i = 0; i < CHESS_UNSEEN_CAUSES; i++)
		if (causes & 1U << i)
			return texts[i];
	return NULL;
}
