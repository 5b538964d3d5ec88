#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: liburcu8
# threads: 3
# expect: what call_rcu() was given is freed after its readers, and before the barrier ends
exec liburcu
