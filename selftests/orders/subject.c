// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs out of seeds whose outcome depends on the order of their steps: two threads of a
 * few steps each, with timers, signals, masks, memory that goes away, a plug-in. orders.sh
 * compares what a search finds with what happens by the clock alone.
 *
 *	subject SEED		runs it; what came of it is added as a line to $ORDERS_OUT
 *	subject SEED plans	prints the orders that need few preemptions, a line each
 *	subject SEED steps	prints its steps
 *	subject SEED PLAN	runs it with each step at its own time: PLAN has a digit for
 *				each, the thread's, and an "a" where the timer goes off
 *
 * No step waits for another one, so every order is possible.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define PAGE		4096
#define STEPS		2	/* of each thread, at most */
#define PREEMPTIONS	2	/* as many as a search has by default */
#define SLOT_MS		20
#define LOG		64

struct state {
	char log[LOG];
	volatile unsigned int logged;
	sigjmp_buf fault;
	volatile bool faulting;
};

struct step {
	const char *name;
	void (*run)(unsigned int me);
	unsigned int weight;
};

static struct state state[2];
static __thread unsigned int own;
static const struct step *program[2][STEPS];
static unsigned int steps[2];
static const char *plan;
static struct timespec begin;
static pthread_t thread[2];
static pthread_barrier_t both;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int plain, locked;
static volatile unsigned char *page;
static char plugin[256];
static void *volatile opened[2];

/* splitmix64 */
static uint64_t draw(uint64_t *seed)
{
	uint64_t z = *seed += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static void put(unsigned int me, int c)
{
	struct state *s = &state[me];

	if (s->logged < LOG - 1)
		s->log[s->logged++] = c;
}

static void on_signal(int sig)
{
	put(own, sig == SIGALRM ? 'A' : 'U');
	plain += 4;
}

static void on_fault(int sig)
{
	if (state[own].faulting)
		siglongjmp(state[own].fault, sig);
	_exit(99);
}

/* In the plan the alarm has a time of its own, as steps have. */
static long alarm_us(void)
{
	struct timespec now;
	const char *at;
	long from;

	if (!plan)
		return 1000;
	clock_gettime(CLOCK_MONOTONIC, &now);
	from = (now.tv_sec - begin.tv_sec) * 1000000L + (now.tv_nsec - begin.tv_nsec) / 1000;
	at = strchr(plan, 'a');
	/* One that is not in the plan goes off when all is over. */
	if (!at)
		return 30000000;
	from = (at - plan + 1) * SLOT_MS * 1000L - from;
	return from > 0 ? from : 1;
}

static void read_plain(unsigned int me)
{
	put(me, '0' + plain % 10);
}

static void write_plain(unsigned int me)
{
	plain = me + 1;
}

static void add_plain(unsigned int me)
{
	(void)me;
	plain++;
}

static void locks(unsigned int me)
{
	pthread_mutex_lock(&lock);
	locked = locked * 2 + me + 1;
	pthread_mutex_unlock(&lock);
}

static void tries(unsigned int me)
{
	int ret = pthread_mutex_trylock(&lock);

	put(me, ret ? 'b' : 't');
	if (!ret)
		pthread_mutex_unlock(&lock);
}

static void sends(unsigned int me)
{
	pthread_kill(thread[!me], SIGUSR1);
}

static void change_mask(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(how, &set, NULL);
}

static void blocks(unsigned int me)
{
	(void)me;
	change_mask(SIG_BLOCK);
}

static void lets_in(unsigned int me)
{
	(void)me;
	change_mask(SIG_UNBLOCK);
}

static void arms(unsigned int me)
{
	struct itimerval t = { .it_value.tv_usec = alarm_us() };

	(void)me;
	t.it_value.tv_sec = t.it_value.tv_usec / 1000000;
	t.it_value.tv_usec %= 1000000;
	setitimer(ITIMER_REAL, &t, NULL);
}

static void disarms(unsigned int me)
{
	struct itimerval none = { 0 };

	(void)me;
	setitimer(ITIMER_REAL, &none, NULL);
}

static void unmaps(unsigned int me)
{
	(void)me;
	munmap((void *)page, PAGE);
}

static void maps(unsigned int me)
{
	void *p = mmap((void *)page, PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	put(me, p == page ? 'm' : 'M');
}

static void protects(unsigned int me)
{
	put(me, mprotect((void *)page, PAGE, PROT_NONE) ? 'P' : 'p');
}

static void empties(unsigned int me)
{
	put(me, madvise((void *)page, PAGE, MADV_DONTNEED) ? 'D' : 'd');
}

static void looks(unsigned int me)
{
	state[me].faulting = true;
	if (sigsetjmp(state[me].fault, 1))
		put(me, 'F');
	else
		put(me, '0' + *page % 10);
	state[me].faulting = false;
}

static void stores(unsigned int me)
{
	state[me].faulting = true;
	if (sigsetjmp(state[me].fault, 1))
		put(me, 'S');
	else
		*page = me + 6;
	state[me].faulting = false;
}

static void opens(unsigned int me)
{
	opened[me] = dlopen(plugin, RTLD_NOW);
}

static void closes(unsigned int me)
{
	void *p = dlopen(plugin, RTLD_NOW | RTLD_NOLOAD);

	put(me, p ? 'y' : 'n');
	if (p)
		dlclose(p);
	if (opened[0] && !dlclose(opened[0]))
		opened[0] = NULL;
}

static void asks_environment(unsigned int me)
{
	const char *value = getenv("ORDERS_X");

	put(me, value ? value[0] : '-');
}

static void sets_environment(unsigned int me)
{
	setenv("ORDERS_X", me ? "2" : "1", 1);
}

static void sets_action(unsigned int me)
{
	(void)me;
	signal(SIGUSR1, SIG_IGN);
}

static const struct step table[] = {
	{ "read", read_plain, 3 },	{ "write", write_plain, 3 },
	{ "add", add_plain, 3 },	{ "lock", locks, 3 },
	{ "trylock", tries, 2 },	{ "kill", sends, 4 },
	{ "block", blocks, 3 },		{ "unblock", lets_in, 2 },
	{ "arm", arms, 4 },		{ "disarm", disarms, 2 },
	{ "munmap", unmaps, 3 },	{ "mmap", maps, 2 },
	{ "mprotect", protects, 2 },	{ "madvise", empties, 2 },
	{ "look", looks, 4 },		{ "store", stores, 3 },
	{ "dlopen", opens, 2 },		{ "dlclose", closes, 2 },
	{ "getenv", asks_environment, 2 },
	{ "setenv", sets_environment, 2 },
	{ "ignore", sets_action, 2 },
};

static void make(uint64_t seed)
{
	unsigned int me, i, total = 0, at;
	size_t k;

	for (k = 0; k < sizeof(table) / sizeof(table[0]); k++)
		total += table[k].weight;
	for (me = 0; me < 2; me++) {
		steps[me] = STEPS;
		for (i = 0; i < steps[me]; i++) {
			at = draw(&seed) % total;
			for (k = 0; at >= table[k].weight; k++)
				at -= table[k].weight;
			program[me][i] = &table[k];
		}
	}
}

/* Place in the plan of step @i of a thread. */
static void wait_for_slot(unsigned int me, unsigned int i)
{
	struct timespec t = begin;
	const char *at;

	for (at = plan; *at; at++)
		if (*at == (char)('0' + me) && !i--)
			break;
	t.tv_nsec += (at - plan + 1) * SLOT_MS * 1000000L;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

static void run(unsigned int me)
{
	unsigned int i;

	own = me;
	for (i = 0; i < steps[me]; i++) {
		if (plan)
			wait_for_slot(me, i);
		program[me][i]->run(me);
	}
}

static void *other(void *arg)
{
	if (plan)
		pthread_barrier_wait(&both);
	run(1);
	return arg;
}

static int say(void)
{
	const char *path = getenv("ORDERS_OUT");
	char line[256];
	int fd, n;

	if (!path)
		return 3;
	n = snprintf(line, sizeof(line), "%s|%s|%d|%d|%s\n", state[0].log, state[1].log, plain,
		     locked, getenv("ORDERS_X") ? getenv("ORDERS_X") : "-");
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	return fd < 0 || write(fd, line, n) != n;
}

static int execute(void)
{
	struct sigaction fault = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };

	signal(SIGUSR1, on_signal);
	signal(SIGALRM, on_signal);
	sigaction(SIGSEGV, &fault, NULL);
	sigaction(SIGBUS, &fault, NULL);
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return 2;
	*page = 5;
	pthread_barrier_init(&both, NULL, 2);
	thread[0] = pthread_self();
	if (pthread_create(&thread[1], NULL, other, NULL))
		return 2;
	if (plan) {
		clock_gettime(CLOCK_MONOTONIC, &begin);
		pthread_barrier_wait(&both);
	}
	run(0);
	if (pthread_join(thread[1], NULL))
		return 2;
	/* An alarm that is still to come comes here, or not at all. */
	change_mask(SIG_BLOCK);
	return say();
}

/*
 * The first thread goes on until it waits for the other one, or is preempted; so does the
 * other one. Where the timer goes off early that counts as much.
 */
static unsigned int preemptions(const char *order)
{
	unsigned int left[2] = { steps[0], steps[1] }, n = 0, at = 0, to;

	for (; *order; order++) {
		if (*order == 'a') {
			n++;
			continue;
		}
		to = *order - '0';
		n += to != at && left[at];
		at = to;
		left[at]--;
	}
	return n;
}

static bool has_armed(const char *order)
{
	unsigned int done[2] = { 0 };

	for (; *order != 'a'; order++)
		if (program[*order - '0'][done[*order - '0']++]->run == arms)
			return true;
	return false;
}

static void print_plans(char *order, unsigned int n, const unsigned int left[3])
{
	unsigned int i;

	order[n] = '\0';
	if (!left[0] && !left[1] && preemptions(order) <= PREEMPTIONS &&
	    (!strchr(order, 'a') || has_armed(order)))
		printf("%s\n", order);
	for (i = 0; i < 3; i++) {
		unsigned int rest[3] = { left[0], left[1], left[2] };

		if (!rest[i])
			continue;
		rest[i]--;
		order[n] = "01a"[i];
		print_plans(order, n + 1, rest);
	}
}

int main(int argc, char **argv)
{
	unsigned int i, me, left[3];
	char order[2 * STEPS + 2];
	ssize_t n;

	if (argc < 2 || argc > 3)
		return 2;
	n = readlink("/proc/self/exe", plugin, sizeof(plugin) - 16);
	if (n < 0)
		return 2;
	plugin[n] = '\0';
	strcpy(strrchr(plugin, '/'), "/plugin.so");
	make(strtoull(argv[1], NULL, 0));
	if (argc == 2)
		return execute();
	if (!strcmp(argv[2], "steps")) {
		for (me = 0; me < 2; me++)
			for (i = 0; i < steps[me]; i++)
				printf("%u:%s%s", me, program[me][i]->name,
				       me && i + 1 == steps[me] ? "\n" : " ");
		return 0;
	}
	if (!strcmp(argv[2], "plans")) {
		left[0] = steps[0];
		left[1] = steps[1];
		left[2] = 1;
		print_plans(order, 0, left);
		return 0;
	}
	plan = argv[2];
	return execute();
}
