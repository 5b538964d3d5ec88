// SPDX-License-Identifier: GPL-2.0-only
/*
 * See control.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"

#define PATIENCE_MS 300000
#define NAP_MS 2

static void __attribute__((noreturn)) give_up(const char *what)
{
	printf("# %s: %s\n", what, chess_error());
	fflush(NULL);
	_exit(1);
}

static void nap(void)
{
	usleep(NAP_MS * 1000);
}

static const char *subject_path(void)
{
	static char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 16);
	char *slash;

	path[n > 0 ? n : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		give_up("readlink");
	strcpy(slash + 1, "subject");
	return path;
}

/* Of the program's files; looked up once, which takes longer than the rest. */
static struct image {
	char *path;
	struct chess_probe *probes;
	int n;
} *images;
static int n_images;

static void find_images(void)
{
	char **files = chess_symbols_files(subject_path());
	int i;

	for (i = 0; files && files[i]; i++)
		;
	images = calloc(i + 1, sizeof(*images));
	if (!files || !images)
		give_up("files of the program");
	for (n_images = 0; files[n_images]; n_images++) {
		struct image *image = &images[n_images];

		image->path = files[n_images];
		image->n = chess_symbols_probes(image->path, &image->probes, NULL);
	}
	free(files);
}

void control_page(struct control *c)
{
	cpu_set_t set;

	if (!images)
		find_images();
	memset(c, 0, sizeof(*c));
	if (pipe2(c->pipe, O_CLOEXEC))
		give_up("pipe");
	c->page_fd = memfd_create("page", 0);
	if (c->page_fd < 0 || ftruncate(c->page_fd, sizeof(*c->page)))
		give_up("memfd");
	c->page = mmap(NULL, sizeof(*c->page), PROT_READ | PROT_WRITE, MAP_SHARED, c->page_fd, 0);
	if (c->page == MAP_FAILED)
		give_up("mmap");
	if (sched_getaffinity(0, sizeof(set), &set))
		give_up("sched_getaffinity");
	c->page->cpus = CPU_COUNT(&set);
}

void control_open(struct control *c)
{
	int i, fd;

	c->ctl = chess_ctl_open();
	/* The longest quantum: who spins shall go on spinning. */
	if (!c->ctl || chess_group_new(c->ctl, 60000000, 0, &c->group))
		give_up("group-new");
	for (i = 0; i < n_images; i++) {
		fd = open(images[i].path, O_RDONLY | O_CLOEXEC);
		if (images[i].n > 0 &&
		    chess_probe_add(c->ctl, c->group, fd, images[i].probes, images[i].n))
			give_up("probe-add");
		close(fd);
	}
}

void control_spawn(struct control *c, const char *mode)
{
	const char *path = subject_path();
	char fd_text[16];

	snprintf(fd_text, sizeof(fd_text), "%d", c->page_fd);
	c->page->go = c->page->ready = 0;
	c->pid = fork();
	if (c->pid < 0)
		give_up("fork");
	if (!c->pid) {
		char b;

		setpgid(0, 0);
		dup2(c->pipe[0], 0);
		/* Our socket among them, which would keep the group alive. */
		if (c->page_fd > 3)
			close_range(3, c->page_fd - 1, 0);
		close_range(c->page_fd + 1, ~0U, 0);
		if (read(0, &b, 1) != 1)
			_exit(103);
		alarm(0);
		execl(path, path, mode, fd_text, NULL);
		_exit(104);
	}
	setpgid(c->pid, c->pid);
	c->page->program = c->pid;
}

void control_register(struct control *c)
{
	if (chess_task_add(c->ctl, c->group, c->pid))
		give_up("task-add");
}

void control_arm(struct control *c)
{
	if (chess_run_start(c->ctl, c->group, 0, 1, NULL, 0))
		give_up("run-start");
}

void control_go(struct control *c)
{
	if (write(c->pipe[1], "x", 1) != 1)
		give_up("write");
}

void control_start(struct control *c, const char *mode)
{
	control_spawn(c, mode);
	control_register(c);
	control_arm(c);
	control_go(c);
	if (!wait_flag(&c->page->ready))
		give_up("the program did not become ready");
}

void control_close(struct control *c)
{
	close(c->pipe[0]);
	close(c->pipe[1]);
	chess_ctl_close(c->ctl);
	if (c->page)
		munmap(c->page, sizeof(*c->page));
	close(c->page_fd);
}

bool wait_flag(const volatile int *flag)
{
	int i;

	for (i = 0; i < PATIENCE_MS && !*flag; i += NAP_MS)
		nap();
	return *flag;
}

bool wait_notice(struct control *c, uint32_t notice)
{
	struct chess_run_notice n;

	do {
		if (chess_notice_wait(c->ctl, PATIENCE_MS, &n))
			return false;
	} while (n.notice != notice);
	return true;
}

bool wait_group_state(struct control *c, uint32_t state)
{
	struct chess_group_info info;
	int i;

	for (i = 0; i < PATIENCE_MS; i += NAP_MS) {
		if (chess_group_get(c->ctl, c->group, &info))
			return false;
		if (info.state == state)
			return true;
		nap();
	}
	return false;
}

bool wait_tasks(struct control *c, uint32_t state, int n)
{
	struct chess_task_info *tasks;
	int i, k, count, found = 0;

	for (i = 0; i < PATIENCE_MS && found < n; i += NAP_MS) {
		count = chess_task_list(c->ctl, c->group, &tasks);
		if (count < 0)
			return false;
		for (found = 0, k = 0; k < count; k++)
			found += tasks[k].state == state;
		free(tasks);
		if (found < n)
			nap();
	}
	return found >= n;
}

int control_end(pid_t pid)
{
	int i, status, got = 0;

	for (i = 0; i < PATIENCE_MS && !got; i += NAP_MS) {
		got = waitpid(pid, &status, WNOHANG);
		if (!got)
			nap();
	}
	if (got != pid)
		return -1;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	return (WCOREDUMP(status) ? 2000 : 1000) + WTERMSIG(status);
}

static long mapping_differs(int mem, unsigned long start, unsigned long end, unsigned long offset,
			    const char *path)
{
	static unsigned char a[65536], b[65536];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	long differs = 0;
	ssize_t n, k;

	if (fd < 0)
		return -1;
	while (start < end) {
		n = pread(fd, b, sizeof(b) < end - start ? sizeof(b) : end - start, offset);
		/* The rest of the last page is of no file. */
		if (n <= 0)
			break;
		if (pread(mem, a, n, start) != n) {
			differs = -1;
			break;
		}
		for (k = 0; k < n; k++)
			differs += a[k] != b[k];
		start += n;
		offset += n;
	}
	close(fd);
	return differs;
}

long text_differs(pid_t pid)
{
	char path[PATH_MAX], line[PATH_MAX + 128], perms[8];
	unsigned long start, end, offset;
	long total = 0, one;
	int mem, texts = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	mem = open(path, O_RDONLY | O_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %7s %lx %*s %*s %4095s", &start, &end, perms, &offset,
			   path) != 5 || perms[2] != 'x' || path[0] != '/')
			continue;
		one = mapping_differs(mem, start, end, offset, path);
		if (one < 0) {
			total = -1;
			break;
		}
		total += one;
		texts++;
	}
	if (maps)
		fclose(maps);
	close(mem);
	return texts ? total : -1;
}
