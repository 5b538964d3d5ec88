# SPDX-License-Identifier: GPL-2.0-only
# 200 commands to a memcached through two connections; prints every answer. The
# server may not listen yet, so connecting is tried again.
use strict;
use warnings;
use Cache::Memcached;
use IO::Socket::INET;

my $address = shift;
my $tries = 0;
while (!IO::Socket::INET->new(PeerAddr => $address)) {
	die "nobody listens at $address\n" if ++$tries > 500;
	select(undef, undef, undef, 0.01);
}
my @clients = map { Cache::Memcached->new(servers => [$address], no_rehash => 1) } 0 .. 1;
my $commands = 0;
sub show {
	my ($what, $answer) = @_;
	$answer = 'nothing' unless defined $answer;
	$commands++;
	print "$what: $answer\n";
}
for my $n (0 .. 39) {
	my ($one, $other) = @clients[$n % 2, 1 - $n % 2];
	show("set key$n", $one->set("key$n", $n * $n));
	show("get key$n", $other->get("key$n"));
	show("incr key$n", $other->incr("key$n", $n));
	show($n % 3 ? "add key$n" : "delete key$n",
	     $n % 3 ? $one->add("key$n", 1) : $one->delete("key$n"));
	show("get key$n", $one->get("key$n"));
}
print "commands $commands\n";
