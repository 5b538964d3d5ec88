#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: sox
# threads: 2
# prepare: OMP_NUM_THREADS=2 /usr/bin/sox -D -R -n -r 8000 -c 2 expected.wav synth 0.1 sine 440
# expect: the sound is byte for byte that of the run without control
OMP_NUM_THREADS=2 /usr/bin/sox -D -R --multi-threaded -n -r 8000 -c 2 output.wav synth 0.1 sine \
	440 && cmp output.wav expected.wav
