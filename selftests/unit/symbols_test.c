// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves that sync functions are found with all their versions, in libc, static
 * and foreign-named files, that every one of the host's libc gets a slot, and
 * that a program's files are those ld.so loads.
 */
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>

#include "harness.h"
#include "code/heap.h"
#include "code/wrappers.h"

static char dir[] = "/tmp/chess-symbols-XXXXXX";

/* In a directory of the test's own; compiler errors are the test's errors. */
static void build(const char *file, const char *source, const char *flags)
{
	char command[2048];

	if (!strstr(dir, "XXXXXX"))
		chdir(dir);
	else
		ASSERT_NE(NULL, (void *)mkdtemp(dir));
	ASSERT_EQ(0, chdir(dir));
	snprintf(command, sizeof(command), "echo '%s' | ${CC:-gcc} -x c -o %s - -x none %s", source, file,
		 flags);
	ASSERT_EQ(0, system(command));
}

static void clean_up(void)
{
	char command[256];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	EXPECT_EQ(0, system(command));
}

static char *libc_path(void)
{
	struct link_map *map;
	void *handle = dlopen("libc.so.6", RTLD_NOW);

	if (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map))
		return NULL;
	return map->l_name;
}

static const struct chess_probe *probe_of(const struct chess_probe *p, int n, const char *symbol,
					  int *count)
{
	const struct chess_probe *found = NULL;
	int i;

	*count = 0;
	for (i = 0; i < n; i++) {
		if (!p[i].id || strcmp(chess_wrapper_find(p[i].id)->symbol, symbol))
			continue;
		found = &p[i];
		++*count;
	}
	return found;
}

static bool has_site(const struct chess_probe *p, int n, uint64_t offset)
{
	int i;

	for (i = 0; i < n; i++)
		if (p[i].offset == offset)
			return true;
	return false;
}

/* What dlvsym() says, less where the file is mapped, is where traps must be. */
TEST(every_function_of_libc_has_a_trap)
{
	char *path = libc_path(), *skipped = NULL;
	struct chess_probe *p;
	unsigned int id, found = 0;
	Dl_info info;
	int n, i;

	ASSERT_NE(NULL, (void *)path);
	n = chess_symbols_probes(path, &p, &skipped);
	ASSERT_LT(40, n);
	EXPECT_EQ(NULL, (void *)skipped);
	for (i = 1; i < n; i++)
		EXPECT_LT(p[i - 1].offset, p[i].offset);
	for (id = 1; chess_wrapper_find(id); id++) {
		void *at = dlsym(RTLD_DEFAULT, chess_wrapper_find(id)->symbol);

		if (!at)
			continue;
		ASSERT_NE(0, dladdr(at, &info));
		/* In glibc, offsets in the file are addresses in the text segment. */
		if (!has_site(p, n, (char *)at - (char *)info.dli_fbase)) {
			TH_LOG("no trap at %s", chess_wrapper_find(id)->symbol);
			HARNESS_FAILED(0);
		}
		found++;
	}
	EXPECT_LT(45u, found);
}

/* All traps of a heap stand at its entries and exits. */
TEST(the_heap_has_traps)
{
	char *names[] = { "malloc", "calloc", "realloc" };
	int fd = open(libc_path(), O_RDONLY), n = 0, i, returns, entries = 0, resizes = 0;
	struct chess_probe *p = NULL;
	Dl_info info;
	size_t k;

	ASSERT_EQ(0, chess_heap_probes(fd, &p, &n));
	for (i = 0; i < n; i++) {
		if (i)
			EXPECT_LT(p[i - 1].offset, p[i].offset);
		entries += !!(p[i].flags & CHESS_PROBE_FREE);
		resizes += p[i].flags == (CHESS_PROBE_FREE | CHESS_PROBE_RESIZE |
					   CHESS_PROBE_OWN);
		if (p[i].flags & CHESS_PROBE_FREE)
			continue;
		EXPECT_EQ(CHESS_PROBE_ALLOCATED, p[i].flags);
		/* ret, or calloc's jmp to memset, whose first argument is the piece */
		EXPECT_EQ(p[i].object_arg ? 0xe9 : 0xc3, p[i].orig[0]);
	}
	EXPECT_EQ(2, entries);	/* free and realloc */
	EXPECT_EQ(1, resizes);
	for (k = 0; k < 3; k++) {
		uint64_t at;

		ASSERT_NE(0, dladdr(dlsym(RTLD_DEFAULT, names[k]), &info));
		at = (char *)info.dli_saddr - (char *)info.dli_fbase;
		for (i = returns = 0; i < n; i++)
			/* None of the three is shorter than that. */
			returns += p[i].flags == CHESS_PROBE_ALLOCATED && p[i].offset - at < 700;
		EXPECT_LT(0, returns);
	}
	close(fd);
	free(p);
	/* A program that is linked to it has no heap of its own. */
	fd = open("/proc/self/exe", O_RDONLY);
	p = NULL;
	n = 0;
	ASSERT_EQ(0, chess_heap_probes(fd, &p, &n));
	EXPECT_EQ(0, n);
	close(fd);
	free(p);
}

TEST(bytes_expected_are_those_of_the_file)
{
	char *path = libc_path();
	struct chess_probe *p;
	uint8_t bytes[CHESS_PROBE_ORIG_MAX];
	int n, i, fd;

	n = chess_symbols_probes(path, &p, NULL);
	fd = open(path, O_RDONLY);
	for (i = 0; i < n; i++) {
		ASSERT_EQ((ssize_t)p[i].orig_len,
			  pread(fd, bytes, p[i].orig_len, p[i].offset));
		EXPECT_EQ(0, memcmp(bytes, p[i].orig, p[i].orig_len));
		EXPECT_LT(0, p[i].slot_len);
		EXPECT_LE(p[i].slot_len, CHESS_PROBE_SLOT_MAX);
		EXPECT_EQ(p[i].id ? chess_wrapper_find(p[i].id)->op : 0, p[i].op);
	}
}

TEST(every_version_of_a_name_has_a_trap)
{
	void *old = dlvsym(RTLD_DEFAULT, "pthread_cond_wait", "GLIBC_2.2.5");
	void *new = dlvsym(RTLD_DEFAULT, "pthread_cond_wait", "GLIBC_2.3.2");
	struct chess_probe *p;
	Dl_info info;
	int n, count;

	if (!old || !new)
		SKIP_TEST("this libc has one version of pthread_cond_wait");
	ASSERT_NE(old, new);
	ASSERT_NE(0, dladdr(old, &info));
	n = chess_symbols_probes(libc_path(), &p, NULL);
	EXPECT_TRUE(has_site(p, n, (char *)old - (char *)info.dli_fbase));
	EXPECT_TRUE(has_site(p, n, (char *)new - (char *)info.dli_fbase));
	probe_of(p, n, "pthread_cond_wait", &count);
	EXPECT_EQ(2, count);
}

TEST(static_programs_have_traps)
{
	const struct chess_probe *lock;
	struct chess_probe *p;
	int n, count;

	build("prog", "#include <pthread.h>\nstatic pthread_mutex_t m;"
	      "int main(void) { pthread_mutex_lock(&m); return pthread_mutex_unlock(&m); }",
	      "-static");
	n = chess_symbols_probes("prog", &p, NULL);
	EXPECT_LT(1, n);
	lock = probe_of(p, n, "pthread_mutex_lock", &count);
	EXPECT_EQ(1, count);
	ASSERT_NE(NULL, (void *)lock);
	EXPECT_EQ(CHESS_OP_LOCK, lock->op);
	EXPECT_EQ(1, lock->object_arg);
	EXPECT_EQ(CHESS_PROGRAM_STATIC, chess_symbols_kind("prog"));
	clean_up();
}

TEST(inner_names_aliases_and_resolvers)
{
	struct chess_probe *p;
	char *skipped;
	int n, count;

	build("lib.so",
	      "int __new_sem_post(void *s) { return !s; }"		/* inner name alone */
	      "int __pthread_mutex_lock(void *m) { return !!m; }"	/* beside the plain one */
	      "int pthread_mutex_lock(void *m) { return 2 + !!m; }"
	      "int pthread_mutex_unlock(void *m) { return 4 + !!m; }"	/* two names, one place */
	      "int mtx_unlock(void *m) __attribute__((alias(\"pthread_mutex_unlock\")));"
	      "static int impl(void *m) { return !m; }"
	      "static void *pick(void) { return impl; }"
	      "int pthread_spin_lock(void *m) __attribute__((ifunc(\"pick\")));"
	      "__asm__(\".globl sem_wait; .type sem_wait,@function; sem_wait: syscall; ret\");"
	      "int sem_wait_data = 1; int pthread_once[2] = { 1 };",
	      "-shared -fPIC -w");
	n = chess_symbols_probes("lib.so", &p, &skipped);
	EXPECT_EQ(3, n);
	probe_of(p, n, "sem_post", &count);
	EXPECT_EQ(1, count);
	probe_of(p, n, "pthread_mutex_lock", &count);
	EXPECT_EQ(1, count);
	probe_of(p, n, "pthread_mutex_unlock", &count);
	EXPECT_EQ(1, count);
	EXPECT_STREQ("sem_wait", skipped);
	clean_up();
}

/* What looks like the instruction, within another one or in data between functions, is none. */
TEST(readings_of_the_time_stamp_counter)
{
	struct chess_probe *p;
	char *skipped;
	int n, i;

	build("lib.so",
	      "#define F(name, code) __asm__(\".globl \" name \"; .type \" name \",@function; \""
	      " name \": \" code \"; .size \" name \", . - \" name)\n"
	      "F(\"one\", \"rdtsc; shl $32, %rdx; or %rdx, %rax; ret\");"
	      "F(\"two\", \"mov $0x310f310f, %eax; rdtscp; ret\");"
	      "__asm__(\".byte 0x0f, 0x31, 0x0f, 0x01, 0xf9\");"
	      "F(\"none\", \"mov $0x310f310f, %eax; ret\");"
	      "F(\"bad\", \"rdtsc; .byte 0x06, 0x07; ret\");",	/* no instructions of 64 bits */
	      "-shared -fPIC -w");
	n = chess_symbols_probes("lib.so", &p, &skipped);
	ASSERT_EQ(2, n);
	EXPECT_EQ(NULL, (void *)skipped);
	for (i = 0; i < n; i++) {
		EXPECT_EQ(0u, p[i].id);
		EXPECT_EQ(CHESS_PROBE_TSC, p[i].flags);
		EXPECT_EQ(i ? 3 : 2, p[i].orig_len);
	}
	EXPECT_EQ(0, memcmp(p[0].orig, "\x0f\x31", 2));
	EXPECT_EQ(0, memcmp(p[1].orig, "\x0f\x01\xf9", 3));
	clean_up();
}

TEST(what_is_no_elf_file_is_refused)
{
	struct chess_probe *p;

	EXPECT_EQ(-ENOENT, chess_symbols_probes("/nowhere/at-all", &p, NULL));
	EXPECT_EQ(-ENOEXEC, chess_symbols_probes("/etc/passwd", &p, NULL));
	EXPECT_EQ(-ENOEXEC, chess_symbols_probes("/dev/null", &p, NULL));
}

/* Damaged files must end in an answer, not in a crash. */
TEST(damaged_files_do_no_harm)
{
	unsigned char *image;
	unsigned int round, k, seed = 1;
	struct chess_probe *p;
	struct stat st;
	char **files;
	FILE *f;

	build("lib.so", "int pthread_mutex_lock(void *m) { return !m; }", "-shared -fPIC");
	ASSERT_EQ(0, stat("lib.so", &st));
	image = malloc(st.st_size);
	f = fopen("lib.so", "r");
	ASSERT_EQ((size_t)st.st_size, fread(image, 1, st.st_size, f));
	fclose(f);
	for (round = 0; round < 1500; round++) {
		unsigned char *copy = malloc(st.st_size);

		memcpy(copy, image, st.st_size);
		for (k = 0; k < 8; k++)
			copy[rand_r(&seed) % (round % 2 ? st.st_size : 0x400)] = rand_r(&seed);
		f = fopen("bad", "w");
		fwrite(copy, 1, round % 3 ? st.st_size : rand_r(&seed) % st.st_size, f);
		fclose(f);
		free(copy);
		chmod("bad", 0755);
		if (chess_symbols_probes("bad", &p, NULL) >= 0)
			free(p);
		files = chess_symbols_files("bad");
		for (k = 0; files && files[k]; k++)
			free(files[k]);
		free(files);
	}
	clean_up();
}

static bool lists(char **files, const char *suffix)
{
	size_t len = strlen(suffix);

	for (; *files; files++)
		if (strlen(*files) >= len && !strcmp(*files + strlen(*files) - len, suffix))
			return true;
	return false;
}

/* A chain over RUNPATH, RPATH with $ORIGIN and LD_LIBRARY_PATH. */
TEST(libraries_are_found_as_ld_so_does)
{
	char **files;

	build("prog", "int main(void) { return 0; }", "");
	ASSERT_EQ(0, mkdir("sub", 0755));
	ASSERT_EQ(0, mkdir("env", 0755));
	build("env/libthird.so", "int third(void) { return 3; }",
	      "-shared -fPIC -Wl,-soname,libthird.so");
	build("sub/libsecond.so", "int second(void) { return 2; }",
	      "-shared -fPIC -Wl,--no-as-needed -Lenv -lthird -Wl,-soname,libsecond.so");
	build("sub/libfirst.so", "int first(void) { return 1; }",
	      "-shared -fPIC -Wl,--no-as-needed -Lsub -lsecond -Wl,-soname,libfirst.so "
	      "-Wl,--enable-new-dtags,-rpath,\\$ORIGIN -Wl,-rpath-link,env");
	build("prog", "int main(void) { return 0; }",
	      "-Wl,--no-as-needed -Lsub -lfirst -Wl,-rpath-link,sub:env "
	      "-Wl,--disable-new-dtags,-rpath,\\${ORIGIN}/sub");
	unsetenv("LD_LIBRARY_PATH");
	files = chess_symbols_files("prog");
	ASSERT_NE(NULL, (void *)files);
	EXPECT_STREQ("prog", files[0]);
	EXPECT_TRUE(lists(files, "/libc.so.6"));
	EXPECT_TRUE(lists(files, "/ld-linux-x86-64.so.2"));
	EXPECT_TRUE(lists(files, "/sub/libfirst.so"));
	EXPECT_TRUE(lists(files, "/sub/libsecond.so"));
	EXPECT_FALSE(lists(files, "/env/libthird.so"));
	setenv("LD_LIBRARY_PATH", "/nonexistent:env", 1);
	files = chess_symbols_files("prog");
	EXPECT_TRUE(lists(files, "env/libthird.so"));
	clean_up();
}

/* Ours must not count, and relative names begin where the program does. */
TEST(environment_and_directory_are_the_programs)
{
	char *const env[] = { "LD_LIBRARY_PATH=there", "LD_PRELOAD=./pre.so", "PATH=bin", NULL };
	char *const none[] = { NULL };
	struct chess_program p = { .cwd = "work", .envp = env };
	char **files;
	FILE *f;

	build("pre.so", "int pre;", "-shared -fPIC");
	ASSERT_EQ(0, system("mkdir work work/there work/bin ours && mv pre.so work && "
			    "cp /bin/true work/bin/tool"));
	build("work/there/libdep.so", "int dep(void) { return 3; }",
	      "-shared -fPIC -Wl,-soname,libdep.so");
	ASSERT_EQ(0, system("cp work/there/libdep.so ours"));
	build("prog", "int main(void) { return 0; }", "-Wl,--no-as-needed -Lours -ldep");
	f = fopen("script", "w");
	fputs("#!/usr/bin/env tool\n", f);
	fclose(f);
	chmod("script", 0755);
	setenv("LD_LIBRARY_PATH", "ours", 1);
	files = chess_symbols_files_of(&p, "prog");
	ASSERT_NE(NULL, (void *)files);
	EXPECT_STREQ("prog", files[0]);
	EXPECT_TRUE(lists(files, "work/there/libdep.so"));
	EXPECT_TRUE(lists(files, "work/./pre.so"));
	EXPECT_FALSE(lists(files, "ours/libdep.so"));
	files = chess_symbols_files_of(&p, "script");
	ASSERT_NE(NULL, (void *)files);
	EXPECT_TRUE(lists(files, "work/bin/tool"));
	p.envp = none;
	files = chess_symbols_files_of(&p, "prog");
	EXPECT_FALSE(lists(files, "libdep.so"));
	EXPECT_FALSE(lists(files, "pre.so"));
	/* No environment of its own: ours, as for execve(). */
	p = (struct chess_program){ 0 };
	EXPECT_TRUE(lists(chess_symbols_files_of(&p, "prog"), "ours/libdep.so"));
	unsetenv("LD_LIBRARY_PATH");
	clean_up();
}

TEST(scripts_lead_to_their_interpreters)
{
	char **files;
	FILE *f;

	build("prog", "int main(void) { return 0; }", "");
	f = fopen("script", "w");
	fputs("#! /usr/bin/env -S A=b sh -e\nexit 0\n", f);
	fclose(f);
	EXPECT_EQ(NULL, (void *)chess_symbols_files("script"));
	EXPECT_EQ(EACCES, errno);
	chmod("script", 0755);
	EXPECT_EQ(CHESS_PROGRAM_SCRIPT, chess_symbols_kind("script"));
	files = chess_symbols_files("script");
	ASSERT_NE(NULL, (void *)files);
	EXPECT_TRUE(lists(files, "/usr/bin/env"));
	EXPECT_TRUE(lists(files, "/sh"));
	EXPECT_TRUE(lists(files, "/libc.so.6"));
	clean_up();
}

TEST(kinds_of_programs)
{
	unsigned char image[] = {
		0x7f, 'E', 'L', 'F', 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 1, 0, 0, 0,
		[40] = 52, [42] = 32, [51] = 0,
	};
	FILE *f;

	build("prog", "int main(void) { return 0; }", "");
	EXPECT_EQ(CHESS_PROGRAM_DYNAMIC, chess_symbols_kind("prog"));
	f = fopen("i386", "w");
	fwrite(image, 1, sizeof(image), f);
	fclose(f);
	chmod("i386", 0755);
	EXPECT_EQ(CHESS_PROGRAM_32BIT, chess_symbols_kind("i386"));
	EXPECT_EQ(-ENOENT, chess_symbols_kind("nothing"));
	EXPECT_EQ(-EISDIR, chess_symbols_kind("."));
	EXPECT_EQ(-EACCES, chess_symbols_kind("/etc/passwd"));
	EXPECT_NE(NULL, (void *)strstr(chess_error(), "not executable"));
	f = fopen("text", "w");
	fputs("hello\n", f);
	fclose(f);
	chmod("text", 0755);
	EXPECT_EQ(-ENOEXEC, chess_symbols_kind("text"));
	clean_up();
}

TEST(the_table_makes_sense)
{
	const struct chess_wrapper *w;
	uint32_t id;

	EXPECT_EQ(NULL, (void *)chess_wrapper_find(0));
	for (id = 1; (w = chess_wrapper_find(id)); id++) {
		EXPECT_EQ(id, chess_wrapper_id(chess_wrapper_by_symbol(w->symbol)));
		EXPECT_STRNE("unknown", chess_op_name(w->op));
		EXPECT_LE(w->object_arg, 2);
		EXPECT_EQ(0, w->op_flags & (CHESS_OPF_PROBE | CHESS_OPF_ALONE));
		if (strstr(w->symbol, "timed") || strstr(w->symbol, "clock"))
			EXPECT_TRUE(w->op_flags & CHESS_OPF_YIELD);
		if (strstr(w->symbol, "try"))
			EXPECT_FALSE(w->op_flags & CHESS_OPF_MAY_BLOCK);
		if (strstr(w->symbol, "unlock") || strstr(w->symbol, "post"))
			EXPECT_TRUE(w->op_flags & CHESS_OPF_RELEASE);
	}
	EXPECT_EQ(NULL, (void *)chess_wrapper_find(id + 1));
	EXPECT_EQ(NULL, (void *)chess_wrapper_by_symbol("printf"));
}

TEST_HARNESS_MAIN
