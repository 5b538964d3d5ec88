/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The programs and libraries of a process, from text like /proc/PID/maps.
 */
#ifndef CHESSCTL_IMAGE_H
#define CHESSCTL_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

/* A line of the text. */
struct chess_mapping {
	uint64_t start, end, offset;
	char path[256];
};

/**
 * struct chess_image - an ELF file that is mapped
 * @start: of its first page
 * @end: after its last segment; of its uninitialised data too, which no file is mapped to
 * @bias: what the addresses in the file are moved by
 * @path: of the file
 */
struct chess_image {
	uint64_t start, end, bias;
	char path[256];
};

/**
 * chess_mapping_next() - the line at @text
 * @text: or what the last call returned
 * @out: filled in
 *
 * Return: what to go on with, or NULL: there was none.
 */
const char *chess_mapping_next(const char *text, struct chess_mapping *out);

/* The same for images: each is found at its first page. */
const char *chess_image_next(const char *text, struct chess_image *out);

/**
 * chess_image_variables() - where an image has what it writes to
 * @image: it
 * @start: first byte, after what is constant once the loader is done
 * @end: after the last one
 *
 * Return: false: it has none, or its file cannot be read.
 */
bool chess_image_variables(const struct chess_image *image, uint64_t *start, uint64_t *end);

/* Where the symbol @name of the image is, which others may use; 0: it has none of that name. */
uint64_t chess_image_symbol(const struct chess_image *image, const char *name);

#endif /* CHESSCTL_IMAGE_H */
