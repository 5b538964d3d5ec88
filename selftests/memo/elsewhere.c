// SPDX-License-Identifier: GPL-2.0-only
/*
 * A library that takes a lot of address space, so that those that are mapped after it lie
 * elsewhere. See memo.sh.
 */
char elsewhere[64 << 20];
