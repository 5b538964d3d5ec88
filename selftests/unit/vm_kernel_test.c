// SPDX-License-Identifier: GPL-2.0-only
/*
 * Proves which installed kernel the embedded VM takes, and which of its modules are loaded in
 * which order, in trees of files that stand for /boot and /lib/modules.
 */
#include "../../cli/vm/kernel.c"
#include "harness.h"

static char root[64];

/* What vm.c has; not reached from chess_vm_kernel_installed(). */
int chess_vm_find(const char *name, char *buf, size_t len)
{
	snprintf(buf, len, "%s", name);
	return -ENOENT;
}

static const char *below(const char *path)
{
	static char buf[4][1024];
	static unsigned int n;

	snprintf(buf[++n % 4], sizeof(buf[0]), "%s/%.900s", root, path);
	return buf[n % 4];
}

static void put(const char *path, const char *text)
{
	char command[1100];
	FILE *f;

	snprintf(command, sizeof(command), "mkdir -p $(dirname '%s')", below(path));
	if (system(command))
		exit(1);
	f = fopen(below(path), "w");
	fputs(text, f);
	fclose(f);
}

static void begin(void)
{
	strcpy(root, "/tmp/chess-vm-kernel.XXXXXX");
	if (!mkdtemp(root))
		exit(1);
}

static void end(void)
{
	char command[200];

	snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (system(command))
		exit(1);
}

/* Everything that is needed, as depmod writes it. */
static void put_release(const char *release, const char *chess)
{
	char path[400];

	snprintf(path, sizeof(path), "boot/vmlinuz-%s", release);
	put(path, "image");
	snprintf(path, sizeof(path), "lib/modules/%s/modules.dep", release);
	put(path, "kernel/fs/9p/9p.ko.xz: kernel/net/9p/9pnet.ko.xz kernel/fs/netfs/netfs.ko.xz\n"
		  "kernel/fs/9p/99p.ko.xz:\n"
		  "kernel/net/9p/9pnet_virtio.ko.xz: kernel/net/9p/9pnet.ko.xz\n"
		  "kernel/fs/overlayfs/overlay.ko:\n");
	snprintf(path, sizeof(path), "lib/modules/%s/modules.builtin", release);
	put(path, "kernel/drivers/virtio/virtio_pci.ko\nkernel/drivers/char/virtio_console.ko\n");
	snprintf(path, sizeof(path), "lib/modules/%s/%s", release, chess);
	put(path, "module");
}

TEST(nothing_is_installed)
{
	struct chess_vm_kernel kernel;

	begin();
	EXPECT_EQ(-ENOENT, chess_vm_kernel_installed(root, "6.1.0-1-amd64", &kernel));
	put("lib/modules/6.1.0-1-amd64/modules.dep", "");
	EXPECT_EQ(-ENOENT, chess_vm_kernel_installed(root, "6.1.0-1-amd64", &kernel));
	end();
}

TEST(modules_are_loaded_after_what_they_need)
{
	static const char *const order[] = {
		"kernel/fs/netfs/netfs.ko.xz", "kernel/net/9p/9pnet.ko.xz", "kernel/fs/9p/9p.ko.xz",
		"kernel/net/9p/9pnet_virtio.ko.xz", "kernel/fs/overlayfs/overlay.ko",
	};
	struct chess_vm_kernel kernel;
	char path[400];
	size_t i;

	begin();
	put_release("6.1.0-1-amd64", "updates/dkms/chess.ko.xz");
	ASSERT_EQ(0, chess_vm_kernel_installed(root, "other", &kernel));
	EXPECT_STREQ(below("boot/vmlinuz-6.1.0-1-amd64"), kernel.image);
	EXPECT_STREQ(below("lib/modules/6.1.0-1-amd64/updates/dkms/chess.ko.xz"), kernel.chess);
	EXPECT_STREQ("", kernel.modules);
	ASSERT_EQ(sizeof(order) / sizeof(order[0]), kernel.nboot);
	for (i = 0; i < kernel.nboot; i++) {
		snprintf(path, sizeof(path), "lib/modules/6.1.0-1-amd64/%s", order[i]);
		EXPECT_STREQ(below(path), kernel.boot[i]);
	}
	chess_vm_kernel_clear(&kernel);
	end();
}

TEST(the_running_kernel_comes_first_then_the_newest)
{
	struct chess_vm_kernel kernel;

	begin();
	put_release("6.1.0-9-amd64", "extra/chess.ko");
	put_release("6.1.0-10-amd64", "updates/chess.ko");
	ASSERT_EQ(0, chess_vm_kernel_installed(root, "6.1.0-9-amd64", &kernel));
	EXPECT_STREQ(below("boot/vmlinuz-6.1.0-9-amd64"), kernel.image);
	chess_vm_kernel_clear(&kernel);
	ASSERT_EQ(0, chess_vm_kernel_installed(root, "6.12.0-1-amd64", &kernel));
	EXPECT_STREQ(below("boot/vmlinuz-6.1.0-10-amd64"), kernel.image);
	chess_vm_kernel_clear(&kernel);
	end();
}

TEST(a_kernel_that_lacks_something_is_left_out)
{
	static const char *const lacking[] = {
		"boot/vmlinuz-6.12.0-1-amd64", "lib/modules/6.12.0-1-amd64/updates/chess.ko",
		"lib/modules/6.12.0-1-amd64/modules.dep",
		"lib/modules/6.12.0-1-amd64/modules.builtin",
	};
	struct chess_vm_kernel kernel;
	size_t i;

	for (i = 0; i < sizeof(lacking) / sizeof(lacking[0]); i++) {
		begin();
		put_release("6.1.0-1-amd64", "updates/chess.ko");
		put_release("6.12.0-1-amd64", "updates/chess.ko");
		EXPECT_EQ(0, unlink(below(lacking[i])));
		ASSERT_EQ(0, chess_vm_kernel_installed(root, "6.12.0-1-amd64", &kernel));
		EXPECT_STREQ(below("boot/vmlinuz-6.1.0-1-amd64"), kernel.image);
		chess_vm_kernel_clear(&kernel);
		end();
	}
}

TEST(fedora_has_its_image_beside_the_modules)
{
	struct chess_vm_kernel kernel;

	begin();
	put_release("6.1.0-1", "extra/chess.ko.zst");
	EXPECT_EQ(0, rename(below("boot/vmlinuz-6.1.0-1"), below("lib/modules/6.1.0-1/vmlinuz")));
	ASSERT_EQ(0, chess_vm_kernel_installed(root, "6.1.0-1", &kernel));
	EXPECT_STREQ(below("lib/modules/6.1.0-1/vmlinuz"), kernel.image);
	chess_vm_kernel_clear(&kernel);
	end();
}

/* --kernel: an image, an unpacked kernel, or where one was installed */
TEST(a_kernel_is_given)
{
	struct chess_vm_kernel kernel;

	begin();
	EXPECT_EQ(-ENOENT, chess_vm_kernel_find(below("bzImage"), &kernel));
	EXPECT_NE(NULL, (void *)strstr(kernel.image, "bzImage cannot be read"));
	put("bzImage", "image");
	EXPECT_EQ(-ENOENT, chess_vm_kernel_find(below("bzImage"), &kernel));
	EXPECT_NE(NULL, (void *)strstr(kernel.image, "chess.ko cannot be read"));
	put("chess.ko", "module");
	ASSERT_EQ(0, chess_vm_kernel_find(below("bzImage"), &kernel));
	EXPECT_STREQ(below("bzImage"), kernel.image);
	EXPECT_STREQ(below("chess.ko"), kernel.chess);
	EXPECT_EQ(0u, kernel.nboot);
	chess_vm_kernel_clear(&kernel);

	EXPECT_EQ(-ENOENT, chess_vm_kernel_find(root, &kernel));
	EXPECT_NE(NULL, (void *)strstr(kernel.image, "vmlinux cannot be read"));
	put("vmlinux", "image");
	put("boot/1-9p.ko", "module");
	ASSERT_EQ(0, chess_vm_kernel_find(root, &kernel));
	EXPECT_STREQ(below("vmlinux"), kernel.image);
	EXPECT_STREQ("", kernel.modules);
	EXPECT_STREQ(below("chess.ko"), kernel.chess);
	EXPECT_EQ(1u, kernel.nboot);
	chess_vm_kernel_clear(&kernel);
	end();

	begin();
	put_release("6.1.0-1", "extra/chess.ko");
	ASSERT_EQ(0, chess_vm_kernel_find(root, &kernel));
	EXPECT_STREQ(below("boot/vmlinuz-6.1.0-1"), kernel.image);
	EXPECT_STREQ(below("lib/modules"), kernel.modules);
	chess_vm_kernel_clear(&kernel);
	EXPECT_EQ(0, unlink(below("boot/vmlinuz-6.1.0-1")));
	EXPECT_EQ(-ENOENT, chess_vm_kernel_find(root, &kernel));
	EXPECT_NE(NULL, (void *)strstr(kernel.image, "no kernel is installed"));
	end();
}

TEST_HARNESS_MAIN
