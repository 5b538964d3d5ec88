// SPDX-License-Identifier: GPL-2.0-only
/*
 * The descriptor of a device is installed before the device takes its reference to the
 * machine. Whoever guesses the number closes it in between, and the machine is gone.
 *
 * source: CVE-2019-6974 (Linux, KVM)
 * expect: verdict=memory
 */
#include <stdatomic.h>
#include <stdbool.h>

#include "outside.h"

struct machine {
	atomic_int references;
	long rest[4];
};

static struct machine *machine;
static atomic_bool is_installed;

static void put(void)
{
	if (atomic_fetch_sub(&machine->references, 1) == 1)
		free(machine);
}

static void create_device(void)
{
	if (IS_MENDED)
		atomic_fetch_add(&machine->references, 1);
	atomic_store(&is_installed, true);
	if (!IS_MENDED)
		atomic_fetch_add(&machine->references, 1);
}

static void *close_device(void *arg)
{
	(void)arg;
	if (atomic_exchange(&is_installed, false))
		put();
	return NULL;
}

int main(void)
{
	machine = calloc(1, sizeof(*machine));
	assert(machine);
	atomic_store(&machine->references, 1);
	together(create_device, close_device);
	if (atomic_exchange(&is_installed, false))
		put();
	put();
	return 0;
}
