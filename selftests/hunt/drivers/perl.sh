#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: perl
# threads: 3
# expect: two interpreter threads add to a shared variable under its lock
exec /usr/bin/perl -e '
use threads; use threads::shared; my $n :shared = 0;
my @t = map { threads->create(sub { lock $n; $n++; cond_signal($n) }) } 1, 2;
{ lock $n; cond_wait($n) while $n < 2 }
$_->join for @t; exit($n != 2)'
