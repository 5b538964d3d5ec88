// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * See memcall_table.h.
 *
 * What is certain is recorded as an access: a length that is an argument, and else the first byte.
 * More of a string, or of what a comparison may not get to, is marked as accessed perhaps. These
 * functions do not wait for another task, so it does not matter that their accesses are recorded
 * as the call's.
 *
 * read() and the like may wait, and others may use the buffer until then: what they fill in is
 * marked, too. What is marked leads to points and is not taken for a race (run_races.c).
 *
 * A stream has a lock, which its functions take for the time of a call: they are recorded as
 * an atomic change of its first byte. So calls of several tasks that nothing else orders are
 * points, and lines that several calls make may be torn. The same holds for what else has a
 * lock of its own: a stream of a directory, a static variable of C++ that is not made yet, the
 * list of functions that exit() calls. Without these points a task that is inside such a call,
 * at a system call of it, keeps all others out: no order would be tried in which it comes second.
 */
#include <string.h>
#include <linux/chess_access.h>

#include "code/memcall_table.h"
#include "code/memcalls.h"
#include "internal.h"

#define ERRNO		CHESS_MEMCALL_ERRNO
#define STDIN		CHESS_MEMCALL_STDIN
#define EXITS		CHESS_MEMCALL_EXITS
#define ENVIRONMENT	CHESS_MEMCALL_ENVIRONMENT
#define TOKENS		CHESS_MEMCALL_TOKENS
#define OPTARG		CHESS_MEMCALL_OPTARG
#define OPTIND		CHESS_MEMCALL_OPTIND
#define SIGNGAM		CHESS_MEMCALL_SIGNGAM
#define TIMEZONE	CHESS_MEMCALL_TIMEZONE
#define TZNAME		CHESS_MEMCALL_TZNAME

#define R	CHESS_OPERAND_READ
#define W	CHESS_OPERAND_WRITE
/* Of so many elements only the first one is certain, and as many more as are worth a look. */
#define U	(CHESS_OPERAND_UPTO | CHESS_OPERAND_PERHAPS)
/* The same of a string: where it ends is not known. */
#define T	CHESS_OPERAND_PERHAPS
/* What has a lock of its own. */
#define S	(R | W | CHESS_OPERAND_ATOMIC)
/* What is filled in, as late as after a wait. */
#define F	CHESS_ACCESS_MAY_WRITE
/* A pthread_attr_t. */
#define ATTR_BYTES	56
/* Argument n is a format. */
#define PRINTS(n)	{ R, n, 0, CHESS_MEMCALL_FORMAT }
#define SCANS(n)	{ W, n, 0, CHESS_MEMCALL_FORMAT }

static const struct chess_memcall functions[] = {
	{ "memcpy",		{ { W, 1, 3, 1 }, { R, 2, 3, 1 } } },
	{ "__memcpy_chk",	{ { W, 1, 3, 1 }, { R, 2, 3, 1 } } },
	{ "memmove",		{ { W, 1, 3, 1 }, { R, 2, 3, 1 } } },
	{ "__memmove_chk",	{ { W, 1, 3, 1 }, { R, 2, 3, 1 } } },
	{ "mempcpy",		{ { W, 1, 3, 1 }, { R, 2, 3, 1 } } },
	{ "__mempcpy_chk",	{ { W, 1, 3, 1 }, { R, 2, 3, 1 } } },
	{ "wmemcpy",		{ { W, 1, 3, 4 }, { R, 2, 3, 4 } } },
	{ "wmemmove",		{ { W, 1, 3, 4 }, { R, 2, 3, 4 } } },
	{ "memset",		{ { W, 1, 3, 1 } } },
	{ "__memset_chk",	{ { W, 1, 3, 1 } } },
	{ "wmemset",		{ { W, 1, 3, 4 } } },
	{ "bzero",		{ { W, 1, 2, 1 } } },
	{ "explicit_bzero",	{ { W, 1, 2, 1 } } },
	{ "bcopy",		{ { R, 1, 3, 1 }, { W, 2, 3, 1 } } },
	{ "memcmp",		{ { R | U, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "bcmp",		{ { R | U, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "memccpy",		{ { W | U, 1, 4, 1 }, { R | U, 2, 4, 1 } } },
	{ "memchr",		{ { R | U, 1, 3, 1 } } },
	{ "memrchr",		{ { R | U, 1, 3, 1 } } },
	{ "memmem",		{ { R | U, 1, 2, 1 }, { R | U, 3, 4, 1 } } },

	{ "strnlen",		{ { R | U, 1, 2, 1 } } },
	{ "strcpy",		{ { W | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "__strcpy_chk",	{ { W | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "stpcpy",		{ { W | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "__stpcpy_chk",	{ { W | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strncpy",		{ { W, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "__strncpy_chk",	{ { W, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "stpncpy",		{ { W, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "strlcpy",		{ { W | U, 1, 3, 1 }, { R | T, 2, 0, 1 } } },
	{ "strcat",		{ { R | W | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "__strcat_chk",	{ { R | W | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strncat",		{ { R | W | T, 1, 0, 1 }, { R | U, 2, 3, 1 } } },
	{ "__strncat_chk",	{ { R | W | T, 1, 0, 1 }, { R | U, 2, 3, 1 } } },
	{ "strlcat",		{ { R | W | U, 1, 3, 1 }, { R | T, 2, 0, 1 } } },
	{ "strcmp",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strncmp",		{ { R | U, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "strcasecmp",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strncasecmp",	{ { R | U, 1, 3, 1 }, { R | U, 2, 3, 1 } } },
	{ "strcoll",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strstr",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strcasestr",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strpbrk",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strspn",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strcspn",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strtok_r",		{ { R | W, 3, 0, 8 } } },
	{ "__strtok_r",		{ { R | W, 3, 0, 8 } } },
	{ "strsep",		{ { R | W, 1, 0, 8 } } },
	{ "strndup",		{ { R | U, 1, 2, 1 } } },
	{ "wcslen",		{ { R | T, 1, 0, 4 } } },
	{ "wcscpy",		{ { W | T, 1, 0, 4 }, { R | T, 2, 0, 4 } } },
	{ "wcscmp",		{ { R | T, 1, 0, 4 }, { R | T, 2, 0, 4 } } },

	{ "sprintf",		{ { W | T, 1, 0, 1 }, PRINTS(2) } },
	{ "vsprintf",		{ { W | T, 1, 0, 1 } } },
	{ "__sprintf_chk",	{ { W | T, 1, 0, 1 }, PRINTS(4) } },
	{ "__vsprintf_chk",	{ { W | T, 1, 0, 1 } } },
	{ "snprintf",		{ { W | U, 1, 2, 1 }, PRINTS(3) } },
	{ "vsnprintf",		{ { W | U, 1, 2, 1 } } },
	{ "__snprintf_chk",	{ { W | U, 1, 2, 1 }, PRINTS(5) } },
	{ "__vsnprintf_chk",	{ { W | U, 1, 2, 1 } } },
	{ "strftime",		{ { W | U, 1, 2, 1 }, { R, 4, 0, 56 } } },
	{ "asprintf",		{ { W, 1, 0, 8 }, PRINTS(2) } },
	{ "vasprintf",		{ { W, 1, 0, 8 } } },
	{ "__asprintf_chk",	{ { W, 1, 0, 8 }, PRINTS(3) } },
	{ "__vasprintf_chk",	{ { W, 1, 0, 8 } } },
	{ "printf",		{ PRINTS(1) } },
	{ "__printf_chk",	{ PRINTS(2) } },
	{ "dprintf",		{ PRINTS(2) } },
	{ "__dprintf_chk",	{ PRINTS(3) } },
	{ "syslog",		{ PRINTS(2) } },
	{ "__syslog_chk",	{ PRINTS(3) } },
	{ "err",		{ PRINTS(2) } },
	{ "errx",		{ PRINTS(2) } },
	{ "warn",		{ PRINTS(1) } },
	{ "warnx",		{ PRINTS(1) } },
	{ "error",		{ PRINTS(3) } },
	{ "sscanf",		{ { R | T, 1, 0, 1 }, SCANS(2) } },
	{ "__isoc99_sscanf",	{ { R | T, 1, 0, 1 }, SCANS(2) } },
	{ "__isoc23_sscanf",	{ { R | T, 1, 0, 1 }, SCANS(2) } },

	{ "fputs",		{ { R | T, 1, 0, 1 }, { S, 2, 0, 1 } } },
	{ "fwrite",		{ { R | U, 1, 3, 1 }, { S, 4, 0, 1 } } },
	{ "putc",		{ { S, 2, 0, 1 } } },
	{ "_IO_putc",		{ { S, 2, 0, 1 } } },
	{ "fputc",		{ { S, 2, 0, 1 } } },
	{ "fprintf",		{ { S, 1, 0, 1 }, PRINTS(2) } },
	{ "vfprintf",		{ { S, 1, 0, 1 } } },
	{ "__fprintf_chk",	{ { S, 1, 0, 1 }, PRINTS(3) } },
	{ "__vfprintf_chk",	{ { S, 1, 0, 1 } } },
	{ "getc",		{ { S, 1, 0, 1 } } },
	{ "_IO_getc",		{ { S, 1, 0, 1 } } },
	{ "fgetc",		{ { S, 1, 0, 1 } } },
	{ "ungetc",		{ { S, 2, 0, 1 } } },
	{ "fgets",		{ { F, 1, 2, 1 }, { S, 3, 0, 1 } } },
	{ "fread",		{ { F, 1, 3, 1 }, { S, 4, 0, 1 } } },
	{ "getline",		{ { R | W, 1, 0, 8 }, { S, 3, 0, 1 } } },
	{ "getdelim",		{ { R | W, 1, 0, 8 }, { S, 4, 0, 1 } } },
	{ "__getdelim",		{ { R | W, 1, 0, 8 }, { S, 4, 0, 1 } } },
	{ "fscanf",		{ { S, 1, 0, 1 }, SCANS(2) } },
	{ "__isoc99_fscanf",	{ { S, 1, 0, 1 }, SCANS(2) } },
	{ "__isoc23_fscanf",	{ { S, 1, 0, 1 }, SCANS(2) } },
	{ "__fgets_chk",	{ { F, 1, 3, 1 }, { S, 4, 0, 1 } } },
	{ "__fread_chk",	{ { F, 1, 4, 1 }, { S, 5, 0, 1 } } },
	{ "vfscanf",		{ { S, 1, 0, 1 } } },
	{ "__isoc99_vfscanf",	{ { S, 1, 0, 1 } } },
	{ "__isoc23_vfscanf",	{ { S, 1, 0, 1 } } },
	{ "getwc",		{ { S, 1, 0, 1 } } },
	{ "fgetwc",		{ { S, 1, 0, 1 } } },
	{ "ungetwc",		{ { S, 2, 0, 1 } } },
	{ "fgetws",		{ { S, 3, 0, 1 } } },
	{ "putwc",		{ { S, 2, 0, 1 } } },
	{ "fputwc",		{ { S, 2, 0, 1 } } },
	{ "fputws",		{ { S, 2, 0, 1 } } },
	{ "fwprintf",		{ { S, 1, 0, 1 } } },
	{ "vfwprintf",		{ { S, 1, 0, 1 } } },
	{ "fflush",		{ { S, 1, 0, 1 } } },
	{ "fclose",		{ { S, 1, 0, 1 } } },
	{ "setvbuf",		{ { S, 1, 0, 1 } } },
	{ "fgetpos",		{ { S, 1, 0, 1 } } },
	{ "fgetpos64",		{ { S, 1, 0, 1 } } },
	{ "fsetpos",		{ { S, 1, 0, 1 } } },
	{ "fsetpos64",		{ { S, 1, 0, 1 } } },
	{ "feof",		{ { S, 1, 0, 1 } } },
	{ "ferror",		{ { S, 1, 0, 1 } } },
	{ "clearerr",		{ { S, 1, 0, 1 } } },
	{ "fseek",		{ { S, 1, 0, 1 } } },
	{ "fseeko",		{ { S, 1, 0, 1 } } },
	{ "fseeko64",		{ { S, 1, 0, 1 } } },
	{ "rewind",		{ { S, 1, 0, 1 } } },
	{ "ftell",		{ { S, 1, 0, 1 } } },
	{ "ftello",		{ { S, 1, 0, 1 } } },
	{ "ftello64",		{ { S, 1, 0, 1 } } },
	{ "getchar",		{ { S, STDIN, 0, 1 } } },
	{ "scanf",		{ { S, STDIN, 0, 1 }, SCANS(1) } },
	{ "__isoc99_scanf",	{ { S, STDIN, 0, 1 }, SCANS(1) } },
	{ "__isoc23_scanf",	{ { S, STDIN, 0, 1 }, SCANS(1) } },
	{ "vscanf",		{ { S, STDIN, 0, 1 } } },
	{ "__isoc99_vscanf",	{ { S, STDIN, 0, 1 } } },
	{ "__isoc23_vscanf",	{ { S, STDIN, 0, 1 } } },
	{ "getwchar",		{ { S, STDIN, 0, 1 } } },
	/* These take no lock. */
	{ "fgets_unlocked",	{ { R | W, 3, 0, 1 } } },
	{ "fread_unlocked",	{ { R | W, 4, 0, 1 } } },
	{ "fputs_unlocked",	{ { R | T, 1, 0, 1 }, { R | W, 2, 0, 1 } } },
	{ "fwrite_unlocked",	{ { R | U, 1, 3, 1 }, { R | W, 4, 0, 1 } } },
	{ "fflush_unlocked",	{ { R | W, 1, 0, 1 } } },

	{ "readdir",		{ { S, 1, 0, 1 } } },
	{ "readdir64",		{ { S, 1, 0, 1 } } },
	{ "readdir_r",		{ { S, 1, 0, 1 } } },
	{ "readdir64_r",	{ { S, 1, 0, 1 } } },
	{ "rewinddir",		{ { S, 1, 0, 1 } } },
	{ "seekdir",		{ { S, 1, 0, 1 } } },
	{ "telldir",		{ { S, 1, 0, 1 } } },
	{ "closedir",		{ { R | W, 1, 0, 1 } } },

	{ "__cxa_guard_acquire", { { S, 1, 0, 1 } } },
	{ "__cxa_atexit",	{ { S, EXITS, 0, 1 } } },
	{ "__cxa_at_quick_exit", { { S, EXITS, 0, 1 } } },
	{ "on_exit",		{ { S, EXITS, 0, 1 } } },

	/* setenv() has a lock, but getenv() has none and returns what setenv() may free. */
	{ "getenv",		{ { R | T, 1, 0, 1 }, { R, ENVIRONMENT, 0, 8 } } },
	{ "secure_getenv",	{ { R | T, 1, 0, 1 }, { R, ENVIRONMENT, 0, 8 } } },
	{ "setenv",		{ { R | T, 1, 0, 1 }, { R | W, ENVIRONMENT, 0, 8 } } },
	{ "unsetenv",		{ { R | T, 1, 0, 1 }, { R | W, ENVIRONMENT, 0, 8 } } },
	{ "putenv",		{ { R | T, 1, 0, 1 }, { R | W, ENVIRONMENT, 0, 8 } } },
	{ "clearenv",		{ { R | W, ENVIRONMENT, 0, 8 } } },

	{ "asctime",		{ { R, 1, 0, 36 } } },
	{ "ctime",		{ { R, 1, 0, 8 }, { F, TZNAME, 0, 16 } } },
	{ "gmtime",		{ { R, 1, 0, 8 } } },
	{ "localtime",		{ { R, 1, 0, 8 }, { F, TZNAME, 0, 16 } } },
	{ "mktime",		{ { R | W, 1, 0, 56 }, { F, TZNAME, 0, 16 } } },
	{ "timelocal",		{ { R | W, 1, 0, 56 }, { F, TZNAME, 0, 16 } } },
	{ "tzset",		{ { F, TIMEZONE, 0, 8 }, { F, TZNAME, 0, 16 } } },
	{ "timegm",		{ { R | W, 1, 0, 56 } } },
	{ "strptime",		{ { R | T, 1, 0, 1 }, { F, 3, 0, 56 } } },
	{ "drand48_r",		{ { R | W, 1, 0, 24 }, { W, 2, 0, 8 } } },
	{ "random_r",		{ { R | W, 1, 0, 48 }, { W, 2, 0, 4 } } },
	/* Floating-point arguments have registers of their own. */
	{ "frexp",		{ { W, 1, 0, 4 } } },
	{ "modf",		{ { W, 1, 0, 8 } } },
	{ "remquo",		{ { W, 1, 0, 4 } } },
	{ "gamma",		{ { F, SIGNGAM, 0, 4 } } },
	{ "lgamma",		{ { F, SIGNGAM, 0, 4 } } },
	{ "lgammaf",		{ { F, SIGNGAM, 0, 4 } } },
	{ "lgammal",		{ { F, SIGNGAM, 0, 4 } } },
	{ "sincos",		{ { W, 1, 0, 8 }, { W, 2, 0, 8 } } },
	{ "lfind",		{ { R, 1, 0, 1 }, { R, 3, 0, 8 } } },
	{ "lsearch",		{ { R, 1, 0, 1 }, { R | W, 3, 0, 8 } } },
	{ "swab",		{ { R, 1, 3, 1 }, { W, 2, 3, 1 } } },
	{ "posix_memalign",	{ { W, 1, 0, 8 } } },
	{ "sigemptyset",	{ { W, 1, 0, 128 } } },
	{ "sigfillset",		{ { W, 1, 0, 128 } } },
	{ "sigaddset",		{ { R | W, 1, 0, 8 } } },
	{ "sigdelset",		{ { R | W, 1, 0, 8 } } },
	{ "sigismember",	{ { R, 1, 0, 8 } } },
	{ "arc4random_buf",	{ { W, 1, 2, 1 } } },
	{ "mbstowcs",		{ { W | U, 1, 3, 4 }, { R | T, 2, 0, 1 } } },
	{ "wcstombs",		{ { W | U, 1, 3, 1 }, { R | T, 2, 0, 4 } } },
	{ "wcsncpy",		{ { W, 1, 3, 4 }, { R | U, 2, 3, 4 } } },
	{ "wcsncmp",		{ { R | U, 1, 3, 4 }, { R | U, 2, 3, 4 } } },
	{ "wcscat",		{ { R | W | T, 1, 0, 4 }, { R | T, 2, 0, 4 } } },
	{ "wcschr",		{ { R | T, 1, 0, 4 } } },
	{ "swprintf",		{ { W | U, 1, 2, 4 } } },
	{ "strverscmp",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "strxfrm",		{ { W | U, 1, 3, 1 }, { R | T, 2, 0, 1 } } },
	{ "inet_pton",		{ { R | T, 2, 0, 1 }, { F, 3, 0, 4 } } },
	{ "inet_aton",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 4 } } },
	{ "regcomp",		{ { W, 1, 0, 64 }, { R | T, 2, 0, 1 } } },
	{ "regexec",		{ { R, 1, 0, 64 }, { R | T, 2, 0, 1 } } },

	{ "strtok",		{ { R | W | T, 1, 0, 1 }, { R | W, TOKENS, 0, 8 } } },
	{ "getopt",		{ { R | W, OPTIND, 0, 4 }, { F, OPTARG, 0, 8 } } },
	{ "getopt_long",	{ { R | W, OPTIND, 0, 4 }, { F, OPTARG, 0, 8 } } },
	{ "getopt_long_only",	{ { R | W, OPTIND, 0, 4 }, { F, OPTARG, 0, 8 } } },
	{ "dirname",		{ { R | W | T, 1, 0, 1 } } },
	{ "__xpg_basename",	{ { R | W | T, 1, 0, 1 } } },
	{ "memfrob",		{ { R | W, 1, 2, 1 } } },
	{ "erand48",		{ { R | W, 1, 0, 6 } } },
	{ "nrand48",		{ { R | W, 1, 0, 6 } } },
	{ "jrand48",		{ { R | W, 1, 0, 6 } } },
	{ "initstate",		{ { W, 2, 3, 1 } } },
	{ "gcvt",		{ { W | T, 2, 0, 1 } } },
	{ "insque",		{ { R | W, 1, 0, 16 }, { R | W, 2, 0, 16 } } },
	{ "remque",		{ { R | W, 1, 0, 16 } } },
	{ "iconv",		{ { R | W, 3, 0, 8 }, { R | W, 5, 0, 8 } } },
	{ "mbrtowc",		{ { F, 1, 0, 4 }, { R | W, 4, 0, 8 } } },
	{ "mbrlen",		{ { R | U, 1, 2, 1 }, { R | W, 3, 0, 8 } } },
	{ "wcrtomb",		{ { W | T, 1, 0, 1 }, { R | W, 3, 0, 8 } } },
	{ "mbsrtowcs",		{ { R | W, 2, 0, 8 }, { R | W, 4, 0, 8 } } },
	{ "wcsrtombs",		{ { R | W, 2, 0, 8 }, { R | W, 4, 0, 8 } } },
	{ "glob",		{ { R | T, 1, 0, 1 }, { F, 4, 0, 72 } } },
	{ "globfree",		{ { R | W, 1, 0, 72 } } },
	{ "wordexp",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 24 } } },
	{ "wordfree",		{ { R | W, 1, 0, 24 } } },
	{ "tmpnam",		{ { W | T, 1, 0, 1 } } },
	{ "tmpnam_r",		{ { W | T, 1, 0, 1 } } },
	{ "confstr",		{ { F, 2, 3, 1 } } },
	{ "getloadavg",		{ { F, 1, 2, 8 } } },
	{ "getnameinfo",	{ { F, 3, 4, 1 }, { F, 5, 6, 1 } } },
	{ "getpwnam_r",		{ { F, 2, 0, 48 }, { F, 5, 0, 8 } } },
	{ "getpwuid_r",		{ { F, 2, 0, 48 }, { F, 5, 0, 8 } } },
	{ "getgrnam_r",		{ { F, 2, 0, 32 }, { F, 5, 0, 8 } } },
	{ "getgrgid_r",		{ { F, 2, 0, 32 }, { F, 5, 0, 8 } } },
	{ "ptsname_r",		{ { F, 2, 3, 1 } } },
	{ "ttyname_r",		{ { F, 2, 3, 1 } } },
	{ "getlogin_r",		{ { F, 1, 2, 1 } } },
	{ "fstatfs",		{ { F, 2, 0, 120 } } },
	{ "fstatvfs",		{ { F, 2, 0, 112 } } },
	{ "statvfs64",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 112 } } },
	{ "fstatvfs64",		{ { F, 2, 0, 112 } } },
	{ "posix_spawn",	{ { F, 1, 0, 4 }, { R | T, 2, 0, 1 } } },
	{ "posix_spawnp",	{ { F, 1, 0, 4 }, { R | T, 2, 0, 1 } } },
	{ "pthread_key_create",	{ { W, 1, 0, 4 } } },
	{ "pthread_getschedparam", { { F, 2, 0, 4 }, { F, 3, 0, 4 } } },
	{ "pthread_getattr_np",	{ { W, 2, 0, ATTR_BYTES } } },
	{ "pthread_attr_init",	{ { W, 1, 0, ATTR_BYTES } } },
	{ "pthread_attr_getdetachstate", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 4 } } },
	{ "pthread_attr_getguardsize", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 8 } } },
	{ "pthread_attr_getinheritsched", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 4 } } },
	{ "pthread_attr_getschedparam", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 4 } } },
	{ "pthread_attr_getschedpolicy", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 4 } } },
	{ "pthread_attr_getscope", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 4 } } },
	{ "pthread_attr_getstacksize", { { R, 1, 0, ATTR_BYTES }, { W, 2, 0, 8 } } },
	{ "pthread_attr_getstack", { { W, 2, 0, 8 }, { W, 3, 0, 8 } } },

	/* Names, and what else stands in memory that a call is given. */
	{ "rename",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "link",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "symlink",		{ { R | T, 1, 0, 1 }, { R | T, 2, 0, 1 } } },
	{ "renameat",		{ { R | T, 2, 0, 1 }, { R | T, 4, 0, 1 } } },
	{ "linkat",		{ { R | T, 2, 0, 1 }, { R | T, 4, 0, 1 } } },
	{ "symlinkat",		{ { R | T, 1, 0, 1 }, { R | T, 3, 0, 1 } } },
	{ "readlinkat",		{ { R | T, 2, 0, 1 }, { F, 3, 4, 1 } } },
	{ "fstatat",		{ { R | T, 2, 0, 1 }, { F, 3, 0, 144 } } },
	{ "fstatat64",		{ { R | T, 2, 0, 1 }, { F, 3, 0, 144 } } },
	{ "statx",		{ { R | T, 2, 0, 1 }, { F, 5, 0, 256 } } },
	{ "realpath",		{ { R | T, 1, 0, 1 }, { F | T, 2, 0, 1 } } },
	{ "statfs",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 120 } } },
	{ "statvfs",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 112 } } },
	{ "mkstemp",		{ { R | W | T, 1, 0, 1 } } },
	{ "mkdtemp",		{ { R | W | T, 1, 0, 1 } } },
	{ "utimes",		{ { R | T, 1, 0, 1 }, { R, 2, 0, 32 } } },
	{ "utimensat",		{ { R | T, 2, 0, 1 }, { R, 3, 0, 32 } } },
	{ "futimens",		{ { R, 2, 0, 32 } } },
	{ "clock_nanosleep",	{ { R, 3, 0, 16 }, { F, 4, 0, 16 } } },
	{ "clock_settime",	{ { R, 2, 0, 16 } } },
	{ "clock_getres",	{ { F, 2, 0, 16 } } },
	{ "getrlimit",		{ { F, 2, 0, 16 } } },
	{ "setrlimit",		{ { R, 2, 0, 16 } } },
	{ "sigaltstack",	{ { R, 1, 0, 24 }, { F, 2, 0, 24 } } },
	{ "sched_getaffinity",	{ { F, 3, 2, 1 } } },
	{ "sched_setaffinity",	{ { R, 3, 2, 1 } } },
	{ "pthread_getname_np",	{ { F, 2, 3, 1 } } },
	{ "uname",		{ { F, 1, 0, 390 } } },
	{ "sysinfo",		{ { F, 1, 0, 112 } } },
	{ "getentropy",		{ { F, 1, 2, 1 } } },
	{ "tcgetattr",		{ { F, 2, 0, 60 } } },
	{ "tcsetattr",		{ { R, 3, 0, 60 } } },

	{ "write",		{ { R | U, 2, 3, 1 } } },
	{ "pwrite",		{ { R | U, 2, 3, 1 } } },
	{ "pwrite64",		{ { R | U, 2, 3, 1 } } },
	{ "send",		{ { R | U, 2, 3, 1 } } },
	{ "sendto",		{ { R | U, 2, 3, 1 } } },
	{ "semop",		{ { R, 2, 3, 6 } } },
	{ "semtimedop",		{ { R, 2, 3, 6 }, { R, 4, 0, 16 } } },
	{ "setsockopt",		{ { R, 4, 5, 1 } } },
	{ "bind",		{ { R, 2, 3, 1 } } },
	{ "connect",		{ { R, 2, 3, 1 } } },
	{ "epoll_ctl",		{ { R, 4, 0, 12 } } },
	{ "nanosleep",		{ { R, 1, 0, 16 }, { F, 2, 0, 16 } } },
	{ "setitimer",		{ { R, 2, 0, 32 }, { F, 3, 0, 32 } } },
	{ "timer_settime",	{ { R, 3, 0, 32 }, { F, 4, 0, 32 } } },
	{ "timerfd_settime",	{ { R, 3, 0, 32 }, { F, 4, 0, 32 } } },
	{ "sigaction",		{ { R, 2, 0, 152 }, { F, 3, 0, 152 } } },
	{ "sigprocmask",	{ { R, 2, 0, 8 }, { F, 3, 0, 8 } } },
	{ "pthread_sigmask",	{ { R, 2, 0, 8 }, { F, 3, 0, 8 } } },
	{ "pthread_create",	{ { W, 1, 0, 8 }, { R, 2, 0, ATTR_BYTES } } },
	{ "pthread_join",	{ { F, 2, 0, 8 } } },
	{ "sem_getvalue",	{ { F, 2, 0, 4 } } },
	{ "sigwait",		{ { R, 1, 0, 8 }, { F, 2, 0, 4 } } },
	{ "sigwaitinfo",	{ { R, 1, 0, 8 }, { F, 2, 0, 128 } } },
	{ "sigtimedwait",	{ { R, 1, 0, 8 }, { F, 2, 0, 128 } } },
	{ "sigpending",		{ { F, 1, 0, 8 } } },
	{ "select",		{ { F, 2, 0, 128 }, { F, 3, 0, 128 } } },
	{ "accept",		{ { F, 2, 0, 16 }, { F, 3, 0, 4 } } },
	{ "accept4",		{ { F, 2, 0, 16 }, { F, 3, 0, 4 } } },
	{ "getsockname",	{ { F, 2, 0, 16 }, { F, 3, 0, 4 } } },
	{ "getpeername",	{ { F, 2, 0, 16 }, { F, 3, 0, 4 } } },
	{ "getsockopt",		{ { F, 4, 0, 4 }, { F, 5, 0, 4 } } },
	{ "ppoll",		{ { F, 1, 2, 8 } } },
	{ "epoll_pwait",	{ { F, 2, 3, 12 } } },
	{ "wait3",		{ { F, 1, 0, 4 }, { F, 3, 0, 144 } } },
	{ "wait4",		{ { F, 2, 0, 4 }, { F, 4, 0, 144 } } },
	{ "waitid",		{ { F, 3, 0, 128 } } },
	{ "time",		{ { F, 1, 0, 8 } } },
	{ "times",		{ { F, 1, 0, 32 } } },
	{ "getrusage",		{ { F, 2, 0, 144 } } },
	{ "getitimer",		{ { F, 2, 0, 32 } } },
	{ "timer_create",	{ { F, 3, 0, 8 } } },
	{ "timer_gettime",	{ { F, 2, 0, 32 } } },
	{ "timerfd_gettime",	{ { F, 2, 0, 32 } } },
	{ "getaddrinfo",	{ { R | T, 1, 0, 1 }, { F, 4, 0, 8 } } },
	{ "read",		{ { F, 2, 3, 1 } } },
	{ "__read_chk",		{ { F, 2, 3, 1 } } },
	{ "pread",		{ { F, 2, 3, 1 } } },
	{ "pread64",		{ { F, 2, 3, 1 } } },
	{ "__pread_chk",	{ { F, 2, 3, 1 } } },
	{ "__pread64_chk",	{ { F, 2, 3, 1 } } },
	{ "recv",		{ { F, 2, 3, 1 } } },
	{ "__recv_chk",		{ { F, 2, 3, 1 } } },
	{ "recvfrom",		{ { F, 2, 3, 1 } } },
	{ "__recvfrom_chk",	{ { F, 2, 3, 1 } } },
	{ "readlink",		{ { R | T, 1, 0, 1 }, { F, 2, 3, 1 } } },
	{ "__readlink_chk",	{ { F, 2, 3, 1 } } },
	{ "getcwd",		{ { F, 1, 2, 1 } } },
	{ "__getcwd_chk",	{ { F, 1, 2, 1 } } },
	{ "gethostname",	{ { F, 1, 2, 1 } } },
	{ "getrandom",		{ { F, 1, 2, 1 } } },
	{ "stat",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 144 } } },
	{ "stat64",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 144 } } },
	{ "lstat",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 144 } } },
	{ "lstat64",		{ { R | T, 1, 0, 1 }, { F, 2, 0, 144 } } },
	{ "fstat",		{ { F, 2, 0, 144 } } },
	{ "fstat64",		{ { F, 2, 0, 144 } } },
	{ "clock_gettime",	{ { F, 2, 0, 16 } } },
	{ "gettimeofday",	{ { F, 1, 0, 16 } } },
	{ "poll",		{ { F, 1, 2, 8 } } },
	{ "epoll_wait",		{ { F, 2, 3, 12 } } },
	{ "waitpid",		{ { F, 2, 0, 4 } } },
	{ "wait",		{ { F, 1, 0, 4 } } },
	{ "pipe",		{ { W, 1, 0, 8 } } },
	{ "pipe2",		{ { W, 1, 0, 8 } } },
	{ "socketpair",		{ { W, 4, 0, 8 } } },
	{ "inet_ntop",		{ { R, 2, 0, 4 }, { W | T, 3, 0, 1 } } },
	{ "strerror_r",		{ { F, 2, 3, 1 } } },
	{ "asctime_r",		{ { R, 1, 0, 36 }, { W, 2, 0, 25 } } },
	{ "ctime_r",		{ { R, 1, 0, 8 }, { W, 2, 0, 25 } } },
	{ "qsort",		{ { R | W | U, 1, 2, 1 } } },
	{ "qsort_r",		{ { R | W | U, 1, 2, 1 } } },
	{ "bsearch",		{ { R, 1, 0, 1 }, { R | U, 2, 3, 1 } } },
	{ "tsearch",		{ { R | W, 2, 0, 8 } } },
	{ "tfind",		{ { R, 2, 0, 8 } } },
	{ "tdelete",		{ { R | W, 2, 0, 8 } } },
	{ "rand_r",		{ { R | W, 1, 0, 4 } } },
	{ "gmtime_r",		{ { R, 1, 0, 8 }, { W, 2, 0, 56 } } },
	{ "localtime_r",	{ { R, 1, 0, 8 }, { W, 2, 0, 56 } } },

	/* Where it is nobody knows before the call: see CHESS_ADDRESS_ERRNO. */
	{ "__errno_location",	{ { R, ERRNO, 0, 4 } } },
};

/* Of many functions each. All that they access is a string, or also where its number ends. */
static const struct chess_memcall first_is_string = { "", { { R | T, 1, 0, 1 } } };
static const struct chess_memcall second_is_string = { "", { { R | T, 2, 0, 1 } } };
static const struct chess_memcall first_is_number = {
	"", { { R | T, 1, 0, 1 }, { W, 2, 0, 8 } },
};
static const struct chess_memcall attr_changed = { "", { { R | W, 1, 0, ATTR_BYTES } } };

static const char *const first_strings[] = {
	"access", "atof", "atoi", "atol", "atoll", "chdir", "chmod", "chown", "chroot", "creat",
	"creat64", "dlopen", "eaccess", "euidaccess", "execl", "execle", "execlp", "execv",
	"execve", "execvp", "execvpe", "fopen", "fopen64", "freopen", "freopen64", "getgrnam",
	"gethostbyname", "getpwnam", "index", "inet_addr", "lchown", "memfd_create", "mkdir",
	"mkfifo", "mknod", "mq_open", "mq_unlink", "open", "open64", "__open64_2", "__open_2",
	"opendir", "pathconf", "perror", "popen", "puts", "rawmemchr", "remove", "rindex",
	"rmdir", "scandir", "sem_open", "sem_unlink", "setmntent", "shm_open", "shm_unlink",
	"strchr", "strchrnul", "__strdup", "strdup", "strlen", "strrchr", "swapoff", "swapon",
	"system", "truncate", "truncate64", "umount", "umount2", "unlink", "utime",
};

static const char *const second_strings[] = {
	"dlsym", "faccessat", "fchmodat", "fchownat", "inotify_add_watch", "mkdirat", "mkfifoat",
	"mknodat", "openat", "openat64", "__openat64_2", "__openat_2", "pthread_setname_np",
	"setlocale", "unlinkat",
};

static const char *const first_numbers[] = {
	"__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoul", "__isoc23_strtoull",
	"strtod", "strtof", "strtoimax", "strtol", "strtold", "strtoll", "strtoul", "strtoull",
	"strtoumax",
};

static const char *const attr_functions[] = {
	"pthread_attr_destroy", "pthread_attr_setdetachstate", "pthread_attr_setguardsize",
	"pthread_attr_setinheritsched", "pthread_attr_setschedparam",
	"pthread_attr_setschedpolicy", "pthread_attr_setscope", "pthread_attr_setstacksize",
	"pthread_attr_setstack", "pthread_attr_setaffinity_np",
};

/* The C++ library's, on whose nodes programs work as well. */
static const struct chess_memcall containers[] = {
	{ "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
	  { { R | W, 3, 0, 32 }, { R | W, 4, 0, 32 } } },
	{ "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_",
	  { { R | W, 1, 0, 32 }, { R | W, 2, 0, 32 } } },
	{ "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base",	{ { R, 1, 0, 32 } } },
	{ "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
	  { { W, 1, 0, 16 }, { R | W, 2, 0, 16 } } },
	{ "_ZNSt8__detail15_List_node_base9_M_unhookEv",	{ { R | W, 1, 0, 16 } } },
};

/* Where a std::string has its text, and its length. */
#define STRING_HEAD	16

static const struct chess_memcall string_made = { "", { { W, 1, 0, STRING_HEAD } } };
static const struct chess_memcall string_changed = { "", { { R | W, 1, 0, STRING_HEAD } } };
static const struct chess_memcall string_read = { "", { { R, 1, 0, STRING_HEAD } } };

static const struct chess_memcall stream_changed = { "", { { R | W, 1, 0, 1 } } };

/* Its member functions, as they begin; those that are not const may well change nothing. */
static const struct {
	const char *name;
	const struct chess_memcall *call;
} string_members[] = {
	{ "C1", &string_made },		{ "C2", &string_made },
	{ "12_M_construct", &string_made }, { "18_M_construct", &string_made },
	{ "D1", &string_changed },	{ "D2", &string_changed },
	{ "aS", &string_changed },	{ "pL", &string_changed },
	{ "6append", &string_changed },	{ "6assign", &string_changed },
	{ "6insert", &string_changed },	{ "5erase", &string_changed },
	{ "7replace", &string_changed }, { "6resize", &string_changed },
	{ "7reserve", &string_changed }, { "9push_back", &string_changed },
	{ "8pop_back", &string_changed }, { "5clear", &string_changed },
	{ "4swap", &string_changed },	{ "13shrink_to_fit", &string_changed },
	{ "9_M_append", &string_changed }, { "9_M_assign", &string_changed },
	{ "9_M_mutate", &string_changed }, { "8_M_erase", &string_changed },
	{ "10_M_replace", &string_changed }, { "14_M_replace_aux", &string_changed },
	{ "10_M_dispose", &string_changed }, { "13_M_set_length", &string_changed },
	{ "7_M_dataEP", &string_made },	{ "11_M_capacityEm", &string_changed },
	{ "ix", &string_read },		{ "2at", &string_read },
	{ "5begin", &string_read },	{ "3end", &string_read },
	{ "4data", &string_read },	{ "4back", &string_read },
	{ "5front", &string_read },	{ "6rbegin", &string_read },
	{ "4rend", &string_read },
};

static bool begins(const char **name, const char *with)
{
	size_t n = strlen(with);
	bool yes = !strncmp(*name, with, n);

	*name += yes * n;
	return yes;
}

static const struct chess_memcall *member_of_string(const char *name)
{
	static const char class[] = "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
	bool constant;
	size_t i;

	if (!begins(&name, "_ZN"))
		return NULL;
	constant = begins(&name, "K");
	if (!begins(&name, class))
		return NULL;
	if (constant)
		return &string_read;
	for (i = 0; i < ARRAY_SIZE(string_members); i++)
		if (begins(&name, string_members[i].name))
			return string_members[i].call;
	return NULL;
}

/* Those of std::ostream and std::istream, which take no lock, as their names begin. */
static const struct {
	const char *name;
	const struct chess_memcall *call;
} stream_functions[] = {
	{ "_ZNSolsE", &stream_changed },	{ "_ZNSo9_M_insertI", &stream_changed },
	{ "_ZNSo3putE", &stream_changed },	{ "_ZNSo5writeE", &stream_changed },
	{ "_ZNSo5flushE", &stream_changed },	{ "_ZNSo5seekpE", &stream_changed },
	{ "_ZNSirsE", &stream_changed },	{ "_ZNSi10_M_extractI", &stream_changed },
	{ "_ZNSi3getE", &stream_changed },	{ "_ZNSi4readE", &stream_changed },
	{ "_ZNSi7getlineE", &stream_changed },	{ "_ZNSi5seekgE", &stream_changed },
	{ "_ZStlsISt11char_traitsIcEERSt13basic_ostream", &stream_changed },
	{ "_ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostream", &stream_changed },
	{ "_ZSt16__ostream_insertIc", &stream_changed },
	{ "_ZSt4endlIc", &stream_changed },
	{ "_ZStrsISt11char_traitsIcEERSt13basic_istream", &stream_changed },
	{ "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istream", &stream_changed },
	{ "_ZSt7getlineIc", &stream_changed },
};

static const struct chess_memcall *function_of_stream(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(stream_functions); i++)
		if (!strncmp(name, stream_functions[i].name, strlen(stream_functions[i].name)))
			return stream_functions[i].call;
	return NULL;
}

static bool is_one_of(const char *const *names, size_t n, const char *name)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static const struct {
	const struct chess_memcall *call;
	const char *const *names;
	size_t n;
} alike[] = {
	{ &first_is_string, first_strings, ARRAY_SIZE(first_strings) },
	{ &second_is_string, second_strings, ARRAY_SIZE(second_strings) },
	{ &first_is_number, first_numbers, ARRAY_SIZE(first_numbers) },
	{ &attr_changed, attr_functions, ARRAY_SIZE(attr_functions) },
};

const struct chess_memcall *chess_memcall_of(const char *name)
{
	const struct chess_memcall *found;
	size_t i;

	if (name[0] == '_' && name[1] == 'Z') {
		for (i = 0; i < ARRAY_SIZE(containers); i++)
			if (!strcmp(containers[i].name, name))
				return &containers[i];
		found = member_of_string(name);
		return found ? found : function_of_stream(name);
	}
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (*functions[i].name == *name && !strcmp(functions[i].name, name))
			return &functions[i];
	for (i = 0; i < ARRAY_SIZE(alike); i++)
		if (is_one_of(alike[i].names, alike[i].n, name))
			return alike[i].call;
	return NULL;
}
