// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The wrapper table: which function of a user library is which op on which
 * argument, and what is special about it. symbols.c looks functions up by name, reports go
 * from the id in an event back to the name; nothing else knows a function by its name, except
 * the two of cut.c. Ids are row numbers and stand in records: rows are only added, at the end.
 *
 * How the flags were chosen
 * - WRITE: the op does not commute with another one on the object. Read locks
 *   commute with each other, sem_getvalue with itself.
 * - RELEASE: something another task waits for may be given away here.
 * - YIELD: a wait with an end. The task says it may be unable to go on, and
 *   would try again (PLDI'08, section 4).
 * - MAY_BLOCK: the call may sleep, or spin, until another task acts.
 * - Initialisers are not points: no other task may use the object yet. Destroyers
 *   are, and write: that is how use of a destroyed object is found.
 */
#include <string.h>

#include "code/wrappers.h"

#define W	CHESS_OPF_WRITE
#define R	CHESS_OPF_RELEASE
#define Y	CHESS_OPF_YIELD
#define B	CHESS_OPF_MAY_BLOCK

#define COUNTS	CHESS_WRAPPER_COUNTS
#define OWNED	CHESS_WRAPPER_OWNED
#define RETURNED	CHESS_WRAPPER_RETURNED

/* A trait stands last, where there is one. */
#define ROW(symbol, op, op_flags, object, second, ...) \
	{ { #symbol, CHESS_OP_##op, op_flags, object, second }, __VA_ARGS__ + 0 }

static const struct row {
	struct chess_wrapper w;	/* first: a pointer to it is one to the row */
	unsigned int traits;
} wrappers[] = {
	ROW(pthread_mutex_lock,			LOCK,		W | B,		1, 0, OWNED),
	ROW(pthread_mutex_trylock,		TRYLOCK,	W,		1, 0, OWNED),
	ROW(pthread_mutex_timedlock,		LOCK,		W | B | Y,	1, 0, OWNED),
	ROW(pthread_mutex_clocklock,		LOCK,		W | B | Y,	1, 0, OWNED),
	ROW(pthread_mutex_unlock,		UNLOCK,		W | R,		1, 0, OWNED),
	ROW(pthread_mutex_destroy,		DESTROY,	W,		1, 0, OWNED),

	/* A wait gives the mutex away before it sleeps. */
	ROW(pthread_cond_wait,			COND_WAIT,	W | R | B,	1, 2),
	ROW(pthread_cond_timedwait,		COND_WAIT,	W | R | B | Y,	1, 2),
	ROW(pthread_cond_clockwait,		COND_WAIT,	W | R | B | Y,	1, 2),
	ROW(pthread_cond_signal,		COND_SIGNAL,	W | R,		1, 0),
	ROW(pthread_cond_broadcast,		COND_BROADCAST,	W | R,		1, 0),
	/* glibc waits here for the waiters to be gone. */
	ROW(pthread_cond_destroy,		DESTROY,	W | B,		1, 0),

	ROW(pthread_rwlock_rdlock,		RDLOCK,		B,		1, 0),
	ROW(pthread_rwlock_tryrdlock,		TRYLOCK,	0,		1, 0),
	ROW(pthread_rwlock_timedrdlock,		RDLOCK,		B | Y,		1, 0),
	ROW(pthread_rwlock_clockrdlock,		RDLOCK,		B | Y,		1, 0),
	ROW(pthread_rwlock_wrlock,		WRLOCK,		W | B,		1, 0),
	ROW(pthread_rwlock_trywrlock,		TRYLOCK,	W,		1, 0),
	ROW(pthread_rwlock_timedwrlock,		WRLOCK,		W | B | Y,	1, 0),
	ROW(pthread_rwlock_clockwrlock,		WRLOCK,		W | B | Y,	1, 0),
	ROW(pthread_rwlock_unlock,		UNLOCK,		W | R,		1, 0),
	ROW(pthread_rwlock_destroy,		DESTROY,	W,		1, 0),

	ROW(pthread_spin_lock,			LOCK,		W | B,		1, 0),
	ROW(pthread_spin_trylock,		TRYLOCK,	W,		1, 0),
	ROW(pthread_spin_unlock,		UNLOCK,		W | R,		1, 0),
	ROW(pthread_spin_destroy,		DESTROY,	W,		1, 0),

	ROW(pthread_barrier_wait,		BARRIER,	W | R | B,	1, 0),
	ROW(pthread_barrier_destroy,		DESTROY,	W | B,		1, 0),

	ROW(pthread_once,			ONCE,		W | R | B,	1, 0),

	ROW(pthread_create,			CREATE,		W | R,		1, 0),
	ROW(pthread_join,			JOIN,		W | B,		1, 0),
	ROW(pthread_tryjoin_np,			JOIN,		W,		1, 0),
	ROW(pthread_timedjoin_np,		JOIN,		W | B | Y,	1, 0),
	ROW(pthread_clockjoin_np,		JOIN,		W | B | Y,	1, 0),
	/* Afterwards the handle must not be used: as good as destroyed. */
	ROW(pthread_detach,			DESTROY,	W,		1, 0),
	ROW(pthread_exit,			EXIT,		W | R,		0, 0),
	ROW(pthread_yield,			YIELD,		Y,		0, 0),

	ROW(sem_wait,				SEM_WAIT,	W | B,		1, 0, COUNTS),
	ROW(sem_trywait,			TRYLOCK,	W,		1, 0, COUNTS),
	ROW(sem_timedwait,			SEM_WAIT,	W | B | Y,	1, 0, COUNTS),
	ROW(sem_clockwait,			SEM_WAIT,	W | B | Y,	1, 0, COUNTS),
	ROW(sem_post,				SEM_POST,	W | R,		1, 0, COUNTS),
	ROW(sem_getvalue,			READ,		0,		1, 0, COUNTS),
	ROW(sem_destroy,			DESTROY,	W,		1, 0, COUNTS),

	ROW(mtx_lock,				LOCK,		W | B,		1, 0),
	ROW(mtx_trylock,			TRYLOCK,	W,		1, 0),
	ROW(mtx_timedlock,			LOCK,		W | B | Y,	1, 0),
	ROW(mtx_unlock,				UNLOCK,		W | R,		1, 0),
	ROW(mtx_destroy,			DESTROY,	W,		1, 0),
	ROW(cnd_wait,				COND_WAIT,	W | R | B,	1, 2),
	ROW(cnd_timedwait,			COND_WAIT,	W | R | B | Y,	1, 2),
	ROW(cnd_signal,				COND_SIGNAL,	W | R,		1, 0),
	ROW(cnd_broadcast,			COND_BROADCAST,	W | R,		1, 0),
	ROW(cnd_destroy,			DESTROY,	W | B,		1, 0),
	ROW(thrd_create,			CREATE,		W | R,		1, 0),
	ROW(thrd_join,				JOIN,		W | B,		1, 0),
	ROW(thrd_exit,				EXIT,		W | R,		0, 0),
	ROW(thrd_yield,				YIELD,		Y,		0, 0),
	ROW(thrd_detach,			DESTROY,	W,		1, 0),
	ROW(call_once,				ONCE,		W | R | B,	1, 0),

	/*
	 * GLib's, on futexes of its own. Its recursive mutexes, rwlocks and threads are those
	 * above. A wait calls g_mutex_unlock() and g_mutex_lock(), so it is not told of the
	 * mutex: that is given away and taken once.
	 */
	ROW(g_mutex_lock,			LOCK,		W | B,		1, 0),
	ROW(g_mutex_trylock,			TRYLOCK,	W,		1, 0),
	ROW(g_mutex_unlock,			UNLOCK,		W | R,		1, 0),
	ROW(g_mutex_clear,			DESTROY,	W,		1, 0),
	ROW(g_cond_wait,			COND_WAIT,	W | R | B,	1, 0),
	ROW(g_cond_wait_until,			COND_WAIT,	W | R | B | Y,	1, 0),
	ROW(g_cond_signal,			COND_SIGNAL,	W | R,		1, 0),
	ROW(g_cond_broadcast,			COND_BROADCAST,	W | R,		1, 0),

	/* Where system calls are points its own is none. */
	ROW(sched_yield,			YIELD,		Y,		0, 0),

	/* A stream's lock; a program has it to keep what it writes together. */
	ROW(flockfile,				LOCK,		W | B,		1, 0),
	ROW(ftrylockfile,			TRYLOCK,	W,		1, 0),
	ROW(funlockfile,			UNLOCK,		W | R,		1, 0),

	/*
	 * No locks: functions with a state of the whole process that no call of the kernel and
	 * no code of the program shows. They order nothing.
	 */
	ROW(strtok,				OTHER,		W,		0, 0),
	ROW(getenv,				OTHER,		0,		0, 0),
	ROW(setenv,				OTHER,		W,		0, 0),
	ROW(unsetenv,				OTHER,		W,		0, 0),
	ROW(putenv,				OTHER,		W,		0, 0),
	ROW(clearenv,				OTHER,		W,		0, 0),
	ROW(tzset,				OTHER,		W,		0, 0),
	ROW(localtime,				OTHER,		W,		0, 0, RETURNED),
	ROW(gmtime,				OTHER,		W,		0, 0, RETURNED),
	ROW(asctime,				OTHER,		W,		0, 0, RETURNED),
	ROW(ctime,				OTHER,		W,		0, 0, RETURNED),
	ROW(setlocale,				OTHER,		W,		0, 0),
	ROW(srand,				OTHER,		W,		0, 0),
	ROW(rand,				OTHER,		W,		0, 0),
	ROW(random,				OTHER,		W,		0, 0),
	ROW(srandom,				OTHER,		W,		0, 0),
	ROW(hcreate,				OTHER,		W,		0, 0),
	ROW(hsearch,				OTHER,		W,		0, 0),
	ROW(hdestroy,				OTHER,		W,		0, 0),
	ROW(getpwnam,				OTHER,		W,		0, 0, RETURNED),
	ROW(getpwuid,				OTHER,		W,		0, 0, RETURNED),
	ROW(getgrnam,				OTHER,		W,		0, 0, RETURNED),
	ROW(getgrgid,				OTHER,		W,		0, 0, RETURNED),
	ROW(gethostbyname,			OTHER,		W,		0, 0, RETURNED),

	/* Whether and where a thread ends by it depends on where that one is. */
	ROW(pthread_cancel,			OTHER,		W,		0, 0),
	ROW(pthread_setcanceltype,		OTHER,		W,		0, 0),

	/* More of the kind. */
	ROW(drand48,				OTHER,		W,		0, 0),
	ROW(lrand48,				OTHER,		W,		0, 0),
	ROW(mrand48,				OTHER,		W,		0, 0),
	ROW(srand48,				OTHER,		W,		0, 0),
	ROW(seed48,				OTHER,		W,		0, 0),
	ROW(lcong48,				OTHER,		W,		0, 0),
	ROW(setstate,				OTHER,		W,		0, 0),
	ROW(initstate,				OTHER,		W,		0, 0),
	ROW(getpwent,				OTHER,		W,		0, 0, RETURNED),
	ROW(setpwent,				OTHER,		W,		0, 0),
	ROW(endpwent,				OTHER,		W,		0, 0),
	ROW(getgrent,				OTHER,		W,		0, 0, RETURNED),
	ROW(setgrent,				OTHER,		W,		0, 0),
	ROW(endgrent,				OTHER,		W,		0, 0),
	ROW(fgetpwent,				OTHER,		W,		0, 0, RETURNED),
	ROW(fgetgrent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getspnam,				OTHER,		W,		0, 0, RETURNED),
	ROW(getspent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getservbyname,			OTHER,		W,		0, 0, RETURNED),
	ROW(getservbyport,			OTHER,		W,		0, 0, RETURNED),
	ROW(getservent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getprotobyname,			OTHER,		W,		0, 0, RETURNED),
	ROW(getprotobynumber,			OTHER,		W,		0, 0, RETURNED),
	ROW(gethostbyname2,			OTHER,		W,		0, 0, RETURNED),
	ROW(gethostbyaddr,			OTHER,		W,		0, 0, RETURNED),
	ROW(gethostent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getnetbyname,			OTHER,		W,		0, 0, RETURNED),
	ROW(getmntent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getutxent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getutxid,				OTHER,		W,		0, 0, RETURNED),
	ROW(getutxline,				OTHER,		W,		0, 0, RETURNED),
	ROW(ttyname,				OTHER,		W,		0, 0, RETURNED),
	ROW(ptsname,				OTHER,		W,		0, 0, RETURNED),
	ROW(getlogin,				OTHER,		W,		0, 0, RETURNED),
	ROW(ctermid,				OTHER,		W,		0, 0),
	ROW(tmpnam,				OTHER,		W,		0, 0, RETURNED),
	ROW(ecvt,				OTHER,		W,		0, 0, RETURNED),
	ROW(fcvt,				OTHER,		W,		0, 0, RETURNED),
	ROW(l64a,				OTHER,		W,		0, 0, RETURNED),
	ROW(crypt,				OTHER,		W,		0, 0),

	/*
	 * It takes locks of the library, which others may need, before it makes the call that
	 * would be a point otherwise. No object: it makes a process (chess_event_makes_thread()).
	 */
	ROW(fork,				CREATE,		W | R,		0, 0),

	/* What threads that are created without attributes get. */
	ROW(pthread_setattr_default_np,		OTHER,		W,		0, 0),

	/* More with a state of the whole process. */
	ROW(register_printf_specifier,		OTHER,		W,		0, 0),
	ROW(register_printf_function,		OTHER,		W,		0, 0),
	ROW(register_printf_modifier,		OTHER,		W,		0, 0),
	ROW(register_printf_type,		OTHER,		W,		0, 0),
	ROW(openlog,				OTHER,		W,		0, 0),
	ROW(setlogmask,				OTHER,		W,		0, 0),
	ROW(textdomain,				OTHER,		W,		0, 0),
	ROW(bindtextdomain,			OTHER,		W,		0, 0),
	ROW(bind_textdomain_codeset,		OTHER,		W,		0, 0),
	ROW(utmpname,				OTHER,		W,		0, 0),
	ROW(localeconv,				OTHER,		W,		0, 0, RETURNED),
	ROW(getdate,				OTHER,		W,		0, 0, RETURNED),
	ROW(getusershell,			OTHER,		W,		0, 0, RETURNED),
	ROW(setusershell,			OTHER,		W,		0, 0),
	ROW(getrpcent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getrpcbyname,			OTHER,		W,		0, 0, RETURNED),
	ROW(getfsent,				OTHER,		W,		0, 0, RETURNED),
	ROW(getttyent,				OTHER,		W,		0, 0, RETURNED),
	ROW(setservent,				OTHER,		W,		0, 0),
	ROW(setprotoent,			OTHER,		W,		0, 0),
	ROW(sethostent,				OTHER,		W,		0, 0),
	ROW(setnetgrent,			OTHER,		W,		0, 0),
	ROW(re_comp,				OTHER,		W,		0, 0),
	ROW(re_exec,				OTHER,		W,		0, 0),
	ROW(mallopt,				OTHER,		W,		0, 0),
	ROW(addseverity,			OTHER,		W,		0, 0),

	/* What setlocale() changes for all threads; some keep half a letter, too. */
	ROW(mbtowc,				OTHER,		W,		0, 0),
	ROW(wctomb,				OTHER,		W,		0, 0),
	ROW(mblen,				OTHER,		W,		0, 0),
	ROW(mbstowcs,				OTHER,		0,		0, 0),
	ROW(wcstombs,				OTHER,		0,		0, 0),
	ROW(btowc,				OTHER,		0,		0, 0),
	ROW(wctob,				OTHER,		0,		0, 0),
	ROW(nl_langinfo,			OTHER,		0,		0, 0),
};

uint32_t chess_wrapper_count(void)
{
	return ARRAY_SIZE(wrappers);
}

const struct chess_wrapper *chess_wrapper_find(uint32_t id)
{
	return id >= 1 && id <= ARRAY_SIZE(wrappers) ? &wrappers[id - 1].w : NULL;
}

const struct chess_wrapper *chess_wrapper_of(const struct chess_event *e)
{
	if (!(e->flags & CHESS_OPF_PROBE) || chess_event_is_access(e))
		return NULL;
	return chess_wrapper_find(e->nr);
}

const struct chess_wrapper *chess_wrapper_by_symbol(const char *symbol)
{
	size_t i;

	/* Libraries have thousands of symbols: strcmp() for each took a third of a start. */
	for (i = 0; i < ARRAY_SIZE(wrappers); i++)
		if (*wrappers[i].w.symbol == *symbol && !strcmp(wrappers[i].w.symbol, symbol))
			return &wrappers[i].w;
	return NULL;
}

uint32_t chess_wrapper_id(const struct chess_wrapper *w)
{
	return (const struct row *)w - wrappers + 1;
}

bool chess_wrapper_has(const struct chess_event *e, enum chess_wrapper_trait trait)
{
	const struct chess_wrapper *w = chess_wrapper_of(e);

	return w && (wrappers[chess_wrapper_id(w) - 1].traits & trait);
}
