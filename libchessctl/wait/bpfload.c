// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Loads BPF objects, see bpfload.h. They are arrays of bytes in the library, so that
 * there is no file to install, to find or to match in version.
 */
#ifdef CHESS_HAVE_BPF

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "wait/bpfload.h"
#include "internal.h"

/* What libbpf says first when it fails; it would print it. */
static __thread char said[256];

static int keep_words(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN && !said[0])
		vsnprintf(said, sizeof(said), fmt, ap);
	said[strcspn(said, "\n")] = '\0';
	return 0;
}

const char *chess_bpf_said(int err)
{
	return said[0] ? said : strerror(err);
}

int chess_bpf_refused(int err)
{
	struct utsname u;

	uname(&u);
	if (err == EPERM || err == EACCES)
		return chess_set_error(EPERM, "the kernel does not let us examine blocked tasks "
				       "with BPF (%s); run as root, or with CAP_BPF and "
				       "CAP_PERFMON", chess_bpf_said(err));
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return chess_set_error(ENOTSUP, "Linux %s says nothing about its types in "
				       "/sys/kernel/btf/vmlinux, which looking at blocked tasks "
				       "needs; boot a kernel with CONFIG_DEBUG_INFO_BTF",
				       u.release);
	if (err == ENOMEM)
		return chess_set_error(ENOMEM, "no memory to load the BPF programs");
	return chess_set_error(ENOTSUP, "Linux %s does not take the BPF programs that examine "
			       "blocked tasks (%s); a kernel like Debian's 6.12 does", u.release,
			       chess_bpf_said(err));
}

libbpf_print_fn_t chess_bpf_listen(void)
{
	said[0] = '\0';
	return libbpf_set_print(keep_words);
}

struct bpf_object *chess_bpf_load_sharing(const void *data, size_t size, const char *name,
					  const char *map, int map_fd)
{
	DECLARE_LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = name);
	libbpf_print_fn_t print = chess_bpf_listen();
	struct bpf_object *object;
	int err = 0;

	object = bpf_object__open_mem(data, size, &opts);
	if (!object ||
	    (map && bpf_map__reuse_fd(bpf_object__find_map_by_name(object, map), map_fd)) ||
	    bpf_object__load(object)) {
		err = errno;
		bpf_object__close(object);
		object = NULL;
	}
	libbpf_set_print(print);
	errno = err;
	return object;
}

struct bpf_object *chess_bpf_load(const void *data, size_t size, const char *name)
{
	return chess_bpf_load_sharing(data, size, name, NULL, -1);
}

struct bpf_link *chess_bpf_attach(struct bpf_object *object, const char *name)
{
	return bpf_program__attach(bpf_object__find_program_by_name(object, name));
}

#endif /* CHESS_HAVE_BPF */
