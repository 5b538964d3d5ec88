// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loads the BPF programs of bpf/ that say what blocked tasks wait on, each object when it
 * is first needed, and reads what they write.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"
#include "wait/look.h"

#ifdef CHESS_HAVE_BPF

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "wait/bpfload.h"
#include "files_object.h"
#include "look_object.h"
#include "name_object.h"
#include "waker_count_object.h"
#include "waker_hot_object.h"

struct chess_look {
	struct bpf_object *object, *contents, *namer, *waker;
	struct bpf_link *tasks, *files, *ipc, *waking;
	int wanted_fd, ipc_fd, watched_fd, wakers_fd;
	struct chess_look_ipc_table *table;
};

static int load_look(struct chess_look *l)
{
	l->object = chess_bpf_load(look_object, sizeof(look_object), "chess_look");
	if (!l->object)
		return -1;
	l->wanted_fd = bpf_object__find_map_fd_by_name(l->object, "wanted");
	l->tasks = chess_bpf_attach(l->object, "look_tasks");
	return l->tasks ? 0 : -1;
}

int chess_look_load_files(struct chess_look *l)
{
	if (l->files && l->ipc)
		return 0;
	if (!l->contents)
		l->contents = chess_bpf_load_sharing(files_object, sizeof(files_object),
						     "chess_files", "wanted", l->wanted_fd);
	if (!l->contents)
		return chess_bpf_refused(errno);
	l->ipc_fd = bpf_object__find_map_fd_by_name(l->contents, "ipc");
	if (!l->files)
		l->files = chess_bpf_attach(l->contents, "look_files");
	if (l->files)
		l->ipc = chess_bpf_attach(l->contents, "look_ipc");
	return l->files && l->ipc ? 0 : chess_bpf_refused(errno);
}

static int load_namer(struct chess_look *l)
{
	if (l->namer)
		return 0;
	l->namer = chess_bpf_load(name_object, sizeof(name_object), "chess_name");
	return l->namer ? 0 : chess_bpf_refused(errno);
}

/* Of the two builds only one finds its variable in the kernel. */
static int load_waker(struct chess_look *l)
{
	l->waker = chess_bpf_load(waker_hot_object, sizeof(waker_hot_object), "chess_waker");
	if (!l->waker)
		l->waker = chess_bpf_load(waker_count_object, sizeof(waker_count_object),
					  "chess_waker");
	if (!l->waker)
		return chess_set_error(errno, "the kernel does not take the BPF program that "
				       "notes which task wakes which (%s)",
				       chess_bpf_said(errno));
	l->watched_fd = bpf_object__find_map_fd_by_name(l->waker, "watched");
	l->wakers_fd = bpf_object__find_map_fd_by_name(l->waker, "wakers");
	return 0;
}

struct chess_look *chess_look_new(void)
{
	struct chess_look *l = calloc(1, sizeof(*l));
	int err;

	if (l)
		l->table = malloc(sizeof(*l->table));
	if (!l || !l->table) {
		free(l);
		chess_bpf_refused(ENOMEM);
		return NULL;
	}
	if (load_look(l)) {
		err = errno;
		chess_look_free(l);
		chess_bpf_refused(err);
		return NULL;
	}
	return l;
}

/* Make @fd, a map with numbers as keys, have exactly these. */
static int set_keys(int fd, const uint32_t *key, size_t n)
{
	const uint8_t one = 1;
	uint32_t old;
	size_t i;

	while (!bpf_map_get_next_key(fd, NULL, &old))
		if (bpf_map_delete_elem(fd, &old) && errno != ENOENT)
			return -errno;
	for (i = 0; i < n; i++)
		if (bpf_map_update_elem(fd, &key[i], &one, BPF_ANY))
			return -errno;
	return 0;
}

/*
 * A child that was forked meanwhile keeps the program attached, hence the empty map,
 * and kernels before 6.10 do not attach a program twice, hence another one each time.
 */
static void unwatch(struct chess_look *l)
{
	if (!l->waker)
		return;
	set_keys(l->watched_fd, NULL, 0);
	bpf_link__destroy(l->waking);
	bpf_object__close(l->waker);
	l->waking = NULL;
	l->waker = NULL;
}

void chess_look_free(struct chess_look *l)
{
	if (!l)
		return;
	unwatch(l);
	bpf_link__destroy(l->ipc);
	bpf_link__destroy(l->files);
	bpf_link__destroy(l->tasks);
	bpf_object__close(l->namer);
	bpf_object__close(l->contents);
	bpf_object__close(l->object);
	free(l->table);
	free(l);
}

/* Takes what stands at @data, @n bytes; returns how much of it, or -errno. */
typedef ssize_t (*consume_fn)(struct chess_snapshot *s, const char *data, size_t n);

/* Let an iterator run to its end. A record may be cut by the end of a read. */
static int run_iterator(struct bpf_link *link, struct chess_snapshot *s, consume_fn consume)
{
	size_t size = 1 << 16, have = 0;
	ssize_t n, used;
	char *data = malloc(size);
	int fd, ret = 0;

	if (!data)
		return chess_set_error(ENOMEM, "no memory to read what tasks wait on");
	fd = bpf_iter_create(bpf_link__fd(link));
	if (fd < 0) {
		ret = chess_set_error(errno, "cannot start a BPF iterator (%s)", strerror(errno));
		goto out;
	}
	for (;;) {
		n = read(fd, data + have, size - have);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n < 0)
			ret = chess_set_error(errno, "a BPF iterator ended early (%s)",
					      strerror(errno));
		if (n <= 0)
			break;
		have += n;
		used = consume(s, data, have);
		if (used < 0) {
			ret = used;
			break;
		}
		have -= used;
		memmove(data, data + used, have);
	}
	close(fd);
out:
	free(data);
	return ret;
}

static ssize_t consume_tasks(struct chess_snapshot *s, const char *data, size_t n)
{
	const size_t size = sizeof(struct chess_look_task);
	struct chess_look_task t;
	size_t at;
	int ret;

	for (at = 0; at + size <= n; at += size) {
		memcpy(&t, data + at, size);
		ret = chess_snapshot_add_task(s, &t);
		if (ret)
			return ret;
	}
	return at;
}

static ssize_t consume_files(struct chess_snapshot *s, const char *data, size_t n)
{
	size_t at = 0;
	int ret;

	while (at < n) {
		ret = chess_snapshot_add_record(s, data + at, n - at);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
		at += ret;
	}
	return at;
}

static ssize_t consume_nothing(struct chess_snapshot *s, const char *data, size_t n)
{
	(void)s;
	(void)data;
	return n;
}

static int take_ipc(struct chess_look *l, struct chess_snapshot *s)
{
	const uint32_t zero = 0;
	int ret;

	memset(l->table, 0, sizeof(*l->table));
	if (bpf_map_update_elem(l->ipc_fd, &zero, l->table, BPF_ANY))
		return chess_set_error(errno, "cannot clear a BPF map (%s)", strerror(errno));
	ret = run_iterator(l->ipc, s, consume_nothing);
	if (ret)
		return ret;
	if (bpf_map_lookup_elem(l->ipc_fd, &zero, l->table))
		return chess_set_error(errno, "cannot read a BPF map (%s)", strerror(errno));
	return chess_snapshot_add_ipc(s, l->table);
}

static int want(struct chess_look *l, const pid_t *tids, size_t n)
{
	int ret;

	if (n > CHESS_LOOK_WANTED)
		return chess_set_error(E2BIG, "asked to examine %zu tasks, but at most %d can be "
				       "named; name their processes", n, CHESS_LOOK_WANTED);
	ret = set_keys(l->wanted_fd, (const uint32_t *)tids, n);
	if (ret)
		return chess_set_error(-ret, "cannot give the BPF programs the %zu tasks to "
				       "examine (%s)", n, strerror(-ret));
	return 0;
}

/* What was noted of the tasks of a snapshot; a task that was not woken has none. */
static void add_wakers(struct chess_look *l, struct chess_snapshot *s)
{
	const struct chess_look_task *t;
	struct chess_look_waker w;
	size_t i, n;

	t = chess_snapshot_tasks(s, &n);
	for (i = 0; l->waking && i < n; i++)
		if (!bpf_map_lookup_elem(l->wakers_fd, &t[i].gtid, &w))
			chess_snapshot_set_waker(s, i, &w);
}

static int take(struct chess_look *l, const pid_t *tids, size_t n, bool files,
		struct chess_snapshot **out)
{
	struct chess_snapshot *s;
	int ret;

	*out = NULL;
	ret = (files ? chess_look_load_files(l) : 0) ?: want(l, tids, n);
	if (ret)
		return ret;
	s = chess_snapshot_new(tids, n);
	if (!s)
		return chess_set_error(ENOMEM, "no memory to examine %zu tasks", n);
	ret = run_iterator(l->tasks, s, consume_tasks);
	if (!ret && files)
		ret = run_iterator(l->files, s, consume_files) ?: take_ipc(l, s);
	if (ret) {
		chess_snapshot_free(s);
		return ret;
	}
	if (files)
		add_wakers(l, s);
	chess_snapshot_finish(s);
	*out = s;
	return 0;
}

int chess_look_take(struct chess_look *l, const pid_t *tids, size_t n,
		    struct chess_snapshot **out)
{
	return take(l, tids, n, true, out);
}

int chess_look_tasks(struct chess_look *l, const pid_t *tids, size_t n,
		     struct chess_snapshot **out)
{
	return take(l, tids, n, false, out);
}

int chess_look_names(struct chess_look *l, const struct chess_look_task *t,
		     struct chess_look_names *out)
{
	DECLARE_LIBBPF_OPTS(bpf_test_run_opts, opts);
	struct chess_look_names names = { 0 };
	const uint32_t zero = 0;
	struct bpf_program *p;
	int ret = load_namer(l), map;

	if (ret)
		return ret;
	memcpy(names.address, t->stack, sizeof(names.address));
	map = bpf_object__find_map_fd_by_name(l->namer, "names");
	p = bpf_object__find_program_by_name(l->namer, "look_names");
	if (bpf_map_update_elem(map, &zero, &names, BPF_ANY) ||
	    bpf_prog_test_run_opts(bpf_program__fd(p), &opts) ||
	    bpf_map_lookup_elem(map, &zero, out))
		return chess_set_error(errno, "the BPF program that names functions of the "
				       "kernel failed (%s)", strerror(errno));
	return 0;
}

/* The program sees the numbers of the first namespace only. */
static int watch_all(struct chess_look *l, struct chess_snapshot *s)
{
	const struct chess_look_task *t;
	uint32_t *gtgid;
	size_t i, n;
	int ret;

	t = chess_snapshot_tasks(s, &n);
	gtgid = malloc(n * sizeof(*gtgid) + 1);
	if (!gtgid)
		return chess_set_error(ENOMEM, "no memory to watch %zu tasks", n);
	for (i = 0; i < n; i++)
		gtgid[i] = t[i].gtgid;
	ret = set_keys(l->watched_fd, gtgid, n);
	free(gtgid);
	if (ret)
		return chess_set_error(-ret, "cannot give the BPF program the processes to watch (%s)",
				       strerror(-ret));
	l->waking = chess_bpf_attach(l->waker, "look_waking");
	if (!l->waking)
		return chess_set_error(errno, "the kernel does not let us watch wake-ups with BPF "
				       "(%s)", strerror(errno));
	return 0;
}

int chess_look_note_wakers(struct chess_look *l, const pid_t *tids, size_t n)
{
	struct chess_snapshot *s;
	int ret;

	unwatch(l);
	if (!n)
		return 0;
	ret = load_waker(l) ?: chess_look_tasks(l, tids, n, &s);
	if (ret)
		return ret;
	ret = watch_all(l, s);
	chess_snapshot_free(s);
	return ret;
}

#else /* !CHESS_HAVE_BPF */

struct chess_look *chess_look_new(void)
{
	chess_set_error(ENOSYS, "this libchessctl was built without libbpf or clang and cannot look "
			"at blocked tasks; install libbpf-dev and clang, and build it again");
	return NULL;
}

void chess_look_free(struct chess_look *l)
{
	(void)l;
}

int chess_look_take(struct chess_look *l, const pid_t *tids, size_t n,
		    struct chess_snapshot **out)
{
	(void)l;
	(void)tids;
	(void)n;
	(void)out;
	return chess_set_error(ENOSYS, "this libchessctl was built without libbpf or clang");
}

int chess_look_load_files(struct chess_look *l)
{
	return chess_look_note_wakers(l, NULL, 0);
}

int chess_look_note_wakers(struct chess_look *l, const pid_t *tids, size_t n)
{
	(void)l;
	(void)tids;
	(void)n;
	return chess_set_error(ENOSYS, "this libchessctl was built without libbpf or clang");
}

int chess_look_tasks(struct chess_look *l, const pid_t *tids, size_t n,
		     struct chess_snapshot **out)
{
	return chess_look_take(l, tids, n, out);
}

int chess_look_names(struct chess_look *l, const struct chess_look_task *t,
		     struct chess_look_names *out)
{
	(void)t;
	(void)out;
	return chess_look_note_wakers(l, NULL, 0);
}

#endif /* CHESS_HAVE_BPF */
