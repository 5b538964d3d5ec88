/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF files for x86-64, opened.
 */
#ifndef CHESSCTL_ELF_FILE_H
#define CHESSCTL_ELF_FILE_H

#include <gelf.h>

struct chess_elf_file {
	int fd;
	Elf *elf;
};

/**
 * chess_elf_open() - open an ELF file for x86-64
 * @path: the file
 * @file: what is to be closed, unless this fails
 *
 * Return: 0 or negative errno with chess_error().
 */
int chess_elf_open(const char *path, struct chess_elf_file *file);
void chess_elf_close(struct chess_elf_file *file);

/**
 * chess_elf_next_code() - sections with code, one after the other
 * @elf: the file
 * @scn: the section before; NULL: none
 * @sh: header of the one that is returned
 * @data: its bytes
 *
 * Return: a section that has bytes in the file; NULL: there is no other.
 */
Elf_Scn *chess_elf_next_code(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh, Elf_Data **data);

#endif /* CHESSCTL_ELF_FILE_H */
