// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files in /proc and /sys show what others do without naming a file: a task that asks whether
 * /proc/PID is there asks about the process. So the record says of a path whether it may lead
 * there. To follow the path as the kernel does could sleep, and would have effects. So this goes by
 * how the path begins, and by the file system that it begins in. Other symbolic links are not seen.
 */
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/fs_struct.h>
#include <linux/magic.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "path.h"

/* Return: how many bytes @start has before the end of the path; negative: it cannot be read. */
static int read_start(char *start, unsigned long path)
{
	int n;

	for (n = 0; n < CHESS_PATH_BYTES; n++) {
		if (copy_from_user_nofault(&start[n], (const void __user *)(path + n), 1))
			return -EFAULT;
		if (!start[n])
			break;
	}
	return n;
}

static bool is_system(const struct super_block *sb)
{
	return sb->s_magic == PROC_SUPER_MAGIC || sb->s_magic == SYSFS_MAGIC;
}

/* What has its mount points in it may be left for them by a name. */
static bool may_leave(const struct dentry *dir)
{
	return IS_ROOT(dir) || is_system(dir->d_sb);
}

/*
 * Others may change the directory of a task whose fs they share, even while it is looked at: which
 * one it was does not matter then, but that it is there. Both go by RCU.
 */
static bool is_cwd_system(void)
{
	bool yes;

	rcu_read_lock();
	yes = may_leave(READ_ONCE(current->fs->pwd.dentry));
	rcu_read_unlock();
	return yes;
}

static bool is_dir_system(int dir)
{
	struct file *file;
	bool yes;

	if (dir == AT_FDCWD)
		return is_cwd_system();
	file = fget_raw(dir);
	if (!file)
		return false;
	yes = may_leave(file->f_path.dentry);
	fput(file);
	return yes;
}

/*
 * "//proc", "/./proc" and the like are not worth more. /dev/fd, /dev/stdin and its like are links
 * into /proc.
 */
static bool is_named(const char *start)
{
	return start[1] == '/' || start[1] == '.' || !strncmp(start, "/proc", 5) ||
	       !strncmp(start, "/sys", 4) || !strncmp(start, "/dev/f", 6) ||
	       !strncmp(start, "/dev/s", 6);
}

/**
 * chess_path_leads() - where a path leads that a call of current is given
 * @path: user address of its first byte; NULL is empty, as the kernel has it
 * @dir: descriptor of the directory that it begins in, or AT_FDCWD
 *
 * Context: probe (sys_enter), in current, which has the token.
 * Return: enum chess_path; what cannot be read may lead anywhere.
 */
enum chess_path chess_path_leads(unsigned long path, int dir)
{
	char start[CHESS_PATH_BYTES] = "";
	int n = path ? read_start(start, path) : 0;
	bool system;

	if (!n)
		return CHESS_PATH_LEADS_TO_NOTHING;
	if (n < 0)
		return CHESS_PATH_LEADS_TO_SYSTEM;
	if (start[0] == '/')
		system = is_named(start);
	else
		system = (start[0] == '.' && start[1] == '.') || is_dir_system(dir);
	return system ? CHESS_PATH_LEADS_TO_SYSTEM : CHESS_PATH_LEADS_TO_FILE;
}
