// SPDX-License-Identifier: GPL-2.0-only
/* A plug-in for subject.c: something to open, ask for and close. */
int plugged = 1;
