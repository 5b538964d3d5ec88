/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Channels of Go for programs of threads: with room for some values, or for none, where the
 * sender waits until its value was taken.
 */
#ifndef OUTSIDE_CHANNEL_H
#define OUTSIDE_CHANNEL_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct channel {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int room, sent, taken;
	int values[4];
	bool is_closed;
};

#define CHANNEL(size) {							\
	.lock = PTHREAD_MUTEX_INITIALIZER,				\
	.changed = PTHREAD_COND_INITIALIZER,				\
	.room = (size),							\
}

/* To send to a channel that is closed is a panic in Go. */
static inline void channel_send(struct channel *channel, int value)
{
	unsigned int number;

	pthread_mutex_lock(&channel->lock);
	while (channel->sent - channel->taken > channel->room && !channel->is_closed)
		pthread_cond_wait(&channel->changed, &channel->lock);
	assert(!channel->is_closed);
	number = channel->sent++;
	channel->values[number % 4] = value;
	pthread_cond_broadcast(&channel->changed);
	while (number >= channel->taken + channel->room)
		pthread_cond_wait(&channel->changed, &channel->lock);
	pthread_mutex_unlock(&channel->lock);
}

/* False: it is closed, and nothing is left in it. */
static inline bool channel_take(struct channel *channel, int *value)
{
	bool is_there;

	pthread_mutex_lock(&channel->lock);
	while (channel->sent == channel->taken && !channel->is_closed)
		pthread_cond_wait(&channel->changed, &channel->lock);
	is_there = channel->sent != channel->taken;
	if (is_there) {
		*value = channel->values[channel->taken++ % 4];
		pthread_cond_broadcast(&channel->changed);
	}
	pthread_mutex_unlock(&channel->lock);
	return is_there;
}

static inline void channel_close(struct channel *channel)
{
	pthread_mutex_lock(&channel->lock);
	assert(!channel->is_closed);
	channel->is_closed = true;
	pthread_cond_broadcast(&channel->changed);
	pthread_mutex_unlock(&channel->lock);
}

#endif
