// SPDX-License-Identifier: GPL-2.0-only
/*
 * two threads add 1 in a transaction each
 * link: -llmdb -lpthread
 */
#include <lmdb.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static MDB_env *env;
static MDB_dbi dbi;

static int add(int by)
{
	MDB_val key = { 1, "k" }, value;
	MDB_txn *txn;
	int n = 0;

	if (mdb_txn_begin(env, NULL, 0, &txn))
		abort();
	if (!mdb_get(txn, dbi, &key, &value))
		memcpy(&n, value.mv_data, sizeof(n));
	n += by;
	value = (MDB_val){ sizeof(n), &n };
	if (mdb_put(txn, dbi, &key, &value, 0) || mdb_txn_commit(txn))
		abort();
	return n;
}

static void *task(void *arg)
{
	add(1);
	return NULL;
}

int main(void)
{
	MDB_txn *txn;
	pthread_t t;

	unlink("l/data.mdb");
	unlink("l/lock.mdb");
	mkdir("l", 0700);
	mdb_env_create(&env);
	if (mdb_env_open(env, "l", MDB_NOSYNC, 0600) || mdb_txn_begin(env, NULL, 0, &txn) ||
	    mdb_dbi_open(txn, NULL, 0, &dbi) || mdb_txn_commit(txn))
		return 2;
	pthread_create(&t, NULL, task, NULL);
	add(1);
	pthread_join(t, NULL);
	return add(0) != 2;
}
