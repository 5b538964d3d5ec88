#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: bash
# threads: 4 processes
# finding: as bash_wait
# expect: each of two jobs gives its own exit code, and a trapped signal is not lost
exec /bin/bash -c 'trap "got=1" USR1; (exit 3) & a=$!; (kill -USR1 $$; exit 4) & b=$!
	while wait $b; kb=$?; [ $kb -gt 128 ]; do :; done; wait $a; ka=$?
	[ $ka = 3 ] && [ $kb = 4 ] && [ "$got" = 1 ]'
