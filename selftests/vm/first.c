// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first process of a machine that is nothing but an initramfs, for kernels without
 * what chess-vm needs: loads /chess.ko, runs /run, powers off. Built by initramfs.sh, static.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static void load(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		perror(path);
}

int main(void)
{
	pid_t pid;
	int status = -1;

	if (mount("proc", "/proc", "proc", 0, NULL) || mount("sys", "/sys", "sysfs", 0, NULL) ||
	    mount("dev", "/dev", "devtmpfs", 0, NULL) || mount("tmp", "/tmp", "tmpfs", 0, NULL) ||
	    mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL))
		perror("mount");
	load("/chess.ko");
	pid = fork();
	if (!pid) {
		execl("/bin/bash", "bash", "/run", NULL);
		perror("/run");
		_exit(127);
	}
	while (wait(&status) != pid)
		;
	printf("\nthe command ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 255);
	fflush(NULL);
	/* A serial line takes its time. */
	tcdrain(STDOUT_FILENO);
	sync();
	reboot(RB_POWER_OFF);
	return 1;
}
