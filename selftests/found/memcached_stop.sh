#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# memcached with one worker is told to end (SIGUSR1) as soon as it listens: its issue 742, and
# what is left of its pull request 920. Its log goes to a child that sends the signal; the program
# itself is memcached.
exec 2> >(
	while read -r line && [[ $line != *'server listening'* ]]; do
		:
	done
	kill -USR1 $$
)
exec /usr/bin/memcached -u root -s "${TMPDIR:-/tmp}/memcached.$$" -t 1 -m 8 -vv \
	-o no_lru_maintainer,no_lru_crawler,no_slab_reassign,no_hashexpand
