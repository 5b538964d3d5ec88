// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that are near (near.h): a tmpfs that is the middle layer of the guest's root. 9p asks
 * the host each time a file is opened or closed and each time a link is followed, which is a
 * quarter of what a run of a small program costs where the VM is emulated.
 *
 * The files outlive a trial (init.c), and with it a VM that was saved, so each one is compared
 * with the host's before a command sees it: inode, size, times, mode and owner. The table is
 * shared with the processes that fill it. Directories have only to exist with the right mode
 * and owner; the overlay merges them with the host's.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "near.h"

#define MAX_ENTRIES 1024
#define PREFIX "/lower"

/* @path: below both layers, without a "/" before it; @st: on the host, when it was copied */
static struct table {
	size_t n;
	struct entry {
		char path[256];
		struct stat st;
	} entry[MAX_ENTRIES];
} *table;

static int lower = -1, layer = -1;

bool near_open(void)
{
	mkdir(NEAR_DIR, 0755);
	table = mmap(NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	return table != MAP_FAILED && !mount("near", NEAR_DIR, "tmpfs", 0, "mode=755");
}

static bool same(const struct stat *a, const struct stat *b)
{
	if (a->st_mode != b->st_mode || a->st_uid != b->st_uid || a->st_gid != b->st_gid)
		return false;
	return S_ISDIR(a->st_mode) ||
	       (a->st_ino == b->st_ino && a->st_size == b->st_size &&
		a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
		a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
		a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
		a->st_ctim.tv_nsec == b->st_ctim.tv_nsec);
}

static void set_times(const char *path, const struct stat *st)
{
	const struct timespec times[] = { st->st_atim, st->st_mtim };

	utimensat(layer, path, times, AT_SYMLINK_NOFOLLOW);
}

/* The tmpfs begins with nothing when something in it is old; its files may still be open. */
static bool clean(void)
{
	size_t i;

	for (i = table->n; i; i--)
		unlinkat(layer, table->entry[i - 1].path,
			 S_ISDIR(table->entry[i - 1].st.st_mode) ? AT_REMOVEDIR : 0);
	table->n = 0;
	return true;
}

/* Is everything in the table as it is on the host? Times of directories are set to theirs. */
static bool is_current(void)
{
	struct entry *e;
	struct stat st;

	for (e = table->entry; e < table->entry + table->n; e++) {
		if (fstatat(lower, e->path, &st, AT_SYMLINK_NOFOLLOW) || !same(&st, &e->st))
			return false;
		if (S_ISDIR(st.st_mode) && (st.st_mtim.tv_sec != e->st.st_mtim.tv_sec ||
					    st.st_mtim.tv_nsec != e->st.st_mtim.tv_nsec)) {
			e->st = st;
			set_times(e->path, &st);
		}
	}
	return true;
}

static bool is_there(const char *path)
{
	size_t i;

	for (i = 0; i < table->n; i++)
		if (!strcmp(table->entry[i].path, path))
			return true;
	return false;
}

static bool note(const char *path, const struct stat *st)
{
	struct entry *e = &table->entry[table->n];

	if (table->n == MAX_ENTRIES || strlen(path) >= sizeof(e->path))
		return false;
	strcpy(e->path, path);
	e->st = *st;
	table->n++;
	return true;
}

static void make_directories(const char *path)
{
	const char *slash = path;
	char dir[PATH_MAX];
	struct stat st;

	while ((slash = strchr(slash, '/'))) {
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash++ - path), path);
		if (is_there(dir) || fstatat(lower, dir, &st, AT_SYMLINK_NOFOLLOW) ||
		    !note(dir, &st))
			continue;
		if (mkdirat(layer, dir, 0) || fchownat(layer, dir, st.st_uid, st.st_gid, 0) ||
		    fchmodat(layer, dir, st.st_mode & 07777, 0))
			table->n--;	/* what is below it stays where it is */
	}
}

static bool copy_data(int from, const char *path, const struct stat *st)
{
	int to = openat(layer, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	off_t left = st->st_size;
	ssize_t n = 1;

	while (to >= 0 && left && n > 0) {
		n = sendfile(to, from, NULL, left);
		left -= n > 0 ? n : 0;
	}
	if (to >= 0)
		close(to);
	return to >= 0 && !left;
}

/* @fd: opened with O_PATH */
static void add(int fd, const char *path, const struct stat *st)
{
	char text[PATH_MAX] = "";
	bool done;
	int from;

	if (is_there(path) || (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode)))
		return;
	make_directories(path);
	if (!note(path, st))
		return;
	if (S_ISLNK(st->st_mode)) {
		done = readlinkat(fd, "", text, sizeof(text) - 1) > 0 &&
		       !symlinkat(text, layer, path);
	} else {
		from = openat(lower, path, O_RDONLY | O_CLOEXEC);
		done = from >= 0 && copy_data(from, path, st);
		if (from >= 0)
			close(from);
	}
	if (done && !fchownat(layer, path, st->st_uid, st->st_gid, AT_SYMLINK_NOFOLLOW) &&
	    (S_ISLNK(st->st_mode) || !fchmodat(layer, path, st->st_mode & 07777, 0))) {
		set_times(path, st);
		return;
	}
	unlinkat(layer, path, 0);
	table->n--;
}

/* Of a name of the host, links in its directories followed; -1: it is not there */
static int resolve(const char *name, int flags, char *path, size_t len)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC | flags, .resolve = RESOLVE_IN_ROOT };
	char self[64], full[PATH_MAX];
	int fd = syscall(SYS_openat2, lower, name, &how, sizeof(how));
	ssize_t n;

	if (fd < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	n = readlink(self, full, sizeof(full) - 1);
	if (n <= (ssize_t)sizeof(PREFIX) || strncmp(full, PREFIX "/", sizeof(PREFIX))) {
		close(fd);
		return -1;
	}
	full[n] = 0;
	snprintf(path, len, "%s", full + sizeof(PREFIX));
	return fd;
}

static void add_files_of(const char *dir)
{
	int fd = openat(lower, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), file;
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
	char path[PATH_MAX], real[PATH_MAX];
	struct dirent *d;
	struct stat st;

	while (list && (d = readdir(list))) {
		if (d->d_type != DT_REG ||
		    snprintf(path, sizeof(path), "%s/%s", dir, d->d_name) >= (int)sizeof(path))
			continue;
		file = resolve(path, O_NOFOLLOW, real, sizeof(real));
		if (file >= 0 && !fstat(file, &st))
			add(file, real, &st);
		if (file >= 0)
			close(file);
	}
	if (list)
		closedir(list);
}

/* A link, and what it is a link to; what does not exist is left out. */
static void add_name(const char *name, bool follow)
{
	char path[PATH_MAX];
	struct stat st;
	int fd = resolve(name, O_NOFOLLOW, path, sizeof(path));

	if (fd < 0)
		return;
	if (!fstat(fd, &st)) {
		add(fd, path, &st);
		if (S_ISDIR(st.st_mode))
			add_files_of(path);
		else if (S_ISLNK(st.st_mode) && follow) {
			close(fd);
			fd = resolve(name, 0, path, sizeof(path));
			if (fd >= 0 && !fstat(fd, &st)) {
				add(fd, path, &st);
				if (S_ISDIR(st.st_mode))
					add_files_of(path);
			}
		}
	}
	if (fd >= 0)
		close(fd);
}

static void set_directory_times(void)
{
	size_t i;

	for (i = 0; i < table->n; i++)
		if (S_ISDIR(table->entry[i].st.st_mode))
			set_times(table->entry[i].path, &table->entry[i].st);
}

void near_fill(const char *const *names, size_t n)
{
	/* They only, and not the files of the directories. */
	static const char *const links[] = { "/lib", "/lib64", "/bin" };
	static const char *const always[] = {
		"/etc/ld.so.cache", "/lib64/ld-linux-x86-64.so.2",
		"/lib/x86_64-linux-gnu/libc.so.6", "/lib/x86_64-linux-gnu/libm.so.6",
		"/lib/x86_64-linux-gnu/libgcc_s.so.1", "/lib/x86_64-linux-gnu/libtinfo.so.6",
		"/bin/bash", "/bin/sh",
	};
	struct stat st;
	size_t i;

	lower = open(PREFIX, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	layer = open(NEAR_DIR, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (lower < 0 || layer < 0)
		return;		/* everything stays where it is, which is slower */
	if (!fstat(lower, &st)) {
		fchown(layer, st.st_uid, st.st_gid);
		fchmod(layer, st.st_mode & 07777);
		set_times(".", &st);
	}
	if (!table->n || (!is_current() && clean())) {
		for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
			add_name(links[i], false);
		for (i = 0; i < sizeof(always) / sizeof(always[0]); i++)
			add_name(always[i], true);
		for (i = 0; i < n; i++)
			add_name(names[i], true);
		set_directory_times();
	}
	close(lower);
	close(layer);
}
