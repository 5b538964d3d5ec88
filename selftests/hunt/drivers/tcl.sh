#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: tcl tcl-thread
# threads: 4
# prepare: printf 'package require Thread\ntsv::set s n 0\nset m [thread::mutex create]\n'\
# prepare: 'foreach i {1 2} { lappend ids [thread::create -joinable "package require Thread;'\
# prepare: ' thread::mutex lock $m; tsv::incr s n; thread::mutex unlock $m"] }\n'\
# prepare: 'foreach t $ids { thread::join $t }\nexit [expr {[tsv::get s n] != 2}]\n' >t.tcl
# expect: two threads add to a shared variable
exec /usr/bin/tclsh8.6 t.tcl
