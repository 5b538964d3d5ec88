// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads write to one database, and it is closed
 * link: -lleveldb -lpthread
 */
#include <pthread.h>
#include <string.h>
#include <leveldb/c.h>

static leveldb_t *db;

static void *put(void *key)
{
	leveldb_writeoptions_t *o = leveldb_writeoptions_create();
	char *err = NULL;

	leveldb_put(db, o, key, 1, "v", 1, &err);
	leveldb_writeoptions_destroy(o);
	return err;
}

int main(void)
{
	leveldb_readoptions_t *r = leveldb_readoptions_create();
	leveldb_options_t *o = leveldb_options_create();
	char *err = NULL, *a, *b;
	pthread_t t;
	size_t n;

	leveldb_options_set_create_if_missing(o, 1);
	leveldb_destroy_db(o, "db", &err);
	err = NULL;
	db = leveldb_open(o, "db", &err);
	if (!db)
		return 2;
	pthread_create(&t, NULL, put, "a");
	put("b");
	pthread_join(t, NULL);
	a = leveldb_get(db, r, "a", 1, &n, &err);
	b = leveldb_get(db, r, "b", 1, &n, &err);
	leveldb_close(db);
	return !a || !b;
}
