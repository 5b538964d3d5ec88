// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cache of saved machines (snapshot.h): in $CHESS_VM_CACHE, or "chess" below
 * $XDG_CACHE_HOME or ~/.cache. Each is a directory with the name of its key:
 *
 *   KEY/memory, KEY/state   complete, since KEY.new was renamed to it
 *   KEY.new/                being made, by the process that holds a lock on KEY.lock; who gets
 *                           the lock looks once more whether it is complete
 *
 * A machine in the cache is trusted as the user's own programs are, so the cache must be
 * theirs, and closed to others. It ends with the boot of the host: it is written without
 * waiting for the disk, and after a crash there might be holes in it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "mix.h"
#include "vm/qemu.h"
#include "vm/snapshot.h"

#define ROOM_MB 1024	/* on the disk, to make one */

/* ---- the key ---- */

static uint64_t mix_text(uint64_t hash, const char *text)
{
	return chess_hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t mix_file(uint64_t hash, const char *path)
{
	struct stat st;

	hash = mix_text(hash, path);
	if (stat(path, &st))
		return chess_mix(hash, errno);
	hash = chess_mix(chess_mix(hash, st.st_dev), st.st_ino);
	hash = chess_mix(chess_mix(hash, st.st_size), st.st_mtim.tv_sec);
	hash = chess_mix(chess_mix(hash, st.st_mtim.tv_nsec), st.st_ctim.tv_sec);
	return chess_mix(hash, st.st_ctim.tv_nsec);
}

static uint64_t mix_boot(uint64_t hash)
{
	FILE *f = fopen("/proc/sys/kernel/random/boot_id", "re");
	char id[64] = "";

	if (f && !fgets(id, sizeof(id), f))
		id[0] = 0;
	if (f)
		fclose(f);
	return mix_text(hash, id);
}

uint64_t chess_vm_snapshot_key(const struct chess_vm_opts *o,
			       const struct chess_vm_kernel *kernel)
{
	char path[4600];
	uint64_t hash;
	size_t i;

	if (o->append || !chess_vm_machine_program(path, sizeof(path)))
		return 0;
	hash = mix_boot(chess_vm_machine_hash(o));
	hash = mix_file(mix_file(hash, path), kernel->image);
	if (chess_vm_find("vm/init", path, sizeof(path)))
		return 0;
	hash = mix_file(mix_file(hash, path), "/proc/self/exe");
	for (i = 0; i < kernel->nboot; i++)
		hash = mix_file(hash, kernel->boot[i]);
	hash = o->module ? mix_file(hash, o->module) : chess_mix(hash, 0);
	for (i = 0; o->near && o->near[i]; i++)
		hash = mix_text(hash, o->near[i]);
	return hash ? hash : 1;
}

/* ---- the directory ---- */

bool chess_vm_snapshot_place(char *dir, size_t len)
{
	const char *no = getenv("CHESS_VM_SNAPSHOT"), *given = getenv("CHESS_VM_CACHE");
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n;

	if (no && !strcmp(no, "no"))
		return false;
	if (given && *given == '/')
		n = snprintf(dir, len, "%s", given);
	else if (cache && *cache == '/')
		n = snprintf(dir, len, "%s/chess", cache);
	else if (home && *home == '/')
		n = snprintf(dir, len, "%s/.cache/chess", home);
	else
		return false;
	return n < 4096 && (size_t)n < len;
}

/* Ours, and closed to others: what stands in it is executed. */
bool chess_vm_is_private(const char *dir)
{
	struct stat st;

	return !lstat(dir, &st) && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       !(st.st_mode & 077);
}

static bool make_place(const char *dir)
{
	char parent[4200];

	if (mkdir(dir, 0700) && errno == ENOENT) {
		snprintf(parent, sizeof(parent), "%s", dir);
		*strrchr(parent, '/') = 0;
		mkdir(parent, 0700);
		mkdir(dir, 0700);
	}
	return chess_vm_is_private(dir);
}

static int open_in(const char *dir, const char *name, int flags)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return open(path, flags | O_NOFOLLOW, 0600);
}

static void remove_dir(const char *dir)
{
	char path[8192];

	snprintf(path, sizeof(path), "%s/memory", dir);
	unlink(path);
	snprintf(path, sizeof(path), "%s/state", dir);
	unlink(path);
	rmdir(dir);
}

static bool is_key(const char *name)
{
	return strlen(name) == 16 && strspn(name, "0123456789abcdef") == 16;
}

static bool time_of(const char *place, const char *name, struct timespec *at)
{
	char path[4600];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s/state", place, name);
	if (stat(path, &st))
		return false;
	*at = st.st_mtim;
	return true;
}

/* Until there is room for @room of them: the one that was used longest ago goes first. */
static void prune(const char *place, size_t room)
{
	char oldest[256], path[4600];
	struct timespec at, least;
	struct dirent *d;
	size_t n;
	DIR *dir;

	do {
		dir = opendir(place);
		n = 0;
		while (dir && (d = readdir(dir))) {
			if (!is_key(d->d_name))
				continue;
			if (!time_of(place, d->d_name, &at))
				at = (struct timespec){ 0 };
			if (!n++ || at.tv_sec < least.tv_sec ||
			    (at.tv_sec == least.tv_sec && at.tv_nsec < least.tv_nsec)) {
				least = at;
				snprintf(oldest, sizeof(oldest), "%s", d->d_name);
			}
		}
		if (dir)
			closedir(dir);
		if (n > room) {
			snprintf(path, sizeof(path), "%s/%s", place, oldest);
			remove_dir(path);
			if (!access(path, F_OK))
				return;
		}
	} while (n > room);
}

static bool has_room(const char *place)
{
	struct statvfs fs;

	return !statvfs(place, &fs) &&
	       (uint64_t)fs.f_bavail * fs.f_frsize >= (uint64_t)ROOM_MB << 20;
}

/* QEMU inherits the files: no O_CLOEXEC. */
static bool open_made(struct chess_vm_snapshot *s)
{
	s->memory = open_in(s->dir, "memory", O_RDWR);
	s->state = open_in(s->dir, "state", O_RDONLY);
	if (s->memory >= 0 && s->state >= 0) {
		s->make = false;
		futimens(s->state, NULL);
		return true;
	}
	chess_vm_snapshot_close(s);
	return false;
}

bool chess_vm_snapshot_open(struct chess_vm_snapshot *s, uint64_t key)
{
	char place[4100], path[4300];

	*s = (struct chess_vm_snapshot){ .memory = -1, .state = -1, .lock = -1 };
	if (!key || !chess_vm_snapshot_place(place, sizeof(place)) || !make_place(place))
		return false;
	snprintf(s->dir, sizeof(s->dir), "%s/%016llx", place, (unsigned long long)key);
	if (open_made(s))
		return true;
	snprintf(path, sizeof(path), "%s.lock", s->dir);
	s->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (s->lock < 0 || flock(s->lock, LOCK_EX | LOCK_NB) || !has_room(place)) {
		chess_vm_snapshot_close(s);
		return false;
	}
	/* Another may have made it while we looked. */
	if (!access(s->dir, F_OK)) {
		close(s->lock);
		s->lock = -1;
		return open_made(s);
	}
	prune(place, CHESS_VM_SNAPSHOTS - 1);
	snprintf(path, sizeof(path), "%s.new", s->dir);
	remove_dir(path);
	if (!mkdir(path, 0700)) {
		s->memory = open_in(path, "memory", O_RDWR | O_CREAT | O_EXCL);
		s->state = open_in(path, "state", O_RDWR | O_CREAT | O_EXCL);
	}
	s->make = s->memory >= 0 && s->state >= 0;
	if (!s->make)
		chess_vm_snapshot_close(s);
	return s->make;
}

bool chess_vm_snapshot_commit(struct chess_vm_snapshot *s)
{
	char path[4300];

	snprintf(path, sizeof(path), "%s.new", s->dir);
	if (lseek(s->state, 0, SEEK_SET) < 0 || rename(path, s->dir))
		return false;
	s->make = false;
	snprintf(path, sizeof(path), "%s.lock", s->dir);
	unlink(path);
	close(s->lock);
	s->lock = -1;
	return true;
}

void chess_vm_snapshot_remove(struct chess_vm_snapshot *s)
{
	remove_dir(s->dir);
}

void chess_vm_snapshot_close(struct chess_vm_snapshot *s)
{
	char path[4300];

	if (s->make) {
		snprintf(path, sizeof(path), "%s.new", s->dir);
		remove_dir(path);
	}
	if (s->memory >= 0)
		close(s->memory);
	if (s->state >= 0)
		close(s->state);
	if (s->lock >= 0)
		close(s->lock);
	s->memory = s->state = s->lock = -1;
	s->make = false;
}

size_t chess_vm_snapshot_count(uint64_t *bytes)
{
	char place[4100], path[4600];
	struct dirent *d;
	struct stat st;
	size_t n = 0;
	DIR *dir;

	*bytes = 0;
	dir = chess_vm_snapshot_place(place, sizeof(place)) ? opendir(place) : NULL;
	while (dir && (d = readdir(dir))) {
		if (!is_key(d->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s/memory", place, d->d_name);
		if (!stat(path, &st))
			*bytes += (uint64_t)st.st_blocks * 512;
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}
