// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds the kernel of the embedded VM (kernel.h). An installed kernel is booted as it is, with
 * the modules below /lib/modules that depmod listed; what is compressed there stays so, and the
 * guest's kernel decompresses it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "vm/kernel.h"
#include "vm/vm.h"

/* What the initramfs needs until the host's files are there; see scripts/vm-boot-modules.sh. */
static const char *const needed[] = {
	"virtio_pci", "virtio_console", "9p", "9pnet_virtio", "overlay",
};

void chess_vm_kernel_clear(struct chess_vm_kernel *kernel)
{
	while (kernel->nboot)
		free(kernel->boot[--kernel->nboot]);
	memset(kernel, 0, sizeof(*kernel));
}

/* Once only: several modules may need the same one. */
static bool add_boot(struct chess_vm_kernel *kernel, const char *path)
{
	size_t i;

	for (i = 0; i < kernel->nboot; i++)
		if (!strcmp(kernel->boot[i], path))
			return true;
	if (i == CHESS_VM_BOOT_MODULES)
		return false;
	kernel->boot[i] = strdup(path);
	kernel->nboot += kernel->boot[i] != NULL;
	return kernel->boot[i] != NULL;
}

/* ---- an installed kernel ---- */

/* Is @path that of the module @name, compressed or not? */
static bool is_module(const char *path, size_t len, const char *name)
{
	const char *base = memrchr(path, '/', len);
	size_t n = strlen(name);

	base = base ? base + 1 : path;
	return len - (base - path) > n + 2 && !strncmp(base, name, n) &&
	       !strncmp(base + n, ".ko", 3);
}

static bool is_built_in(const char *dir, const char *name)
{
	char path[CHESS_VM_PATH + 64], *line = NULL;
	bool found = false;
	size_t size = 0;
	ssize_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/modules.builtin", dir);
	f = fopen(path, "re");
	while (f && !found && (len = getline(&line, &size, f)) > 0)
		found = is_module(line, len - 1, name);
	if (f)
		fclose(f);
	free(line);
	return found;
}

/* A line of modules.dep is "module: what it needs", of which the last is loaded first. */
static bool add_line(struct chess_vm_kernel *kernel, const char *dir, char *line)
{
	char path[2 * CHESS_VM_PATH], *colon = strchr(line, ':'), *at;

	line[strcspn(line, "\n")] = 0;
	while ((at = strrchr(colon, ' '))) {
		*at = 0;
		if (!at[1])
			continue;
		snprintf(path, sizeof(path), "%s/%s", dir, at + 1);
		if (!add_boot(kernel, path))
			return false;
	}
	*colon = 0;
	snprintf(path, sizeof(path), "%s/%s", dir, line);
	return add_boot(kernel, path);
}

static bool add_module(struct chess_vm_kernel *kernel, const char *dir, const char *name)
{
	char path[CHESS_VM_PATH + 64], *line = NULL, *colon;
	bool found = false;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/modules.dep", dir);
	f = fopen(path, "re");
	while (f && !found && getline(&line, &size, f) > 0) {
		colon = strchr(line, ':');
		if (colon && is_module(line, colon - line, name))
			found = add_line(kernel, dir, line);
	}
	if (f)
		fclose(f);
	free(line);
	return found || is_built_in(dir, name);
}

static bool find_chess(struct chess_vm_kernel *kernel, const char *dir)
{
	char pattern[CHESS_VM_PATH + 64];
	bool found;
	glob_t g;

	snprintf(pattern, sizeof(pattern), "%s/" CHESS_VM_MODULES, dir);
	found = !glob(pattern, GLOB_BRACE, NULL, &g) && g.gl_pathc > 0;
	if (found)
		snprintf(kernel->chess, sizeof(kernel->chess), "%s", g.gl_pathv[0]);
	globfree(&g);
	return found;
}

static bool try_release(const char *root, const char *release, struct chess_vm_kernel *kernel)
{
	char dir[CHESS_VM_PATH];
	size_t i;

	snprintf(dir, sizeof(dir), "%s/lib/modules/%s", root, release);
	snprintf(kernel->image, sizeof(kernel->image), "%s/boot/vmlinuz-%s", root, release);
	/* Where Fedora has it. */
	if (access(kernel->image, R_OK))
		snprintf(kernel->image, sizeof(kernel->image), "%.4000s/vmlinuz", dir);
	if (!access(kernel->image, R_OK) && find_chess(kernel, dir)) {
		for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
			if (!add_module(kernel, dir, needed[i]))
				break;
		if (i == sizeof(needed) / sizeof(needed[0]))
			return true;
	}
	chess_vm_kernel_clear(kernel);
	return false;
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

int chess_vm_kernel_installed(const char *root, const char *prefer,
			      struct chess_vm_kernel *kernel)
{
	char dir[CHESS_VM_PATH];
	struct dirent **list;
	bool found;
	int n;

	memset(kernel, 0, sizeof(*kernel));
	if (try_release(root, prefer, kernel))
		return 0;
	snprintf(dir, sizeof(dir), "%s/lib/modules", root);
	n = scandir(dir, &list, visible, versionsort);
	if (n < 0)
		return -ENOENT;
	for (found = false; n; free(list[n]))
		found = found || try_release(root, list[n - 1]->d_name, kernel), n--;
	free(list);
	return found ? 0 : -ENOENT;
}

/* ---- either kind ---- */

static int missing(struct chess_vm_kernel *kernel, const char *what)
{
	char text[CHESS_VM_PATH];

	snprintf(text, sizeof(text), "%.4000s", what);
	chess_vm_kernel_clear(kernel);
	snprintf(kernel->image, sizeof(kernel->image), "%s", text);
	return -ENOENT;
}

static int use_unpacked(const char *dir, struct chess_vm_kernel *kernel)
{
	char path[CHESS_VM_PATH], real[4096];
	struct dirent **list;
	int i, n;

	snprintf(path, sizeof(path), "%.4000s/vmlinux", dir);
	if (access(path, R_OK) || !realpath(dir, real)) {
		snprintf(real, sizeof(real), "the VM's kernel %.3000s cannot be read: %s; "
			 "run 'make vm-kernel'", path, strerror(errno));
		return missing(kernel, real);
	}
	snprintf(kernel->image, sizeof(kernel->image), "%s/vmlinux", real);
	snprintf(kernel->modules, sizeof(kernel->modules), "%s/modules/lib/modules", real);
	if (access(kernel->modules, X_OK))
		*kernel->modules = 0;
	snprintf(path, sizeof(path), "%s/boot", real);
	n = scandir(path, &list, visible, alphasort);
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%.3900s/boot/%s", real, list[i]->d_name);
		add_boot(kernel, path);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	/* A kernel of one's own may have chess.ko beside it. */
	snprintf(kernel->chess, sizeof(kernel->chess), "%s/chess.ko", real);
	if (access(kernel->chess, R_OK))
		*kernel->chess = 0;
	return 0;
}

/* All that the VM needs is in the image, and its file system is this machine's. */
static int use_image(const char *path, struct chess_vm_kernel *kernel)
{
	char text[CHESS_VM_PATH];

	snprintf(kernel->image, sizeof(kernel->image), "%s", path);
	snprintf(kernel->chess, sizeof(kernel->chess), "%.*s/chess.ko",
		 (int)(strrchr(path, '/') - path), path);
	if (!access(kernel->chess, R_OK))
		return 0;
	snprintf(text, sizeof(text),
		 "%.3800s cannot be read: %s; the module for that kernel has to be there (make kmod KDIR=...)",
		 kernel->chess, strerror(errno));
	return missing(kernel, text);
}

/* An image, a directory of scripts/vm-kernel.sh, or one in which a kernel was installed. */
static int use_given(const char *path, struct chess_vm_kernel *kernel)
{
	char inside[CHESS_VM_PATH], text[CHESS_VM_PATH], real[4096];
	struct stat st;

	if (stat(path, &st) || !realpath(path, real)) {
		snprintf(text, sizeof(text), "the VM's kernel %.3800s cannot be read: %s", path,
			 strerror(errno));
		return missing(kernel, text);
	}
	if (!S_ISDIR(st.st_mode))
		return use_image(real, kernel);
	snprintf(inside, sizeof(inside), "%s/lib/modules", real);
	if (access(inside, X_OK))
		return use_unpacked(real, kernel);
	if (!chess_vm_kernel_installed(real, "", kernel)) {
		snprintf(kernel->modules, sizeof(kernel->modules), "%.4000s", inside);
		return 0;
	}
	snprintf(text, sizeof(text),
		 "below %.3800s no kernel is installed that has chess.ko, 9p, overlayfs and virtio",
		 path);
	return missing(kernel, text);
}

int chess_vm_kernel_find(const char *given, struct chess_vm_kernel *kernel)
{
	const char *data = getenv("CHESS_VM_DIR");
	char path[4096], text[4400];
	struct utsname u;

	memset(kernel, 0, sizeof(*kernel));
	if (given)
		return use_given(given, kernel);
	if (!chess_vm_find("kernel/generic", path, sizeof(path)))
		return use_unpacked(path, kernel);
	if (data && *data) {
		snprintf(text, sizeof(text),
			 "there is no kernel for the VM (%s); run 'make vm-kernel'", path);
		return missing(kernel, text);
	}
	uname(&u);
	if (!chess_vm_kernel_installed("", u.release, kernel))
		return 0;
	return missing(kernel, "there is no kernel for the VM: in the source tree run 'make "
		       "vm-kernel'; with packages install chess-dkms, linux-image-amd64 and "
		       "linux-headers-amd64");
}
