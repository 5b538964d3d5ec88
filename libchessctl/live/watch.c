// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loads bpf/watch.bpf.c and reads its maps. The programs run as long as their links are
 * open, so the kernel takes them away with the process, however that ends.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "live/watch.h"

#ifdef CHESS_HAVE_BPF

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "wait/bpfload.h"
#include "watch_count_object.h"
#include "watch_hot_object.h"

static const char *const programs[] = {
	/* In this order no thread is born unseen between a fork and the look at its maker. */
	"watch_exit", "watch_fork", "watch_exec", "watch_waking", "watch_switch",
};

struct chess_sums {
	struct bpf_object *object;
	struct bpf_link *links[ARRAY_SIZE(programs)];
	int tasks_fd, sums_fd, lost_fd;
};

static int load_watch(struct chess_sums *s)
{
	size_t i;

	/* Of the two builds only one finds its variable in the kernel. */
	s->object = chess_bpf_load(watch_hot_object, sizeof(watch_hot_object), "chess_watch");
	if (!s->object)
		s->object = chess_bpf_load(watch_count_object, sizeof(watch_count_object),
					   "chess_watch");
	if (!s->object)
		return -errno;
	s->tasks_fd = bpf_object__find_map_fd_by_name(s->object, "tasks");
	s->sums_fd = bpf_object__find_map_fd_by_name(s->object, "sums");
	s->lost_fd = bpf_object__find_map_fd_by_name(s->object, "lost");
	for (i = 0; i < ARRAY_SIZE(programs); i++) {
		s->links[i] = chess_bpf_attach(s->object, programs[i]);
		if (!s->links[i])
			return -errno;
	}
	return 0;
}

struct chess_sums *chess_sums_new(void)
{
	struct chess_sums *s = calloc(1, sizeof(*s));
	int ret = s ? load_watch(s) : -ENOMEM;

	if (!ret)
		return s;
	chess_sums_free(s);
	chess_bpf_refused(-ret);
	return NULL;
}

void chess_sums_free(struct chess_sums *s)
{
	size_t i;

	if (!s)
		return;
	for (i = ARRAY_SIZE(programs); i--;)
		bpf_link__destroy(s->links[i]);
	bpf_object__close(s->object);
	free(s);
}

int chess_sums_add(struct chess_sums *s, uint32_t gtid, uint32_t gtgid, bool follow, bool *added)
{
	struct chess_watch_task t = {
		.gtgid = gtgid, .flags = follow ? CHESS_WATCH_FOLLOW : 0,
	};

	if (!bpf_map_update_elem(s->tasks_fd, &gtid, &t, BPF_NOEXIST)) {
		*added = true;
		return 0;
	}
	if (errno == EEXIST)
		return 0;
	return chess_set_error(errno, "cannot watch one more task: %s; at most %d can be watched",
			       strerror(errno), CHESS_WATCH_TASKS);
}

bool chess_sums_task(struct chess_sums *s, uint32_t gtid, struct chess_watch_task *t)
{
	return !bpf_map_lookup_elem(s->tasks_fd, &gtid, t);
}

static bool has(const uint32_t *list, size_t n, uint32_t number)
{
	while (n--)
		if (list[n] == number)
			return true;
	return false;
}

size_t chess_sums_processes(struct chess_sums *s, uint32_t *gtgids, size_t max)
{
	struct chess_watch_task t;
	uint32_t key, *before = NULL;
	size_t n = 0, turns;

	/* A key that goes away meanwhile starts the map over, hence the bound. */
	for (turns = 0; turns < 2 * CHESS_WATCH_TASKS && n < max; turns++) {
		if (bpf_map_get_next_key(s->tasks_fd, before, &key))
			break;
		before = &key;
		if (chess_sums_task(s, key, &t) && !has(gtgids, n, t.gtgid))
			gtgids[n++] = t.gtgid;
	}
	return n;
}

int chess_sums_rows(struct chess_sums *s, struct chess_sums_row **rows, size_t *n)
{
	struct chess_watch_key *keys = malloc(CHESS_WATCH_SUMS * sizeof(*keys));
	struct chess_watch_sum *sums = malloc(CHESS_WATCH_SUMS * sizeof(*sums));
	uint32_t count = CHESS_WATCH_SUMS, batch, i;
	int ret = 0;

	*n = 0;
	*rows = NULL;
	if (keys && sums && bpf_map_lookup_batch(s->sums_fd, NULL, &batch, keys, sums, &count,
						 NULL) && errno != ENOENT)
		ret = chess_set_error(errno, "cannot read a BPF map (%s)", strerror(errno));
	else if (keys && sums)
		*rows = malloc((count + 1) * sizeof(**rows));
	if (!ret && !*rows)
		ret = chess_set_error(ENOMEM, "no memory to read a BPF map");
	for (i = 0; !ret && i < count; i++)
		(*rows)[(*n)++] = (struct chess_sums_row){ keys[i], sums[i] };
	free(keys);
	free(sums);
	return ret;
}

struct chess_watch_lost chess_sums_lost(struct chess_sums *s)
{
	struct chess_watch_lost l = { 0 };
	uint32_t zero = 0;

	bpf_map_lookup_elem(s->lost_fd, &zero, &l);
	return l;
}

#else /* !CHESS_HAVE_BPF: chess_look_new() has said so before anybody comes here */

struct chess_sums *chess_sums_new(void)
{
	chess_set_error(ENOSYS, "this libchessctl was built without libbpf or clang");
	return NULL;
}

void chess_sums_free(struct chess_sums *s)
{
	(void)s;
}

int chess_sums_add(struct chess_sums *s, uint32_t gtid, uint32_t gtgid, bool follow, bool *added)
{
	(void)s;
	(void)gtid;
	(void)gtgid;
	(void)follow;
	(void)added;
	return -ENOSYS;
}

bool chess_sums_task(struct chess_sums *s, uint32_t gtid, struct chess_watch_task *t)
{
	(void)s;
	(void)gtid;
	(void)t;
	return false;
}

size_t chess_sums_processes(struct chess_sums *s, uint32_t *gtgids, size_t max)
{
	(void)s;
	(void)gtgids;
	(void)max;
	return 0;
}

int chess_sums_rows(struct chess_sums *s, struct chess_sums_row **rows, size_t *n)
{
	(void)s;
	*rows = NULL;
	*n = 0;
	return -ENOSYS;
}

struct chess_watch_lost chess_sums_lost(struct chess_sums *s)
{
	(void)s;
	return (struct chess_watch_lost){ 0 };
}

#endif /* CHESS_HAVE_BPF */
