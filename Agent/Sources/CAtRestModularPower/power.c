#define _GNU_SOURCE
#include "CAtRestModularPower.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

// A number of GMP, whose layout is part of the interface of libgmp.so.10.
typedef struct {
  int allocated;
  int size;
  unsigned long *limbs;
} number;

static struct {
  void (*init)(number *);
  void (*clear)(number *);
  void (*import)(number *, size_t, int, size_t, int, size_t, const void *);
  void *(*export)(void *, size_t *, int, size_t, int, size_t, const number *);
  void (*power)(number *, const number *, const number *, const number *);
  int is_loaded;
} gmp;

static void load(void) {
  void *library = dlopen("libgmp.so.10", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return;
  *(void **)&gmp.init = dlsym(library, "__gmpz_init");
  *(void **)&gmp.clear = dlsym(library, "__gmpz_clear");
  *(void **)&gmp.import = dlsym(library, "__gmpz_import");
  *(void **)&gmp.export = dlsym(library, "__gmpz_export");
  *(void **)&gmp.power = dlsym(library, "__gmpz_powm_sec");
  gmp.is_loaded = gmp.init && gmp.clear && gmp.import && gmp.export && gmp.power;
}

// Overwrites a number before its memory is freed.
static void erase(number *n) {
  if (n->allocated > 0) explicit_bzero(n->limbs, (size_t)n->allocated * sizeof(unsigned long));
  gmp.clear(n);
}

static int is_zero(const uint8_t *bytes, size_t size) {
  uint8_t all = 0;
  for (size_t i = 0; i < size; i++) all |= bytes[i];
  return all == 0;
}

int atrest_modular_power(uint8_t *result, const uint8_t *base, const uint8_t *exponent,
                         const uint8_t *modulus, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  if (!gmp.is_loaded) return -2;
  if (size == 0 || is_zero(exponent, size) || (modulus[size - 1] & 1) == 0) return -1;
  number b, e, m, r;
  number *all[] = {&b, &e, &m, &r};
  for (int i = 0; i < 4; i++) gmp.init(all[i]);
  gmp.import(&b, size, 1, 1, 1, 0, base);
  gmp.import(&e, size, 1, 1, 1, 0, exponent);
  gmp.import(&m, size, 1, 1, 1, 0, modulus);
  gmp.power(&r, &b, &e, &m);
  // The result is below the modulus, so it fits.
  uint8_t bytes[size];
  size_t count = 0;
  gmp.export(bytes, &count, 1, 1, 1, 0, &r);
  memset(result, 0, size);
  memcpy(result + size - count, bytes, count);
  explicit_bzero(bytes, size);
  for (int i = 0; i < 4; i++) erase(all[i]);
  return 0;
}
