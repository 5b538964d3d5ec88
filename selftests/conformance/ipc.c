// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that the timed calls on System V semaphores and POSIX message queues give
 * under control what they give without, and leave the same behind: the semaphore's
 * value, the number of messages. Run by conformance.sh.
 */
#include "conf.h"

#include <fcntl.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/sem.h>

#define MESSAGE	16

static int sem = -1;
static mqd_t queue = -1;

/* --- semtimedop --------------------------------------------------------- */

static void make_sem(void)
{
	sem = conf_must(semget(IPC_PRIVATE, 2, 0600));
}

static void remove_sem(void)
{
	semctl(sem, 0, IPC_RMID);
}

static void post_sem(void)
{
	struct sembuf up = { .sem_num = 1, .sem_op = 2 };

	conf_must(semop(sem, &up, 1));
}

/* Both or nothing: the first op alone could be done. */
static long wait_sem(struct conf_wait *w)
{
	struct sembuf ops[2] = { { 0, 1, 0 }, { 1, -1, 0 } };
	struct timespec ts = conf_ts(w->ns);
	long ret = syscall(SYS_semtimedop, sem, ops, 2, &ts);
	int error = errno;

	w->rem = conf_kept(w->ns, conf_ns(&ts));
	snprintf(w->extra, sizeof(w->extra), "values=%d,%d", semctl(sem, 0, GETVAL),
		 semctl(sem, 1, GETVAL));
	errno = error;
	return ret;
}

static struct timespec bad_ns = { .tv_nsec = 1000000000 }, bad_sec = { .tv_sec = -1 },
	second = { .tv_sec = 20 };

static void sem_more(void)
{
	struct sembuf down = { .sem_op = -1 }, nowait = { .sem_op = -1, .sem_flg = IPC_NOWAIT };
	struct sembuf beyond = { .sem_num = 7, .sem_op = -1 };
	long ret;

	make_sem();
	conf_try("eagain-nowait", syscall(SYS_semtimedop, sem, &nowait, 1, &second));
	conf_try("efbig", syscall(SYS_semtimedop, sem, &beyond, 1, &second));
	conf_try("einval-ns", syscall(SYS_semtimedop, sem, &down, 1, &bad_ns));
	conf_try("einval-sec", syscall(SYS_semtimedop, sem, &down, 1, &bad_sec));
	conf_try("einval-count", syscall(SYS_semtimedop, sem, &down, 0, &second));
	conf_try("efault-ops", syscall(SYS_semtimedop, sem, conf_bad, 1, &second));
	conf_try("efault-timeout", syscall(SYS_semtimedop, sem, &down, 1, conf_bad));
	if (conf_wanted("removed")) {
		conf_when_blocked(SYS_semtimedop, remove_sem);
		ret = syscall(SYS_semtimedop, sem, &down, 1, &second);
		conf_line("removed", ret, " ");
		conf_join();
	}
	remove_sem();
	conf_try("einval-removed", syscall(SYS_semtimedop, sem, &down, 1, &second));
}

/* --- message queues ----------------------------------------------------- */

static void open_queue(void)
{
	struct mq_attr attr = { .mq_maxmsg = 1, .mq_msgsize = MESSAGE };
	char name[32];

	snprintf(name, sizeof(name), "/conf-%d", conf_pid);
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attr);
	if (queue == (mqd_t)-1)
		conf_die("mq_open: %s", strerror(errno));
	mq_unlink(name);
}

static void close_queue(void)
{
	mq_close(queue);
}

static void put_message(void)
{
	conf_must(mq_send(queue, "message", 8, 5));
}

static void open_full_queue(void)
{
	open_queue();
	put_message();
}

static void take_message(void)
{
	char text[MESSAGE];

	conf_must(mq_receive(queue, text, sizeof(text), NULL));
}

static void say_queue(struct conf_wait *w, const char *text, unsigned int priority)
{
	struct mq_attr attr = { .mq_curmsgs = -1 };

	mq_getattr(queue, &attr);
	snprintf(w->extra, sizeof(w->extra), "left=%ld text=%s priority=%u", attr.mq_curmsgs, text,
		 priority);
}

static long wait_receive(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	char text[MESSAGE] = "none";
	unsigned int priority = 0;
	long ret = syscall(SYS_mq_timedreceive, queue, text, sizeof(text), &priority, &ts);
	int error = errno;

	say_queue(w, text, priority);
	errno = error;
	return ret;
}

static long wait_send(struct conf_wait *w)
{
	struct timespec ts = conf_deadline(w);
	long ret = syscall(SYS_mq_timedsend, queue, "second", 7, 3, &ts);
	int error = errno;

	say_queue(w, "-", 0);
	errno = error;
	return ret;
}

static void receive_more(void)
{
	char text[MESSAGE];
	unsigned int priority;

	open_queue();
	conf_try("einval-ns", syscall(SYS_mq_timedreceive, queue, text, MESSAGE, NULL, &bad_ns));
	conf_try("einval-sec", syscall(SYS_mq_timedreceive, queue, text, MESSAGE, NULL, &bad_sec));
	conf_try("emsgsize", syscall(SYS_mq_timedreceive, queue, text, 1, &priority, &second));
	conf_try("ebadf", syscall(SYS_mq_timedreceive, 999, text, MESSAGE, NULL, &second));
	conf_try("efault-timeout", syscall(SYS_mq_timedreceive, queue, text, MESSAGE, NULL,
					   conf_bad));
	put_message();
	conf_try("efault-text", syscall(SYS_mq_timedreceive, queue, conf_bad, MESSAGE, NULL,
					&second));
	close_queue();
}

static void send_more(void)
{
	open_full_queue();
	conf_try("einval-ns", syscall(SYS_mq_timedsend, queue, "x", 1, 0, &bad_ns));
	conf_try("einval-priority", syscall(SYS_mq_timedsend, queue, "x", 1, 40000, &second));
	conf_try("emsgsize", syscall(SYS_mq_timedsend, queue, "x", MESSAGE + 1, 0, &second));
	conf_try("ebadf", syscall(SYS_mq_timedsend, 999, "x", 1, 0, &second));
	conf_try("efault-timeout", syscall(SYS_mq_timedsend, queue, "x", 1, 0, conf_bad));
	conf_try("efault-text", syscall(SYS_mq_timedsend, queue, conf_bad, 1, 0, &second));
	close_queue();
}

static const struct conf_call calls[] = {
	{ .name = "semtimedop", .nr = SYS_semtimedop, .clock = CLOCK_MONOTONIC, .setup = make_sem,
	  .wake = post_sem, .wait = wait_sem, .teardown = remove_sem, .more = sem_more },
	{ .name = "mq_timedreceive", .nr = SYS_mq_timedreceive, .flags = CONF_ABS,
	  .clock = CLOCK_REALTIME, .setup = open_queue, .wake = put_message, .wait = wait_receive,
	  .teardown = close_queue, .more = receive_more },
	{ .name = "mq_timedsend", .nr = SYS_mq_timedsend, .flags = CONF_ABS,
	  .clock = CLOCK_REALTIME, .setup = open_full_queue, .wake = take_message,
	  .wait = wait_send, .teardown = close_queue, .more = send_more },
};

int main(int argc, char **argv)
{
	return conf_main(argc, argv, calls, ARRAY_SIZE(calls));
}
