#define _GNU_SOURCE
#include "CAtRestDatabase.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int atrest_rename_new(const char *name, const char *other) {
#if defined(__linux__) && defined(RENAME_NOREPLACE)
  if (renameat2(AT_FDCWD, name, AT_FDCWD, other, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
  // On file systems without that call, the file has two names for a moment.
  if (link(name, other) != 0) return -1;
  // The file has its name, so this is no failure. The first name is removed later.
  (void)unlink(name);
  return 0;
}
