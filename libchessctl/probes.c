// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Traps for a program: from its files (needed.c) over their sync functions
 * (symbols.c) to the group (nl.c). The runner and replay --gdb call it, once for
 * each group: the module arms what is registered wherever it is mapped.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"
#include "program.h"

int chess_probe_add_file(struct chess_ctl *c, uint32_t group, const char *path)
{
	struct chess_probe *probes = NULL;
	int fd, n, ret;

	n = chess_symbols_probes(path, &probes, NULL);
	if (n <= 0)
		return n == -ENOEXEC ? 0 : n;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	ret = fd < 0 ? chess_set_error(errno, "%s cannot be opened: %m", path) :
		       chess_probe_add(c, group, fd, probes, n);
	if (fd >= 0)
		close(fd);
	free(probes);
	return ret < 0 ? ret : n;
}

int chess_probe_add_program(struct chess_ctl *c, uint32_t group, const struct chess_program *p,
			    const char *path)
{
	char *image = chess_program_image(p, path), **files = NULL;
	int ret = 0, n = 0, i;

	if (image)
		files = chess_symbols_files_of(p, image);
	if (!files)
		ret = -errno;
	for (i = 0; files && files[i]; i++) {
		if (ret >= 0)
			ret = chess_probe_add_file(c, group, files[i]);
		if (ret > 0)
			n += ret;
		free(files[i]);
	}
	free(files);
	free(image);
	return ret < 0 ? ret : n;
}
