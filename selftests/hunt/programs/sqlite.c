// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads with a connection each to one shared cache add 1
 * link: -lsqlite3 -lpthread
 */
#include <pthread.h>
#include <sqlite3.h>

static const char *file = "file:m?mode=memory&cache=shared";

static int one(void *n, int columns, char **text, char **names)
{
	*(char *)n = text[0][0];
	return 0;
}

static void *add(void *arg)
{
	sqlite3 *db;
	int code;

	sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL);
	do {
		code = sqlite3_exec(db, "update t set n=n+1", NULL, NULL, NULL);
	} while (code == SQLITE_LOCKED || code == SQLITE_BUSY);
	sqlite3_close(db);
	return NULL;
}

int main(void)
{
	char got = 0;
	pthread_t t;
	sqlite3 *db;

	sqlite3_open_v2(file, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI,
			NULL);
	sqlite3_exec(db, "create table t(n); insert into t values(0)", NULL, NULL, NULL);
	pthread_create(&t, NULL, add, NULL);
	add(NULL);
	pthread_join(t, NULL);
	sqlite3_exec(db, "select n from t", one, &got, NULL);
	sqlite3_close(db);
	return got != '2';
}
