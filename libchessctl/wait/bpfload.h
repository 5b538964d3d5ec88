/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpfload.c: loads the BPF objects that are part of the library, for look.c, watch.c and hits.c,
 * and says in a sentence why the kernel refused one.
 */
#ifndef CHESSCTL_BPFLOAD_H
#define CHESSCTL_BPFLOAD_H

#include <bpf/libbpf.h>
#include <stddef.h>

/* Load an object; NULL with errno. */
struct bpf_object *chess_bpf_load(const void *data, size_t size, const char *name);

/* The same, with the map of an object that is loaded as its map of this name. */
struct bpf_object *chess_bpf_load_sharing(const void *data, size_t size, const char *name,
					  const char *map, int map_fd);

/*
 * From now on what libbpf says is kept rather than printed, until libbpf_set_print() gets
 * what this returned.
 */
libbpf_print_fn_t chess_bpf_listen(void);

/* What libbpf said when the last load of this thread failed, else what @err is. */
const char *chess_bpf_said(int err);

/* Attach a program of it by the program's section; NULL with errno. */
struct bpf_link *chess_bpf_attach(struct bpf_object *object, const char *name);

/* The sentence for a load or an attachment that failed with errno @err. Return: -errno */
int chess_bpf_refused(int err);

#endif /* CHESSCTL_BPFLOAD_H */
