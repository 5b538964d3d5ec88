#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: bash
# threads: 2 processes
# finding: the exit status of a job is lost, see below
# expect: a wait that a trap interrupts can be repeated, and gives the exit code of the job
exec /bin/bash -c 'trap : USR1; (kill -USR1 $$; exit 4) &
	while wait $!; s=$?; [ $s -gt 128 ]; do :; done; [ $s = 4 ]'
