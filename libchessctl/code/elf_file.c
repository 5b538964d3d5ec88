// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * ELF files for x86-64, opened; see elf_file.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "code/elf_file.h"
#include "internal.h"

int chess_elf_open(const char *path, struct chess_elf_file *file)
{
	GElf_Ehdr eh;

	file->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (file->fd < 0)
		return chess_set_error(errno, "cannot open %s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ_MMAP, NULL);
	if (file->elf && elf_kind(file->elf) == ELF_K_ELF && gelf_getehdr(file->elf, &eh) &&
	    gelf_getclass(file->elf) == ELFCLASS64 && eh.e_machine == EM_X86_64)
		return 0;
	chess_elf_close(file);
	return chess_set_error(ENOEXEC, "%s is not an ELF file for x86-64", path);
}

void chess_elf_close(struct chess_elf_file *file)
{
	elf_end(file->elf);
	close(file->fd);
}

Elf_Scn *chess_elf_next_code(Elf *elf, Elf_Scn *scn, GElf_Shdr *sh, Elf_Data **data)
{
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, sh) || !(sh->sh_flags & SHF_EXECINSTR) ||
		    sh->sh_type == SHT_NOBITS)
			continue;
		*data = elf_rawdata(scn, NULL);
		if (*data && (*data)->d_buf)
			break;
	}
	return scn;
}
