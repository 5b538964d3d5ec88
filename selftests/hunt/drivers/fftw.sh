#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: libfftw3-double3
# threads: 3
# expect: a transform by two threads gives the sum
exec fftw
