/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of netlink_fuzz share: netlink_fuzz.c starts children and looks at what is
 * left; netlink_child.c is such a child, netlink_message.c makes its messages,
 * netlink_send.c sends them and looks at the answers, netlink_program.c has the programs it
 * puts under control, and bystanders.
 */
#ifndef CHESS_SELFTESTS_FUZZ_NETLINK_CHILD_H
#define CHESS_SELFTESTS_FUZZ_NETLINK_CHILD_H

#include <linux/chess.h>
#include <linux/chess_record.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/types.h>

#include "netlink_table.h"

#define N_BYSTANDERS	4
#define N_SOCKETS	4
#define N_GROUPS	32
#define N_PROGRAMS	4
#define N_FILES		6
#define N_FIXUPS	4
#define N_OWNERS	65536
#define MESSAGE_BYTES	(256 * 1024)

/**
 * struct netlink_count - of a command
 * @sent: messages
 * @accepted: of those
 * @timed: that had a call of their own
 * @us: which took so long
 */
struct netlink_count {
	unsigned long sent, accepted, timed, us;
};

/**
 * struct netlink_shared - of all processes of the fuzzer
 * @messages: that were sent
 * @refused: of those, as there was no room in the socket; nobody looked at them
 * @calls: that sent several of them
 * @cut: calls that ended before their last message, since they took too long
 * @garbage: that name no command
 * @groups: that were made
 * @programs: that were started
 * @crossed: requests that should have been refused
 * @what: the first of them
 * @count: by command
 * @bystander: pids nobody has a right to, but root
 * @owner: by the last bits of a group's number: which one, and whose
 * @epoch: odd while @closed changes
 * @closed: users without rights may do nothing
 * @talk: sockets on which children pass sockets on: those without rights, and root
 */
struct netlink_shared {
	unsigned long messages, refused, calls, cut, garbage, groups, programs, crossed;
	char what[128];
	struct netlink_count count[N_COMMANDS];
	pid_t bystander[N_BYSTANDERS];
	struct {
		uint32_t id, uid;
	} owner[N_OWNERS];
	volatile unsigned int epoch;
	volatile bool closed;
	int talk[2];
};

extern struct netlink_shared *shared;

/**
 * struct fixup - a number in a message that is another one when the log is sent again
 * @at: where it stands, from the message's begin
 * @is_pid: of a program; else of a group
 * @index: which of those the child has
 */
struct fixup {
	uint32_t at;
	uint16_t is_pid, index;
};

/**
 * struct request - a message that is being made
 * @head: it begins here
 * @bytes: and is no longer than this
 * @command: index in the table; N_COMMANDS: none
 * @pid: that it names, or 0
 * @group: that it names, or 0
 * @accesses: traps at accesses in it
 * @n_fixups: of those in use
 * @fixup: see there
 */
struct request {
	union {
		struct nlmsghdr head;
		char bytes[MESSAGE_BYTES];
	};
	unsigned int command;
	uint32_t pid, group, accesses;
	unsigned int n_fixups;
	struct fixup fixup[N_FIXUPS];
};

/**
 * struct netlink_child - a process that sends
 * @number: which one
 * @uid: whose
 * @pid: 0 when it is not there
 * @seed: of its random numbers
 * @replay: a log to be sent again, or NULL
 * @random: state of the random numbers
 * @family: number of the family
 * @socket: its sockets
 * @group: groups it knows of, 0: none
 * @owner: the socket of each
 * @alive: of those, as far as it knows
 * @n_alive: so many are
 * @most_queued: by socket, messages of its next call
 * @full: messages until it asks for a group again: the user had as many as it may have
 * @run_every: messages, on the average, between what a controller does for a run
 * @n_groups: were made so far; the last N_GROUPS are kept
 * @program: programs of its own
 * @go: bytes written there let them execute
 * @file: descriptors to name
 *	the first one is of the program that has functions to be trapped
 * @log: what is sent goes there, or -1
 * @plain: requests are such that none is refused
 */
struct netlink_child {
	unsigned int number;
	uid_t uid;
	pid_t pid;
	unsigned long seed;
	const char *replay;
	uint64_t random;
	uint16_t family;
	int socket[N_SOCKETS];
	uint32_t group[N_GROUPS];
	unsigned int owner[N_GROUPS];
	bool alive[N_GROUPS];
	unsigned int n_alive, full, run_every, n_groups, most_queued[N_SOCKETS];
	pid_t program[N_PROGRAMS];
	int go[N_PROGRAMS];
	int file[N_FILES];
	int log;
	bool plain;
};

/**
 * struct netlink_bystander - a process that must not notice anything
 * @pid: of it
 * @talk: our end of its socket
 */
struct netlink_bystander {
	pid_t pid;
	int talk;
};

/* netlink_child.c */
void netlink_child_run(struct netlink_child *c);
/* Copy a log to stdout without @count acts from number @from on; 0, or 1 when none is there */
int netlink_cut(const char *path, unsigned long from, unsigned long count);

/* netlink_send.c */
int netlink_open(void);
uint16_t netlink_family(int fd);
/* sequence numbers are @number's */
void netlink_begin(unsigned int number);
/* one message now; one after those that wait, in the call that netlink_flush() makes */
void netlink_send(struct netlink_child *c, unsigned int socket, struct request *r, size_t length);
void netlink_queue(struct netlink_child *c, unsigned int socket, struct request *r, size_t length);
void netlink_flush(struct netlink_child *c, unsigned int socket);
/* how many wait */
unsigned int netlink_queued(unsigned int socket);
/* read answers by as many calls at most */
void netlink_drain(struct netlink_child *c, unsigned int socket, unsigned int most);
/* the socket is closed, and its groups are gone */
void netlink_forget(struct netlink_child *c, unsigned int socket);

/* netlink_message.c */
uint32_t netlink_draw(struct netlink_child *c, uint32_t n);
/* a request with values that are right; group and program by index, -1: any */
void netlink_make(struct netlink_child *c, struct request *r, unsigned int command, int group,
		  int program);
void netlink_spoil(struct netlink_child *c, struct request *r);

/* netlink_program.c */
#define N_TRAPPED 6
extern char netlink_program_path[];
void netlink_prepare_program(void);
uint64_t netlink_trapped_offset(unsigned int i);
int netlink_program(void);
void netlink_bystander_start(struct netlink_bystander *b, uid_t uid, bool threads);
bool netlink_bystander_end(struct netlink_bystander *b);

#endif /* CHESS_SELFTESTS_FUZZ_NETLINK_CHILD_H */
