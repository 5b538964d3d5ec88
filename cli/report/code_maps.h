/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which mappings of a saved maps text are of programs and libraries.
 */
#ifndef CLI_CODE_MAPS_H
#define CLI_CODE_MAPS_H

/**
 * code_maps() - leave out files that no code was mapped of
 * @maps: lines as of /proc/PID/maps
 *
 * Data that was mapped when the text was saved, as the loader's cache is, may be gone
 * later, and anything else lie at its addresses.
 *
 * Return: the lines of files with an executable mapping, and those that name no file;
 * malloc'ed.
 */
char *code_maps(const char *maps);

#endif /* CLI_CODE_MAPS_H */
