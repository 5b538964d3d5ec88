#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# make -j3 of a project of 30 C files with the compiler CC, and the program it makes, below
# the working directory.
#
# make.sh CC
dir=$PWD/make
rm -rf "$dir"
mkdir -p "$dir"
cd "$dir" || exit 1
for n in {1..29}; do
	echo "int part$n(int x) { return x * $n + 1; }" >"part$n.c"
done
{
	echo '#include <stdio.h>'
	for n in {1..29}; do echo "int part$n(int x);"; done
	echo 'int main(void) { int x = 1;'
	for n in {1..29}; do echo "x = part$n(x) % 9973;"; done
	cat <<'END'
printf("%d\n", x); return 0; }
END
} >main.c
cat >Makefile <<'END'
OBJS := $(patsubst %.c,%.o,$(wildcard *.c))
program: $(OBJS)
	$(CC) -o $@ $(sort $(OBJS))
%.o: %.c
	@$(CC) -c -o $@ $<
END
make -s -j3 CC="$1"
echo "make $?"
ls
./program
rm -rf "$dir"
