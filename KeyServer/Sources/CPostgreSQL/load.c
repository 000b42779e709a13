#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct atrest_libpq atrest_libpq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[300];

static void load(void) {
#ifdef __APPLE__
  void *library = dlopen("libpq.5.dylib", RTLD_NOW | RTLD_LOCAL);
#else
  void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
#endif
  if (!library) {
    snprintf(problem, sizeof problem, "%s", dlerror());
    return;
  }
#define FIND(result, name, parameters, arguments) \
  { \
    void *function = dlsym(library, #name); \
    if (!function) { \
      snprintf(problem, sizeof problem, "it is older than PostgreSQL 14 and has no %s", #name); \
      return; \
    } \
    memcpy(&atrest_libpq.name, &function, sizeof function); \
  }
  ATREST_LIBPQ(FIND)
}

const char *atrest_load_libpq(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}
