// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions that access memory in the same way as others: see memcall_table.h.
 */
#include <string.h>

#include "code/memcall_kinds.h"
#include "code/memcall_table.h"
#include "internal.h"

/* Of many functions each. All that they access is a string, or also where its number ends. */
static const struct chess_memcall first_is_string = { "", { { R | T, 1, 0, 1 } } };
static const struct chess_memcall second_is_string = { "", { { R | T, 2, 0, 1 } } };
static const struct chess_memcall first_is_number = {
	"", { { R | T, 1, 0, 1 }, { W, 2, 0, 8 } },
};
static const struct chess_memcall first_is_wide_number = {
	"", { { R | T, 1, 0, 4 }, { W, 2, 0, 8 } },
};
static const struct chess_memcall first_is_name = { "", { { R | W | T, 1, 0, 1 } } };
static const struct chess_memcall both_are_strings = {
	"", { { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } },
};
static const struct chess_memcall stream_used = { "", { { S, 1, 0, 1 } } };
static const struct chess_memcall stream_without_lock = { "", { { R | W, 1, 0, 1 } } };
static const struct chess_memcall second_without_lock = { "", { { R | W, 2, 0, 1 } } };
static const struct chess_memcall stream_asked = { "", { { R, 1, 0, 1 } } };
static const struct chess_memcall pointer_and_length = {
	"", { { R | W, 1, 0, 8 }, { R | W, 2, 0, 8 } },
};
static const struct chess_memcall termios_changed = { "", { { R | W, 1, 0, 60 } } };
static const struct chess_memcall termios_read = { "", { { R, 1, 0, 60 } } };
static const struct chess_memcall tree_of_files = { "", { { R | W, 1, 0, 8 } } };
static const struct chess_memcall actions_changed = { "", { { R | W, 1, 0, 80 } } };
static const struct chess_memcall spawn_changed = { "", { { R | W, 1, 0, 336 } } };
static const struct chess_memcall spawn_read = { "", { { R, 1, 0, 336 }, { W, 2, 0, 2 } } };
static const struct chess_memcall lock_attr_changed = { "", { { R | W, 1, 0, 4 } } };
static const struct chess_memcall lock_attr_read = { "", { { R, 1, 0, 4 }, { W, 2, 0, 4 } } };
static const struct chess_memcall attr_changed = { "", { { R | W, 1, 0, ATTR_BYTES } } };

/* They fail where a limit has been lowered that leaves no memory: RLIMIT_AS, RLIMIT_DATA. */
static const struct chess_memcall takes_memory = {
	"", { { CHESS_ACCESS_MAY_READ, CHESS_MEMCALL_LIMITS, 0, 8 } },
};

static const struct chess_memcall clock_read = { "", { { F, CHESS_MEMCALL_CLOCK, 0, 8 } } };

static const char *const first_strings[] = {
	"access", "atof", "atoi", "atol", "atoll", "chdir", "chmod", "chown", "chroot", "creat",
	"creat64", "dlopen", "eaccess", "euidaccess", "execl", "execle", "execlp", "execv",
	"execve", "execvp", "execvpe", "fopen", "fopen64", "freopen", "freopen64", "getgrnam",
	"gethostbyname", "getpwnam", "index", "inet_addr", "lchown", "memfd_create", "mkdir",
	"mkfifo", "mknod", "mq_open", "mq_unlink", "open", "open64", "__open64_2", "__open_2",
	"opendir", "pathconf", "perror", "popen", "rawmemchr", "remove", "rindex",
	"rmdir", "scandir", "sem_open", "sem_unlink", "setmntent", "shm_open", "shm_unlink",
	"canonicalize_file_name", "inet_network", "strchr", "strchrnul", "__strdup", "strdup",
	"strlen", "strrchr", "swapoff", "swapon", "system", "truncate", "truncate64", "umount",
	"umount2", "unlink", "utime",
};

static const char *const second_strings[] = {
	"dlsym", "faccessat", "fchmodat", "fchownat", "inotify_add_watch", "mkdirat", "mkfifoat",
	"mknodat", "openat", "openat64", "__openat64_2", "__openat_2", "pthread_setname_np",
	"setlocale", "unlinkat",
};

static const char *const first_numbers[] = {
	"__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoul", "__isoc23_strtoull",
	"strtod", "strtof", "strtoimax", "strtol", "strtold", "strtoll", "strtoul", "strtoull",
	"strtoumax", "strtod_l", "strtof_l", "strtol_l", "strtold_l", "strtoll_l", "strtoul_l",
	"strtoull_l",
};

static const char *const attr_functions[] = {
	"pthread_attr_destroy", "pthread_attr_setdetachstate", "pthread_attr_setguardsize",
	"pthread_attr_setinheritsched", "pthread_attr_setschedparam",
	"pthread_attr_setschedpolicy", "pthread_attr_setscope", "pthread_attr_setstacksize",
	"pthread_attr_setstack", "pthread_attr_setaffinity_np",
};

static const char *const first_wide_numbers[] = {
	"__isoc23_wcstol", "__isoc23_wcstoll", "__isoc23_wcstoul", "__isoc23_wcstoull", "wcstod",
	"wcstof", "wcstoimax", "wcstol", "wcstold", "wcstoll", "wcstoul", "wcstoull", "wcstoumax",
};

static const char *const first_names[] = {
	"mkostemp", "mkostemp64", "mkostemps", "mkostemps64", "mkstemp64", "mkstemps",
	"mkstemps64", "mktemp",
};

static const char *const both_strings[] = { "strcasecmp_l", "strcoll_l" };

static const char *const stream_functions[] = {
	"endmntent", "fwscanf", "getw", "pclose", "setbuf", "setbuffer", "setlinebuf", "vfwscanf",
};

static const char *const unlocked_functions[] = {
	"clearerr_unlocked", "fgetc_unlocked", "fgetwc_unlocked", "getc_unlocked",
	"getwc_unlocked",
};

static const char *const second_unlocked[] = {
	"fputc_unlocked", "fputwc_unlocked", "fputws_unlocked", "putc_unlocked", "putwc_unlocked",
};

static const char *const stream_questions[] = { "feof_unlocked", "ferror_unlocked" };

static const char *const pointer_functions[] = {
	"argz_add", "argz_add_sep", "argz_append", "argz_delete", "argz_insert", "argz_replace",
	"envz_add", "envz_merge", "envz_remove", "envz_strip",
};

static const char *const termios_functions[] = {
	"cfmakeraw", "cfsetispeed", "cfsetospeed", "cfsetspeed",
};

static const char *const termios_questions[] = { "cfgetispeed", "cfgetospeed" };

static const char *const tree_functions[] = {
	"fts64_children", "fts64_close", "fts64_read", "fts64_set", "fts_children", "fts_close",
	"fts_read", "fts_set",
};

static const char *const actions_functions[] = {
	"posix_spawn_file_actions_addchdir_np", "posix_spawn_file_actions_addclose",
	"posix_spawn_file_actions_addclosefrom_np", "posix_spawn_file_actions_adddup2",
	"posix_spawn_file_actions_addfchdir_np", "posix_spawn_file_actions_addopen",
	"posix_spawn_file_actions_addtcsetpgrp_np", "posix_spawn_file_actions_destroy",
	"posix_spawn_file_actions_init",
};

static const char *const spawn_functions[] = {
	"posix_spawnattr_destroy", "posix_spawnattr_init", "posix_spawnattr_setflags",
	"posix_spawnattr_setpgroup", "posix_spawnattr_setschedparam",
	"posix_spawnattr_setschedpolicy", "posix_spawnattr_setsigdefault",
	"posix_spawnattr_setsigmask",
};

static const char *const spawn_questions[] = {
	"posix_spawnattr_getflags", "posix_spawnattr_getpgroup", "posix_spawnattr_getschedparam",
	"posix_spawnattr_getschedpolicy", "posix_spawnattr_getsigdefault",
	"posix_spawnattr_getsigmask",
};

static const char *const lock_attr_functions[] = {
	"pthread_barrierattr_destroy", "pthread_barrierattr_init",
	"pthread_barrierattr_setpshared", "pthread_condattr_destroy", "pthread_condattr_init",
	"pthread_condattr_setclock", "pthread_condattr_setpshared", "pthread_mutexattr_destroy",
	"pthread_mutexattr_init", "pthread_mutexattr_setprioceiling",
	"pthread_mutexattr_setprotocol", "pthread_mutexattr_setpshared",
	"pthread_mutexattr_setrobust", "pthread_mutexattr_settype", "pthread_rwlockattr_destroy",
	"pthread_rwlockattr_init", "pthread_rwlockattr_setkind_np",
	"pthread_rwlockattr_setpshared",
};

static const char *const lock_attr_questions[] = {
	"pthread_barrierattr_getpshared", "pthread_condattr_getclock",
	"pthread_condattr_getpshared", "pthread_mutexattr_getprioceiling",
	"pthread_mutexattr_getprotocol", "pthread_mutexattr_getpshared",
	"pthread_mutexattr_getrobust", "pthread_mutexattr_gettype",
	"pthread_rwlockattr_getkind_np", "pthread_rwlockattr_getpshared",
};

static bool is_one_of(const char *const *names, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* The last two are operator new, and of arrays. */
static const char *const memory_functions[] = {
	"malloc", "calloc", "realloc", "reallocarray", "posix_memalign", "aligned_alloc", "memalign",
	"valloc", "pvalloc", "mmap", "mmap64", "mremap", "_Znwm", "_Znam",
};

/* now() of std::chrono::system_clock and of steady_clock. */
static const char *const clock_functions[] = {
	"_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt6chrono3_V212steady_clock3nowEv",
};

static const struct {
	const struct chess_memcall *call;
	const char *const *names;
	size_t n;
} alike[] = {
	{ &first_is_string, first_strings, ARRAY_SIZE(first_strings) },
	{ &second_is_string, second_strings, ARRAY_SIZE(second_strings) },
	{ &first_is_number, first_numbers, ARRAY_SIZE(first_numbers) },
	{ &first_is_wide_number, first_wide_numbers, ARRAY_SIZE(first_wide_numbers) },
	{ &first_is_name, first_names, ARRAY_SIZE(first_names) },
	{ &both_are_strings, both_strings, ARRAY_SIZE(both_strings) },
	{ &stream_used, stream_functions, ARRAY_SIZE(stream_functions) },
	{ &stream_without_lock, unlocked_functions, ARRAY_SIZE(unlocked_functions) },
	{ &second_without_lock, second_unlocked, ARRAY_SIZE(second_unlocked) },
	{ &stream_asked, stream_questions, ARRAY_SIZE(stream_questions) },
	{ &pointer_and_length, pointer_functions, ARRAY_SIZE(pointer_functions) },
	{ &termios_changed, termios_functions, ARRAY_SIZE(termios_functions) },
	{ &termios_read, termios_questions, ARRAY_SIZE(termios_questions) },
	{ &tree_of_files, tree_functions, ARRAY_SIZE(tree_functions) },
	{ &actions_changed, actions_functions, ARRAY_SIZE(actions_functions) },
	{ &spawn_changed, spawn_functions, ARRAY_SIZE(spawn_functions) },
	{ &spawn_read, spawn_questions, ARRAY_SIZE(spawn_questions) },
	{ &lock_attr_changed, lock_attr_functions, ARRAY_SIZE(lock_attr_functions) },
	{ &lock_attr_read, lock_attr_questions, ARRAY_SIZE(lock_attr_questions) },
	{ &attr_changed, attr_functions, ARRAY_SIZE(attr_functions) },
	{ &clock_read, clock_functions, ARRAY_SIZE(clock_functions) },
	{ &takes_memory, memory_functions, ARRAY_SIZE(memory_functions) },
};

const struct chess_memcall *chess_memcall_alike(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(alike); i++)
		if (is_one_of(alike[i].names, alike[i].n, name))
			return alike[i].call;
	return NULL;
}
