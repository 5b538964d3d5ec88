// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads write to one database, and it is closed
 * link: -lrocksdb -lpthread
 */
#include <pthread.h>
#include <string.h>
#include <rocksdb/c.h>

static rocksdb_t *db;

static void *put(void *key)
{
	rocksdb_writeoptions_t *o = rocksdb_writeoptions_create();
	char *err = NULL;

	rocksdb_put(db, o, key, 1, "v", 1, &err);
	rocksdb_writeoptions_destroy(o);
	return err;
}

int main(void)
{
	rocksdb_readoptions_t *r = rocksdb_readoptions_create();
	rocksdb_options_t *o = rocksdb_options_create();
	char *err = NULL, *a, *b;
	pthread_t t;
	size_t n;

	rocksdb_options_set_create_if_missing(o, 1);
	rocksdb_destroy_db(o, "db", &err);
	err = NULL;
	db = rocksdb_open(o, "db", &err);
	if (!db)
		return 2;
	pthread_create(&t, NULL, put, "a");
	put("b");
	pthread_join(t, NULL);
	a = rocksdb_get(db, r, "a", 1, &n, &err);
	b = rocksdb_get(db, r, "b", 1, &n, &err);
	rocksdb_close(db);
	return !a || !b;
}
