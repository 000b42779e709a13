#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "CAtRestSystem.h"

int atrest_memory_file(const void *bytes, size_t count) {
#if defined(__linux__) && defined(MFD_ALLOW_SEALING)
  int file = memfd_create("atrest", MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  size_t offset = 0;
  while (offset < count) {
    ssize_t written = write(file, (const char *)bytes + offset, count - offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    offset += (size_t)written;
  }
  int seals = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
  if (offset == count && lseek(file, 0, SEEK_SET) == 0 && fcntl(file, F_ADD_SEALS, seals) == 0)
    return file;
  int failure = errno;
  close(file);
  errno = failure;
  return -1;
#else
  (void)bytes;
  (void)count;
  errno = ENOSYS;
  return -1;
#endif
}
