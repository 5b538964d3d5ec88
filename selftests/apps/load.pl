# SPDX-License-Identifier: GPL-2.0-only
# A steady load for attach.sh: load.pl KIND PORT CLIENTS FILE. Each client is a process
# with a connection of its own (http: one for each request) that asks and looks at the
# answers, until FILE is gone. Prints for each second how many answers were right, and
# at the end how many were not.
use strict;
use warnings;
use IO::Socket::INET;
use Time::HiRes qw(time);

my ($kind, $port, $clients, $file) = @ARGV;

sub dial {
	my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port", Timeout => 10);
	return $s;
}

# One request; dies when the answer is wrong.
my %ask = (
	redis => sub {
		my ($s, $n, $id) = @_;
		print $s "SET k$id $n\r\nGET k$id\r\n";
		my ($a, $b, $c) = map { scalar <$s> } 1 .. 3;
		$a eq "+OK\r\n" && $c eq "$n\r\n" or die "answer $a $b $c";
	},
	memcached => sub {
		my ($s, $n, $id) = @_;
		my $l = length $n;
		print $s "set k$id 0 0 $l\r\n$n\r\nget k$id\r\n";
		my ($a, $b, $c, $d) = map { scalar <$s> } 1 .. 4;
		$a eq "STORED\r\n" && $c eq "$n\r\n" && $d eq "END\r\n" or die "answer $a $b $c";
	},
	http => sub {
		my ($s, $n) = @_;
		my $one = dial() or die "cannot connect";
		print $one "GET / HTTP/1.0\r\n\r\n";
		local $/;
		<$one> =~ m{^HTTP/1\.[01] 200 .*hello}s or die "answer";
	},
);

$| = 1;
my @readers;
for my $id (1 .. $clients) {
	pipe(my $from, my $to);
	my $pid = fork;
	if (!$pid) {
		close $from;
		my ($n, $bad, $right, $second) = (0, 0, 0, int time);
		my $s = dial();
		$s->autoflush(1) if $s;
		while (-e $file) {
			$n++;
			eval { $ask{$kind}->($s, $n, $id); 1 } ? $right++ : do {
				$bad++;
				print STDERR "# $kind: $@" if $bad == 1;
				last if $bad > 100;
			};
			if (int time != $second) {
				syswrite $to, "$second $right\n";
				($second, $right) = (int time, 0);
			}
		}
		syswrite $to, "bad $bad\n";
		exit 0;
	}
	close $to;
	push @readers, $from;
}
my ($bad, %rate) = (0);
for my $r (@readers) {
	while (<$r>) {
		my ($when, $count) = split;
		$when eq 'bad' ? $bad += $count : ($rate{$when} += $count);
	}
}
1 while wait >= 0;
print "second $_ $rate{$_}\n" for sort keys %rate;
print "bad $bad\n";
