#include "CAtRestDatabase.h"

#include <errno.h>

#if defined(__linux__)

#include <sys/xattr.h>

int atrest_copy_access_list(const char *from, int to) {
  static const char name[] = "system.posix_acl_access";
  char list[65536];
  ssize_t size = lgetxattr(from, name, list, sizeof list);
  if (size >= 0) return fsetxattr(to, name, list, (size_t)size, 0);
  if (errno == ENOTSUP) return 0;
  if (errno != ENODATA) return -1;
  // The file may have one from its folder.
  return fremovexattr(to, name) == 0 || errno == ENODATA || errno == ENOTSUP ? 0 : -1;
}

#else

int atrest_copy_access_list(const char *from, int to) {
  (void)from, (void)to;
  return 0;
}

#endif
