// SPDX-License-Identifier: GPL-2.0-only
/*
 * The generic netlink family: traps, and which of the accesses are points. Like netlink.c,
 * which this belongs to: parse, check and pass on; a sentence for every refusal.
 */
#include <linux/file.h>
#include <linux/netlink.h>
#include <net/genetlink.h>
#include <net/netlink.h>

#include "arch_x86.h"
#include "chess.h"
#include "compat_netlink.h"
#include "netlink-gen.h"
#include "netlink.h"
#include "traps/access.h"
#include "traps/image.h"

/* What a trap may say of its op; the other flags are the module's to set. */
#define PROBE_OP_FLAGS	(CHESS_OPF_WRITE | CHESS_OPF_RELEASE | CHESS_OPF_YIELD | \
			 CHESS_OPF_MAY_BLOCK)

/* Ops that give the task that does one no more to decide than whether it goes on. */
static bool may_be_noted(u8 op)
{
	switch (op) {
	case CHESS_OP_LOCK:
	case CHESS_OP_UNLOCK:
	case CHESS_OP_RDLOCK:
	case CHESS_OP_WRLOCK:
	case CHESS_OP_SEM_POST:
		return true;
	default:
		return false;
	}
}

static const char *jump_fault(const struct chess_probe *p)
{
	if (p->flags != CHESS_PROBE_JUMP || !may_be_noted(p->op) || p->op_flags & CHESS_OPF_YIELD ||
	    p->object_arg != 1 || p->second_arg)
		return "a trap that may become a jump is at another op, or is another one, too";
	if (p->orig_len < CHESS_ARCH_JUMP_BYTES)
		return "there is no room for a jump";
	return NULL;
}

static const char *probe_fault(const struct chess_probe *p, const struct chess_probe *previous)
{
	u32 i;

	if (previous && previous->offset >= p->offset)
		return "the traps are not sorted by offset, or two have the same";
	if (previous && previous->flags & CHESS_PROBE_JUMP &&
	    p->offset - previous->offset < previous->orig_len)
		return "it is within the instructions of another one";
	if (p->offset >= CHESS_MAX_TEXT)
		return "an offset is out of range, no text is that long";
	if (p->flags & ~(CHESS_PROBE_ACCESS | CHESS_PROBE_FREE | CHESS_PROBE_ALLOCATED |
			 CHESS_PROBE_RESIZE | CHESS_PROBE_OWN | CHESS_PROBE_TSC |
			 CHESS_PROBE_AWAIT_END | CHESS_PROBE_JUMP))
		return "a flag is unknown";
	if (p->flags & (CHESS_PROBE_RESIZE | CHESS_PROBE_OWN) && !(p->flags & CHESS_PROBE_FREE))
		return "a flag that goes with a heap's free() stands alone";
	if (p->flags & CHESS_PROBE_ACCESS ? !p->site || p->site >= CHESS_MAX_SITES : p->site)
		return "the number of an access site is missing, out of range or out of place";
	if (p->flags & CHESS_PROBE_TSC && (p->flags != CHESS_PROBE_TSC || p->id))
		return "a trap at the time stamp counter is another one, too";
	if (!p->id && !p->flags)
		return "the id is zero";
	if (p->id ? !p->op || p->op >= __CHESS_OP_MAX : p->op)
		return "the op class of a trap is unknown";
	if (p->op_flags & ~PROBE_OP_FLAGS)
		return "a flag of the op is unknown";
	if (!p->orig_len || p->orig_len > CHESS_PROBE_ORIG_MAX)
		return "the length of a displaced instruction is out of range";
	if (p->flags & CHESS_PROBE_TSC && !chess_arch_is_tsc(p->orig, p->orig_len))
		return "the instruction is not one that reads the time stamp counter";
	if (p->flags & CHESS_PROBE_JUMP && jump_fault(p))
		return jump_fault(p);
	if (!p->slot_len || p->slot_len > CHESS_PROBE_SLOT_MAX)
		return "the length of the code of a slot is out of range";
	if (p->object_arg > 6 || p->second_arg > 6)
		return "a function has six integer arguments";
	if (p->nfixups > CHESS_PROBE_FIXUPS)
		return "a slot has too many fixups";
	for (i = 0; i < p->nfixups; i++) {
		const struct chess_fixup *f = &p->fixups[i];

		if (f->kind != CHESS_FIXUP_ABS64 && f->kind != CHESS_FIXUP_REL32)
			return "the kind of a fixup is unknown";
		if (f->pad)
			return "a reserved field of a fixup is not zero";
		if (f->pos + (f->kind == CHESS_FIXUP_ABS64 ? 8 : 4) > p->slot_len)
			return "a fixup is outside its slot";
	}
	return NULL;
}

static int check_probes(const struct chess_probe *p, u32 count, struct genl_info *info)
{
	const char *fault;
	u32 i;

	for (i = 0; i < count; i++) {
		fault = probe_fault(&p[i], i ? &p[i - 1] : NULL);
		if (fault) {
			NL_SET_ERR_MSG_FMT(info->extack, "trap %u: %s", i, fault);
			return -EINVAL;
		}
	}
	return 0;
}

static const char *operand_fault(const struct chess_operand *o, bool may_be_none)
{
	const u8 kinds = CHESS_OPERAND_READ | CHESS_OPERAND_WRITE;

	if (may_be_none && !memchr_inv(o, 0, sizeof(*o)))
		return NULL;
	if (!o->size || !(o->flags & kinds))
		return "an operand has no size, or is neither read nor written";
	if (o->form > CHESS_FORM_ANY || o->segment > CHESS_BASE_GS)
		return "the form or the segment of an operand is unknown";
	if ((o->base > CHESS_REG_RIP && o->base != CHESS_REG_NONE) ||
	    (o->index > 31 && o->index != CHESS_REG_NONE) || o->mask > 31)
		return "a register of an operand is unknown";
	if (o->flags & CHESS_OPERAND_PERHAPS &&
	    (!o->elements || (o->form != CHESS_FORM_PLAIN && o->form != CHESS_FORM_COUNTED)))
		return "an operand of this form has no elements that are perhaps accessed";
	if (o->form == CHESS_FORM_GATHER ?
	    o->elements > 16 || (o->index_size != 4 && o->index_size != 8) || o->index > 31 ||
	    o->elements * o->index_size > 64 : o->form >= CHESS_FORM_MASKED && o->elements > 64)
		return "an operand has too many elements";
	if (o->flags & CHESS_OPERAND_VECTOR_MASK ? o->elements * o->size > 64 :
	    o->form >= CHESS_FORM_GATHER && o->mask > 7)
		return "the mask of an operand is out of range";
	if (o->awaits > CHESS_AWAITS_MAX || o->awaits == 1 || (o->await_op && !o->awaits) ||
	    o->await_op > CHESS_AWAIT_CMPXCHG || o->await_source >= CHESS_REG_RIP ||
	    (o->await_source && !o->await_op))
		return "what an operand says of a loop that waits is out of range or out of place";
	if (o->copy && ((o->form != CHESS_FORM_COUNTED && o->form != CHESS_FORM_PLAIN) ||
			!(o->copy & CHESS_COPY_KIND) ||
			(o->copy & CHESS_COPY_KIND) > CHESS_COPY_PADDED ||
			o->copy & ~(CHESS_COPY_KIND | CHESS_COPY_CHECKED | CHESS_COPY_JUMP)))
		return "what an operand says of a copy is unknown or out of place";
	if (o->pad)
		return "a reserved field of an operand is not zero";
	return NULL;
}

/* For each trap at an access, in their order, CHESS_PROBE_OPERANDS. */
static int check_operands(const struct chess_probe *p, u32 count, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[CHESS_A_PROBE_OPERANDS];
	const struct chess_operand *o = attr ? nla_data(attr) : NULL;
	u32 i, k, n = 0;
	bool none;

	for (i = 0; i < count; i++)
		n += p[i].flags & CHESS_PROBE_ACCESS ? CHESS_PROBE_OPERANDS : 0;
	if (n * sizeof(*o) != (attr ? nla_len(attr) : 0)) {
		NL_SET_ERR_MSG(info->extack,
			       "the operands are not two for each trap at an access");
		return -EINVAL;
	}
	for (i = 0, k = 0; k < n; k++) {
		const char *fault;

		/* That of the operand; free() needs none, and then has no second one. */
		while (!(p[i].flags & CHESS_PROBE_ACCESS))
			i++;
		none = k % CHESS_PROBE_OPERANDS || (p[i].flags & CHESS_PROBE_FREE);
		fault = operand_fault(&o[k], none);
		i += k % CHESS_PROBE_OPERANDS == CHESS_PROBE_OPERANDS - 1;
		if (fault) {
			NL_SET_ERR_MSG_FMT(info->extack, "operand %u: %s", k, fault);
			return -EINVAL;
		}
	}
	return 0;
}

static const char *add_fault(int err)
{
	switch (err) {
	case -EEXIST:
		return "the file has traps in this group already";
	case -ENOENT:
		return "the file has no traps in this group to add to";
	case -EINVAL:
		return "the traps to be added do not stand behind those the file has";
	case -E2BIG:
		return "the group has as many traps, or files with traps, as it may";
	default:
		return "no memory for the traps of a file";
	}
}

/* They are sorted: the last one tells. It may be cut off later, then none is armed there. */
static bool is_outside(struct file *file, const struct chess_probe *last)
{
	return last->offset + last->orig_len > i_size_read(d_real_inode(file->f_path.dentry));
}

static int add_image(struct chess_group *g, struct genl_info *info)
{
	struct nlattr *operands = info->attrs[CHESS_A_PROBE_OPERANDS];
	struct nlattr *flags = info->attrs[CHESS_A_PROBE_FLAGS];
	struct nlattr *attr = info->attrs[CHESS_A_PROBE_ENTRIES];
	u32 count = nla_len(attr) / sizeof(struct chess_probe);
	const struct chess_probe *probes = nla_data(attr);
	struct file *file;
	int ret;

	if (!count || nla_len(attr) % sizeof(struct chess_probe)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the traps are no array of struct chess_probe");
		return -EINVAL;
	}
	ret = check_probes(probes, count, info);
	if (!ret)
		ret = check_operands(probes, count, info);
	if (ret)
		return ret;
	file = fget(nla_get_u32(info->attrs[CHESS_A_PROBE_FD]));
	if (!file) {
		NL_SET_ERR_MSG(info->extack, "the file descriptor is not open");
		return -EBADF;
	}
	if (!S_ISREG(file_inode(file)->i_mode) || !(file->f_mode & FMODE_READ)) {
		NL_SET_ERR_MSG(info->extack,
			       "the descriptor is not of a regular file open for reading");
		ret = -EINVAL;
	} else if (is_outside(file, &probes[count - 1])) {
		NL_SET_ERR_MSG_FMT(info->extack, "trap %u: the file ends before its instruction does",
				   count - 1);
		ret = -EINVAL;
	} else {
		ret = chess_image_add(g, file, probes, count, operands ? nla_data(operands) : NULL,
				      flags && nla_get_u32(flags) & CHESS_PROBE_FLAGS_APPEND);
		if (ret)
			NL_SET_ERR_MSG_FMT(info->extack, "%s", add_fault(ret));
	}
	fput(file);
	return ret;
}

int chess_nl_probe_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct chess_group *g;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, CHESS_A_PROBE_FD) ||
	    GENL_REQ_ATTR_CHECK(info, CHESS_A_PROBE_ENTRIES)) {
		NL_SET_ERR_MSG(info->extack, "the file descriptor or the traps are missing");
		return -EINVAL;
	}
	g = chess_netlink_lock(info, CHESS_A_PROBE_GROUP);
	if (IS_ERR(g))
		return PTR_ERR(g);
	ret = chess_netlink_refuse_run(g, info, false);
	if (!ret)
		ret = add_image(g, info);
	chess_netlink_unlock(g);
	return ret;
}

int chess_nl_points_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[CHESS_A_ACCESS_POINTS];
	struct chess_group *g;
	int ret;

	if (GENL_REQ_ATTR_CHECK(info, CHESS_A_ACCESS_POINTS)) {
		NL_SET_ERR_MSG(info->extack, "the bitmap of sites is missing");
		return -EINVAL;
	}
	if (nla_len(attr) > CHESS_MAX_SITES / BITS_PER_BYTE || nla_len(attr) % sizeof(u64)) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "the bitmap is no array of u64, or longer than sites have numbers");
		return -EINVAL;
	}
	g = chess_netlink_lock(info, CHESS_A_ACCESS_GROUP);
	if (IS_ERR(g))
		return PTR_ERR(g);
	ret = chess_netlink_refuse_run(g, info, false);
	if (!ret) {
		ret = chess_access_set_points(g, nla_data(attr), nla_len(attr));
		if (ret)
			NL_SET_ERR_MSG(info->extack, "no memory for a bitmap of sites");
	}
	chess_netlink_unlock(g);
	return ret;
}
