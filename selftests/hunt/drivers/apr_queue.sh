#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libaprutil1
# threads: 3
# finding: a task that was counted did not run, see below
# expect: a thread pool runs both tasks before it is destroyed
exec apr_queue
