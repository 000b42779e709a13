#pragma once

#include <sys/resource.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

/// Forbids core dumps, and other processes of the user to read this one's memory. Returns 0, or -1.
static inline int keyserver_harden(void) {
  struct rlimit none = {0, 0};
  int result = setrlimit(RLIMIT_CORE, &none);
#if defined(__linux__)
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) result = -1;
#endif
  return result;
}
