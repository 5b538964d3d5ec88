// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files a run executes code of that have no traps registered: what dlopen() opened, programs
 * that were executed later, a library that was built again. Their sync functions are no
 * points, which nobody could tell from a record: so arm.c, which looks at all that is mapped,
 * notes them here, and record-get tells the owner, who may register them for the next run.
 *
 * One line each, in the order in which they were mapped first: "p" where a trap would reach
 * this process alone, "s" where it would reach others (MAP_SHARED), and "t" where a program
 * translates what it reads there (arm.c), a space, and the path as the process has it, which
 * may be gone or another file's by now. What is at that path the owner has to open by
 * itself, with its own rights.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/seq_file.h>

#include "compat.h"
#include "mapped.h"
#include "quota.h"
#include "trap.h"

/**
 * chess_mapped_start() - none is known yet
 * @m: of an idle group
 * @quota: what its owner may have
 *
 * Context: netlink, group->lock held.
 * Return: 0 or -ENOMEM.
 */
int chess_mapped_start(struct chess_mapped *m, struct chess_quota *quota)
{
	if (!m->text)
		m->text = chess_quota_alloc(quota, CHESS_MAPPED_BYTES, 1, 0);
	if (!m->id)
		m->id = chess_quota_alloc(quota, CHESS_MAX_MAPPED, sizeof(*m->id), 0);
	m->n = 0;
	m->dropped = false;
	WRITE_ONCE(m->length, 0);
	return m->text && m->id ? 0 : -ENOMEM;
}

/**
 * chess_mapped_free() - free what is held
 * @m: of a group nobody has
 *
 * Context: process.
 */
void chess_mapped_free(struct chess_mapped *m)
{
	chess_quota_free(m->text);
	chess_quota_free(m->id);
}

/* One that is translated is listed even if it was listed before. */
static bool is_known(const struct chess_mapped *m, const struct chess_object_name *id,
		     bool translated)
{
	u32 i;

	for (i = 0; i < m->n; i++)
		if (m->id[i].ino == id->ino && m->id[i].dev == id->dev &&
		    m->id[i].generation == id->generation &&
		    (!translated || test_bit(i, m->translated)))
			return true;
	return false;
}

/* As in /proc: no name ends a line. Returns it, in @buf; NULL: it is too long. */
static const char *name_of(const struct vm_area_struct *vma, char *buf)
{
	const char *path = d_path(chess_compat_path(vma->vm_file), buf, PATH_MAX);
	char *end = IS_ERR(path) ? NULL : mangle_path(buf, path, "\n");

	if (!end)
		return NULL;
	*end = '\0';
	return buf;
}

static bool append(struct chess_mapped *m, const struct vm_area_struct *vma, bool translated,
		   char *buf)
{
	const char *path = name_of(vma, buf);
	char kind = translated ? 't' : chess_text_is_private(vma) ? 'p' : 's';
	u32 room = CHESS_MAPPED_BYTES - m->length, n;

	n = snprintf(m->text + m->length, room, "%c %s\n", kind, path ?: "?");
	if (n >= room) {
		m->text[m->length] = '\0';
		return false;
	}
	/* Pairs with smp_load_acquire() in put_mapped(). */
	smp_store_release(&m->length, m->length + n);
	return true;
}

/**
 * chess_mapped_note() - note a file without traps
 * @m: of the run
 * @vma: it is mapped there, executable
 * @translated: by a program that translates it
 *
 * A path costs more than an inode, and each scan comes by the same ones.
 *
 * Context: task work; group->leaving and mmap_lock held.
 * Return: false for the first one that finds no room.
 */
bool chess_mapped_note(struct chess_mapped *m, const struct vm_area_struct *vma, bool translated)
{
	const struct inode *inode = d_real_inode(vma->vm_file->f_path.dentry);
	const struct chess_object_name id = {
		.dev = new_encode_dev(inode->i_sb->s_dev),
		.generation = inode->i_generation,
		.ino = inode->i_ino,
	};
	char *buf;
	bool done;

	if (m->dropped || is_known(m, &id, translated))
		return true;
	buf = m->n < CHESS_MAX_MAPPED ? __getname() : NULL;
	done = buf && append(m, vma, translated, buf);
	if (buf)
		__putname(buf);
	if (done) {
		__assign_bit(m->n, m->translated, translated);
		m->id[m->n++] = id;
	} else {
		m->dropped = true;
	}
	return done;
}
