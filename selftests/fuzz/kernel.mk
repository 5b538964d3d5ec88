# SPDX-License-Identifier: GPL-2.0-only
#
# Fuzzers of the module, which run as root in the VM: its requests (netlink_fuzz) and the
# programs under its control (program_fuzz starts program_subject), and what searches find in
# programs (outcomes.sh, outcome_subject, apart_subject). Part of Makefile.

KERNEL_OUT      := $(BUILD)/selftests/fuzz
KERNEL_CFLAGS   := -O1 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Wshadow -pthread \
	-I$(TOP)/include/uapi -I$(TOP)/libchessctl/include \
	-I$(TOP)/selftests/kmod -I$(HERE) -I$(KERNEL_OUT)
KERNEL_LIBS      = $(BUILD)/libchessctl.a \
	$(shell $(PKG) --libs libnl-genl-3.0 libelf libdw libbpf) -lZydis
PROGRAM_SRCS    := $(HERE)/program_make.c $(HERE)/program_note.c $(wildcard $(HERE)/program_ops_*.c)

all: $(KERNEL_OUT)/netlink_fuzz $(KERNEL_OUT)/program_fuzz $(KERNEL_OUT)/program_subject \
	$(KERNEL_OUT)/outcome_subject $(KERNEL_OUT)/apart_subject

$(KERNEL_OUT)/apart_subject: $(HERE)/apart_subject.c $(HERE)/outcome_text.h
	@mkdir -p $(@D)
	@echo "  CC      selftests/fuzz/apart_subject"
	$(Q)$(CC) -O1 -g -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -o $@ $< -pthread

$(KERNEL_OUT)/outcome_subject: $(wildcard $(HERE)/outcome_*.[ch])
	@mkdir -p $(@D)
	@echo "  CC      selftests/fuzz/outcome_subject"
	$(Q)$(CC) $(KERNEL_CFLAGS) -o $@ $(filter %.c,$^)

$(KERNEL_OUT)/program_subject: $(HERE)/program_subject.c $(PROGRAM_SRCS) $(HERE)/program.h
	@mkdir -p $(@D)
	@echo "  CC      selftests/fuzz/program_subject"
	$(Q)$(CC) $(KERNEL_CFLAGS) -o $@ $(filter %.c,$^)

$(KERNEL_OUT)/program_fuzz: $(addprefix $(HERE)/program_,fuzz.c alone.c batch.c) $(PROGRAM_SRCS) \
		$(HERE)/program.h $(HERE)/program_fuzz.h $(BUILD)/libchessctl.a
	@mkdir -p $(@D)
	@echo "  CC      selftests/fuzz/program_fuzz"
	$(Q)$(CC) $(KERNEL_CFLAGS) -o $@ $(filter %.c,$^) $(KERNEL_LIBS)

$(KERNEL_OUT)/netlink_table.gen.h: $(TOP)/docs/netlink/specs/chess.yaml \
		$(HERE)/netlink_table.awk
	@mkdir -p $(@D)
	@echo "  GEN     selftests/fuzz/netlink_table.gen.h"
	$(Q)awk -f $(HERE)/netlink_table.awk $< >$@.new && mv $@.new $@

$(KERNEL_OUT)/netlink_fuzz: $(wildcard $(HERE)/netlink_*.[ch]) $(KERNEL_OUT)/netlink_table.gen.h \
		$(addprefix $(TOP)/selftests/kmod/,raw.c module.c)
	@echo "  CC      selftests/fuzz/netlink_fuzz"
	$(Q)$(CC) $(KERNEL_CFLAGS) -o $@ $(filter %.c,$^)
