#define _GNU_SOURCE
#include "CAtRestSystem.h"

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <linux/stat.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define PROC_MAGIC 0x9FA0
// PROC_TIME_INIT_INO of the kernel: the first time namespace.
#define FIRST_TIME_NAMESPACE 0xEFFFFFFAu
// PIDFD_GET_TIME_NAMESPACE, since Linux 6.11.
#define GET_TIME_NAMESPACE _IO(0xFF, 7)

int atrest_is_in_time_namespace(void) {
  int namespace = -1;
#ifdef SYS_pidfd_open
  // This asks the kernel without a file system, in which something else could be mounted.
  int process = (int)syscall(SYS_pidfd_open, getpid(), 0);
  if (process >= 0) {
    namespace = ioctl(process, GET_TIME_NAMESPACE);
    close(process);
  }
#endif
  if (namespace < 0) namespace = open("/proc/self/ns/time", O_RDONLY | O_CLOEXEC);
  if (namespace < 0) return 0;
  struct stat status;
  int is_other = fstat(namespace, &status) == 0 && status.st_ino != FIRST_TIME_NAMESPACE;
  close(namespace);
  return is_other;
}

// 1 if a file is the root of a mount, so another file is in its place. 0 also if the kernel does not tell
// (before Linux 5.8).
static int is_mounted(int file) {
#if defined(SYS_statx) && defined(STATX_ATTR_MOUNT_ROOT)
  struct statx status;
  memset(&status, 0, sizeof status);
  if (syscall(SYS_statx, file, "", AT_EMPTY_PATH, STATX_INO, &status) != 0) return 0;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
  return 0;
#endif
}

ptrdiff_t atrest_read_boot_id(char *text, size_t size) {
  int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return -1;
  struct statfs system;
  ssize_t count = -1;
  if (fstatfs(file, &system) == 0 && system.f_type == PROC_MAGIC && !is_mounted(file)) {
    do count = read(file, text, size);
    while (count < 0 && errno == EINTR);
  }
  close(file);
  return count;
}

#else

int atrest_is_in_time_namespace(void) { return 0; }
ptrdiff_t atrest_read_boot_id(char *text, size_t size) { return -1; }

#endif
