#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Clients of memcached or redis that count what is lost. Each one sets keys of its own, reads
# them back, and increments a counter that all share; in the end the counter must be the number
# of increments that were answered. perl-base is enough.
#
#   load.pl memcached|redis PORT SECONDS CLIENTS [COUNTER]
#
# SECONDS 0: one round of each client. COUNTER: the name of the counter, if others use it later.
# Prints "N operations, N lost"; exit 1 if any was lost or none was made.
use strict;
use warnings;
use IO::Socket::INET;

my ($kind, $port, $seconds, $clients, $counter) = @ARGV;
my $limit = 60;	# for one answer
$counter //= "counter-$$";

sub line { my $s = shift; my $l = <$s>; die "no answer\n" unless defined $l; $l =~ s/\r\n$//; $l }

my %ask = (
	memcached => {
		set => sub { my ($s, $k, $v) = @_;
			print $s "set $k 0 0 " . length($v) . "\r\n$v\r\n"; line($s) eq 'STORED' },
		get => sub { my ($s, $k) = @_; print $s "get $k\r\n";
			line($s) =~ /^VALUE / or return ''; my $v = line($s); line($s); $v },
		incr => sub { my ($s, $k) = @_; print $s "incr $k 1\r\n"; line($s) },
	},
	redis => {
		set => sub { my ($s, $k, $v) = @_; print $s "SET $k $v\r\n"; line($s) eq '+OK' },
		get => sub { my ($s, $k) = @_; print $s "GET $k\r\n";
			line($s) =~ /^\$[0-9]/ or return ''; line($s) },
		incr => sub { my ($s, $k) = @_; print $s "INCR $k\r\n"; line($s) =~ /^:(\d+)/ ? $1 : '' },
	},
);
my $do = $ask{$kind} or die "load.pl: asked for '$kind', but there are only memcached and redis\n";

sub connected {
	my $s = IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) or die "connect: $!\n";
	$s->autoflush(1);
	$s;
}

# Returns operations, increments that were answered, and what was wrong.
sub client {
	my ($number) = @_;
	my ($made, $counted, $wrong, $round) = (0, 0, 0, 0);
	my $end = time + $seconds;

	$SIG{ALRM} = sub { die "no answer within $limit s\n" };
	eval {
		my $s = connected();
		do {
			my ($key, $value) = ("key-$$-$number-" . $round % 50, "value-$round");
			alarm $limit;
			$do->{set}->($s, $key, $value) or $wrong++;
			$do->{get}->($s, $key) eq $value or $wrong++;
			$do->{incr}->($s, $counter) =~ /^\d+$/ ? $counted++ : $wrong++;
			alarm 0;
			$made += 3;
			$round++;
		} while (time < $end);
		1;
	} or do { warn "client $number: $@"; $wrong++ };
	return ($made, $counted, $wrong);
}

my ($made, $counted, $wrong) = (0, 0, 0);
my $first = connected();
$do->{set}->($first, $counter, 0) or $wrong++;
my @results;
for my $number (1 .. $clients) {
	pipe(my $read, my $write) or die "pipe: $!\n";
	my $pid = fork // die "fork: $!\n";
	if (!$pid) {
		print $write join(' ', client($number)), "\n";
		close $write;
		exit 0;
	}
	close $write;
	push @results, $read;
}
for my $read (@results) {
	my @n = split ' ', <$read> // '';
	@n == 3 or $wrong++, next;
	$made += $n[0];
	$counted += $n[1];
	$wrong += $n[2];
}
1 while wait > 0;
my $total = $do->{get}->($first, $counter);
if ($total ne $counted) {
	warn "the counter is $total after $counted increments\n";
	$wrong++;
}
print "$kind: $made operations, $wrong lost\n";
exit($wrong || !$made ? 1 : 0);
