#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A real Slurm on this one machine, on loopback: slurmctld, and a slurmd for each of the nodes
# n1, n2, ... Everything of it is in one folder: configuration, key and socket of munge, state,
# logs. It needs no systemd, and leaves neither a process nor a change elsewhere.
#
#   cluster.sh start DIR [NODES]	4 nodes; source DIR/env then, for sbatch
#   cluster.sh stop DIR
#   cluster.sh kill-node DIR NODE	slurmd and what it runs get SIGKILL, as when power fails
#   cluster.sh start-node DIR NODE
#
# Packages: scripts/install-deps.sh slurm. PORT: the first of NODES + 2 that it listens on; 17810.

set -u
export LC_ALL=C

fail() { echo "cluster: $*" >&2; exit 1; }

usage() { fail "usage: cluster.sh start|stop|kill-node|start-node DIR [NODES|NODE]"; }

command=${1:-} dir=${2:-}
[ -n "$dir" ] || usage
PATH=$PATH:/usr/sbin:/sbin

# until_true SECONDS COMMAND...: tries again until it succeeds
until_true()
{
	local end=$((SECONDS + $1))

	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		sleep 0.2
	done
}

# ours PID NAME: is that process still the daemon that we have started?
ours()
{
	[ -n "$1" ] && [ "$(cat "/proc/$1/comm" 2>/dev/null)" = "$2" ] &&
		grep -qzxF "CHESS_CLUSTER=$dir" "/proc/$1/environ" 2>/dev/null
}

# members [NODE]: ids of all processes of this cluster, or of a node: daemons, which have the
# variables of start_daemon, and what jobs have started, which has those of Slurm
members()
{
	local environ pid

	for environ in /proc/[0-9]*/environ; do
		if [ -n "${1:-}" ]; then
			grep -qzxE "(SLURMD_NODENAME|CHESS_NODE)=$1" "$environ" 2>/dev/null || continue
		fi
		grep -qzxF "CHESS_CLUSTER=$dir" "$environ" 2>/dev/null ||
			{ grep -qzxF "SLURM_CONF=$dir/slurm.conf" "$environ" 2>/dev/null &&
			  grep -qz ^SLURMD_NODENAME= "$environ" 2>/dev/null; } || continue
		pid=${environ#/proc/}
		echo "${pid%/*}"
	done
}

# start_daemon OUTPUT COMMAND...
start_daemon()
{
	local output=$dir/$1

	shift
	env CHESS_CLUSTER="$dir" CHESS_NODE="${node:-}" "$@" </dev/null >>"$output" 2>&1
}

write_config()
{
	local port=${PORT:-17810} nodes=$1 user

	user=$(id -un)
	cat >"$dir/slurm.conf" <<CONF
ClusterName=chess
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=0
SlurmdParameters=config_overrides
SlurmdTimeout=5
InactiveLimit=0
KillWait=2
MinJobAge=300
MessageTimeout=30
BatchStartTimeout=60
ReturnToService=2
JobRequeue=1
TreeWidth=16
MaxArraySize=100001
MaxJobCount=200000
NodeName=n[1-$nodes] NodeHostname=$(hostname) NodeAddr=127.0.0.1 \
Port=[$((port + 1))-$((port + nodes))] CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

is_up()
{
	sinfo -h -r -o %T | grep -qvE 'unk|down|drain|\*' && [ "$(sinfo -h -N -t idle,alloc,mix -o %N | wc -l)" = "$1" ]
}

start_node()
{
	local node=$1

	start_daemon "slurmd.$1.out" slurmd -N "$1" -f "$dir/slurm.conf" ||
		fail "slurmd of $1 does not start: $(tail -n 1 "$dir/slurmd.$1.log" 2>/dev/null)"
}

start()
{
	local nodes=${1:-4} i tool

	for tool in munged slurmctld slurmd sbatch; do
		command -v $tool >/dev/null || fail "no $tool; run scripts/install-deps.sh slurm"
	done
	mkdir -p "$dir/state" || exit 1
	chmod 755 "$dir"
	: >"$dir/nodes"
	for ((i = 1; i <= nodes; i++)); do
		mkdir -p "$dir/spool.n$i"
		echo "n$i" >>"$dir/nodes"
	done
	write_config "$nodes"
	echo "export SLURM_CONF='$dir/slurm.conf'" >"$dir/env"
	export SLURM_CONF=$dir/slurm.conf

	(umask 077; head -c 128 /dev/urandom >"$dir/munge.key")
	start_daemon munged.out munged --key-file "$dir/munge.key" --socket "$dir/munge.socket" --force \
		--pid-file "$dir/munged.pid" --log-file "$dir/munged.log" \
		--seed-file "$dir/munged.seed" ||
		fail "munged does not start: $(tail -n 1 "$dir/munged.out")"
	start_daemon slurmctld.out slurmctld -f "$dir/slurm.conf" ||
		fail "slurmctld does not start: $(tail -n 1 "$dir/slurmctld.log" 2>/dev/null)"
	until_true 30 scontrol ping || fail "slurmctld does not answer; see $dir/slurmctld.log"
	while read -r i; do
		start_node "$i"
	done <"$dir/nodes"
	until_true 60 is_up "$nodes" || fail "not all nodes are up: $(sinfo -h -N -o '%N %T' | tr '\n' ' ')"
}

# The daemons first, so that nothing new begins; then what jobs have left.
stop()
{
	local name pid file

	for file in "$dir"/slurmctld.pid "$dir"/slurmd.*.pid "$dir"/munged.pid; do
		read -r pid 2>/dev/null <"$file" || continue
		name=${file##*/}
		ours "$pid" "${name%%.*}" && kill -KILL "$pid"
	done
	for pid in $(members); do
		kill -KILL "$pid" 2>/dev/null
	done
	no_members() { [ -z "$(members)" ]; }
	until_true 10 no_members || fail "processes are left: $(members | tr '\n' ' ')"
}

kill_node()
{
	local pid

	for pid in $(members "$1"); do
		kill -KILL "$pid" 2>/dev/null
	done
	rm -f "$dir/slurmd.$1.pid"
}

mkdir -p "$dir" && dir=$(cd "$dir" && pwd) || exit 1
case $command in
start) start "${3:-4}" ;;
stop) stop ;;
kill-node) [ -n "${3:-}" ] || usage; kill_node "$3" ;;
start-node)
	[ -n "${3:-}" ] || usage
	export SLURM_CONF=$dir/slurm.conf
	start_node "$3" ;;
*) usage ;;
esac
