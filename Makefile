# SPDX-License-Identifier: GPL-2.0-only
#
# Dispatch only: every part has a makefile or a script of its own.
#
#   make            build/chessctl, libchessctl, kmod/chess.ko and the VM's kernel
#   make demo       find, replay and show a bug; installs what is missing
#   make check      all tests; installs what is missing
#   make deb        Debian packages in build/packages; "make rpm": RPM packages
#
# KDIR=... builds the module for another kernel, V=1 shows commands, C=1 runs
# sparse, W=1 asks for more warnings. For install: DESTDIR, PREFIX, LIBDIR, BASHDIR, ZSHDIR.

top     := $(CURDIR)
BUILD   ?= $(if $(O),$(abspath $(O)),$(top)/build)
KDIR    ?= $(top)/build/kernel/generic/headers
PREFIX  ?= /usr/local
DESTDIR ?=
SUB     := $(MAKE) --no-print-directory BUILD=$(BUILD) O=$(BUILD)
# On all processors, unless -j was given, which make knows only within a recipe.
PARTS    = $(SUB) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc)) all tests

export BUILD PREFIX DESTDIR

all: kmod cli vm

deps-check:
	@scripts/install-deps.sh --check

vm-kernel: deps-check
	@scripts/vm-kernel.sh

# Only the VM's own kernel is fetched; another KDIR is the caller's.
kmod: deps-check $(if $(filter $(top)/build/kernel/%,$(KDIR)),vm-kernel)
	@scripts/build-module.sh "$(KDIR)" $(if $(V),V=$(V)) $(if $(C),C=$(C)) $(if $(W),W=$(W))

lib: deps-check
	+@$(SUB) -C libchessctl

cli: lib
	+@$(SUB) -C cli

vm: deps-check
	+@$(SUB) -C cli/vm

# The units, the programs under test, and what else has a makefile there.
tests: lib
	+@for dir in selftests $(patsubst %/Makefile,%,$(wildcard selftests/*/Makefile)); do \
		$(SUB) -C $$dir all || exit; done

demo: install-deps
	+@$(PARTS)
	@scripts/demo.sh

# KERNEL=6.1: the VM suites on another kernel than the default one; ONLY: these suites.
check: install-deps
	@scripts/install-deps.sh browser
	+@$(PARTS)
	+@$(if $(KERNEL),scripts/check-kernel.sh $(KERNEL),scripts/check.sh) $(ONLY)

check-unit: cli tests
	+@scripts/check.sh --units-only

# Everything as often as promised; hours.
check-full: install-deps
	@scripts/install-deps.sh apps export
	+@$(PARTS)
	+@$(SUB) -C selftests/programs tsan
	+@scripts/check.sh --full

check-debug: install-deps
	+@$(PARTS)
	+@scripts/check-kernel.sh debug

# On every kernel of the table in docs/kernels.md, or on those named: KERNELS="6.1 rt"
check-kernels: install-deps
	+@$(PARTS)
	@scripts/check-kernels.sh $(KERNELS)

check-flavours: install-deps
	+@$(PARTS)
	@scripts/check-flavours.sh

check-apps: install-deps
	@scripts/install-deps.sh apps
	+@$(PARTS)
	+@$(SUB) -C selftests/programs tsan
	+@scripts/check.sh apps apps-jobs apps-bounds found services races-peers

# Programs of Debian, each searched for BUDGET seconds, those in ONLY or all that are not done yet;
# writes docs/hunt.md.
hunt: install-deps
	@scripts/install-deps.sh hunt
	+@$(PARTS)
	+@$(SUB) -C selftests/hunt programs
	@selftests/hunt/hunt.sh

# Every suite fuzz-* for TIME seconds each, or COUNT inputs, from SEED on.
check-fuzz: install-deps
	+@$(PARTS)
	+@scripts/check-fuzz.sh

check-evex: install-deps
	@scripts/install-deps.sh evex
	+@$(PARTS)
	@scripts/check.sh evex

# Searches in shards on simulated clusters of 10 to 100,000 workers. ARGS: see
# selftests/scale/scale_sim.c; "5 5 4" makes all of 10^7 runs, in hours
scale-sim: deps-check lib
	+@$(SUB) -C selftests/scale
	@$(BUILD)/selftests/scale/scale_sim $(if $(ARGS),$(ARGS),4 4 4 stands 42.14)

# A search in shards on a Slurm of four nodes, and by GNU parallel.
check-slurm: install-deps
	@scripts/install-deps.sh slurm
	+@$(PARTS)
	@scripts/check.sh slurm

bench: install-deps
	+@$(PARTS)
	@scripts/bench.sh

# Published figures beside ours, without a kernel; LIMIT: runs of a search. Arguments of
# sim_bench for the lines on speed and memory:
RESULTS_BENCH := "icb 3" "icb 4" "icb 4 hb 12" "icb 4 hb,sleep 12" "delay 6 none 12"
results: deps-check lib
	+@$(SUB) -C selftests/simulator
	@{ $(BUILD)/selftests/simulator/results && for search in $(RESULTS_BENCH); do \
		$(BUILD)/selftests/simulator/sim_bench $$search >$(BUILD)/sim_bench.out || exit; \
		tail -n 1 $(BUILD)/sim_bench.out | sed "s/^[^:]*/    $$search/"; \
	done; } >$(BUILD)/results.md && mv $(BUILD)/results.md docs/results.md

# The same for Maple's evaluation, in the VM; TIME, RUNS, SEEDS: see selftests/memo/paper.sh.
results-maple: install-deps
	+@$(PARTS)
	@scripts/results-maple.sh

style:
	@scripts/style.sh

# What reads files and messages that somebody else wrote, by gcc -fanalyzer.
analyze: lib
	@scripts/analyze.sh

# Which tests a source file has: make tests-of FILE=libchessctl/record/hb.c
tests-of:
	@scripts/tests-of.sh "$(FILE)"

netlink-gen:
	@scripts/netlink-gen.sh

install-deps:
	@scripts/install-deps.sh

# All but the module and the VM's kernel; installs and fetches nothing, so that packages use it.
userspace:
	+@$(SUB) -C libchessctl
	+@$(SUB) -C cli
	+@$(SUB) -C cli/vm

install-userspace: userspace
	+@$(SUB) -C libchessctl install
	+@$(SUB) -C cli install
	+@$(SUB) -C cli/vm install

install: all
	+@$(SUB) install-userspace
	+@$(SUB) -C cli/vm install-kernel

# Into build/packages.
deb:
	@scripts/packages.sh deb

rpm:
	@scripts/packages.sh rpm

# Builds the packages twice, installs them in a fresh Debian and boots that; needs root.
check-packages: cli
	@scripts/check-packages.sh

# Signed and unsigned modules under a UEFI firmware that enforces signatures.
check-secure-boot: kmod
	@scripts/check-secure-boot.sh

clean:
	@rm -f modules.order Module.symvers .*.cmd
	@find kmod \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' \
		-o -name '.*.cmd' -o -name '.module-*' -o -name modules.order \
		-o -name Module.symvers \) -delete
	@find $(BUILD) -mindepth 1 -maxdepth 1 ! -name kernel -exec rm -rf {} + 2>/dev/null || true

.PHONY: all deps-check vm-kernel kmod lib cli vm tests demo check check-full check-unit \
	check-debug check-evex check-slurm scale-sim check-flavours check-kernels check-apps \
	check-fuzz analyze bench hunt results results-maple style tests-of netlink-gen \
	install-deps userspace install-userspace install \
	deb rpm check-packages check-secure-boot clean
