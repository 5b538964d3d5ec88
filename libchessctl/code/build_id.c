// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Build-ids: the note in which a linker identifies an ELF file. Traces and the lists of access
 * points recognise files by them.
 */
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chessctl/chessctl.h"
#include "code/build_id.h"

static char *find_note(Elf *elf, const GElf_Phdr *ph)
{
	Elf_Data *notes = elf_getdata_rawchunk(elf, ph->p_offset, ph->p_filesz,
					       ph->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR);
	size_t at = 0, name, desc, i;
	GElf_Nhdr nh;
	char *text;

	while (notes && (at = gelf_getnote(notes, at, &nh, &name, &desc))) {
		const unsigned char *bytes = notes->d_buf;

		if (nh.n_type != NT_GNU_BUILD_ID || nh.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(bytes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) || !nh.n_descsz ||
		    nh.n_descsz > CHESS_BUILD_ID_MAX)
			continue;
		text = malloc(2 * nh.n_descsz + 1);
		for (i = 0; text && i < nh.n_descsz; i++)
			sprintf(text + 2 * i, "%02x", bytes[desc + i]);
		return text;
	}
	return NULL;
}

char *chess_build_id_of(int fd)
{
	char *text = NULL;
	GElf_Phdr ph;
	size_t n, i;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &n))
		n = 0;
	for (i = 0; i < n && !text; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_NOTE)
			text = find_note(elf, &ph);
	elf_end(elf);
	return text;
}

char *chess_build_id(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text;

	if (fd < 0)
		return NULL;
	text = chess_build_id_of(fd);
	close(fd);
	return text;
}
