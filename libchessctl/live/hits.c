// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Waits until a task of chosen processes comes to a place in a program: loads
 * bpf/hit.bpf.c and reads its notes. The probes are there as long as their links are
 * open, so the kernel takes them away with us, however we end. Each is for one process:
 * others that have the file mapped, children forked later too, run without it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#ifdef CHESS_HAVE_BPF

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "wait/bpfload.h"
#include "hit_object.h"
#include "../../bpf/hit.bpf.h"

struct chess_hits {
	struct bpf_object *object;
	struct ring_buffer *notes;
	struct bpf_link **links;
	size_t n;
	bool seen;
	struct chess_hit first;
};

static int keep_first(void *arg, void *data, size_t size)
{
	const struct chess_hit_note *note = data;
	struct chess_hits *h = arg;

	if (h->seen || size < sizeof(*note))
		return 0;
	h->seen = true;
	h->first = (struct chess_hit){ note->time, note->gtid, note->gtgid };
	return 0;
}

struct chess_hits *chess_hits_new(void)
{
	struct chess_hits *h = calloc(1, sizeof(*h));
	int err = ENOMEM;

	if (h)
		h->object = chess_bpf_load(hit_object, sizeof(hit_object), "chess_hit");
	if (h && !h->object)
		err = errno;
	if (h && h->object)
		h->notes = ring_buffer__new(bpf_object__find_map_fd_by_name(h->object, "hits"),
					    keep_first, h, NULL);
	if (h && h->notes)
		return h;
	chess_hits_free(h);
	chess_bpf_refused(err);
	return NULL;
}

void chess_hits_free(struct chess_hits *h)
{
	if (!h)
		return;
	while (h->n)
		bpf_link__destroy(h->links[--h->n]);
	free(h->links);
	ring_buffer__free(h->notes);
	bpf_object__close(h->object);
	free(h);
}

static struct bpf_link *attach(struct chess_hits *h, pid_t pid, const char *path,
			       const char *provider, const char *name)
{
	DECLARE_LIBBPF_OPTS(bpf_uprobe_opts, opts, .func_name = name);
	struct bpf_program *p = bpf_object__find_program_by_name(h->object, provider ?
								 "hit_usdt" : "hit_function");

	return provider ? bpf_program__attach_usdt(p, pid, path, provider, name, NULL) :
			  bpf_program__attach_uprobe_opts(p, pid, path, 0, &opts);
}

static int refuse(int err, const char *provider, const char *name)
{
	if (err == EPERM || err == EACCES)
		return chess_set_error(EPERM, "the kernel does not let us put a probe there (%s); "
				       "run as root, or with CAP_BPF and CAP_PERFMON",
				       strerror(err));
	if (err == ENOENT && provider)
		return chess_set_error(ENOENT, "it has no USDT probe %s:%s; readelf -n lists those "
				       "it has", provider, name);
	if (err == ENOENT)
		return chess_set_error(ENOENT, "it has no function %s, or is stripped of its "
				       "name; nm and nm -D list those it has", name);
	return chess_set_error(err, "no probe can be put there (%s)", chess_bpf_said(err));
}

int chess_hits_add(struct chess_hits *h, pid_t pid, const char *path, const char *provider,
		   const char *name)
{
	struct bpf_link **more = reallocarray(h->links, h->n + 1, sizeof(*h->links));
	libbpf_print_fn_t print;
	int err;

	if (!more)
		return chess_set_error(ENOMEM, "no memory for a probe");
	h->links = more;
	print = chess_bpf_listen();
	h->links[h->n] = attach(h, pid, path, provider, name);
	err = errno;
	libbpf_set_print(print);
	if (!h->links[h->n])
		return refuse(err, provider, name);
	h->n++;
	return 0;
}

int chess_hits_wait(struct chess_hits *h, int ms, struct chess_hit *hit)
{
	int ret = h->seen ? 0 : ring_buffer__poll(h->notes, ms);

	if (!h->seen)
		return ret < 0 && ret != -EINTR ? chess_set_error(-ret, "cannot read the notes of a "
			"BPF program (%s)", strerror(-ret)) : -ETIMEDOUT;
	*hit = h->first;
	return 0;
}

#else /* !CHESS_HAVE_BPF */

struct chess_hits *chess_hits_new(void)
{
	chess_set_error(ENOSYS, "this libchessctl was built without libbpf or clang");
	return NULL;
}

void chess_hits_free(struct chess_hits *h)
{
	(void)h;
}

int chess_hits_add(struct chess_hits *h, pid_t pid, const char *path, const char *provider,
		   const char *name)
{
	(void)h;
	(void)pid;
	(void)path;
	(void)provider;
	(void)name;
	return -ENOSYS;
}

int chess_hits_wait(struct chess_hits *h, int ms, struct chess_hit *hit)
{
	(void)h;
	(void)ms;
	(void)hit;
	return -ENOSYS;
}

#endif /* CHESS_HAVE_BPF */
