# SPDX-License-Identifier: GPL-2.0-only
#
# What a program that uses sim.h is linked with, beside libchessctl.a. CHESS_TREE is
# the checkout.

SIM_SRCS     := $(addprefix $(CHESS_TREE)/selftests/simulator/,sim_core.c sim_switch.c sim_decide.c \
	sim_wait.c sim_ops.c sim_locks.c sim_objects.c sim_process.c sim_signals.c sim_vars.c \
	sim_state.c) \
	$(addprefix $(CHESS_TREE)/kmod/,decide.c fair.c policy.c policy_order.c policy_pairs.c)
SIM_CPPFLAGS := -I$(CHESS_TREE)/selftests/simulator -I$(CHESS_TREE)/kmod

# The modelled programs, and what their figures are counted with.
PROGRAM_SRCS := $(wildcard $(CHESS_TREE)/selftests/simulator/programs/*.c) \
	$(addprefix $(CHESS_TREE)/selftests/simulator/,chess_rule.c numbers.c search.c) $(SIM_SRCS)
