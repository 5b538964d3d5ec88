// SPDX-License-Identifier: GPL-2.0-only
/*
 * Table of contents: what is started, in which order, and stopped in reverse.
 */
#include <linux/module.h>
#include <net/genetlink.h>

#include "calls.h"
#include "compat.h"
#include "group.h"
#include "hot.h"
#include "kfunc.h"
#include "netlink.h"

CHESS_HOT_BEGIN;

static int __init chess_init(void)
{
	int ret;

	ret = chess_compat_init();
	if (ret)
		return ret;
	chess_calls_init();
	ret = chess_group_init();
	if (ret)
		return ret;
	ret = chess_netlink_init();
	if (ret)
		goto err_group;
	chess_kfunc_init();
	return 0;

err_group:
	chess_group_exit();
	return ret;
}

static void __exit chess_exit(void)
{
	chess_netlink_exit();
	chess_group_exit();
}

module_init(chess_init);
module_exit(chess_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Control of the interleaving of the tasks of a group");
MODULE_ALIAS_GENL_FAMILY(CHESS_FAMILY_NAME);
