# SPDX-License-Identifier: GPL-2.0-only
# Three interpreter threads take numbers from a queue and add to a shared sum.
use strict;
use warnings;
use threads;
use threads::shared;
use Thread::Queue;

my $sum : shared = 0;
my $todo = Thread::Queue->new();
my @threads = map {
	threads->create(sub {
		my $mine = 0;
		while (defined(my $n = $todo->dequeue())) {
			lock($sum);
			$sum += $n * $n;
			$mine++;
		}
		return $mine;
	});
} 1 .. 3;
$todo->enqueue($_) for 1 .. 20;
$todo->end();
my $count = 0;
$count += $_->join() for @threads;
print "count $count sum $sum\n";
