#include "CAtRestSystem.h"

#include <stddef.h>
#include <string.h>

#ifdef __linux__
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>

// The part of OpenSSL 3 that is called. No structure of it is compiled in.
static struct {
  void *context, *legacy;
  void *(*read)(void **, const unsigned char **, long);
  void (*free_algorithm)(void *);
  unsigned char *(*crypt)(
      const void *, const char *, int, const unsigned char *, int, unsigned char **, int *, int, void *, const char *);
  void (*clear_errors)(void);
  void (*erase)(void *, size_t, const char *, int);
} openssl;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  // The library stays loaded: another part of the process may use it.
  void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  void *(*make)(void) = (void *(*)(void))dlsym(library, "OSSL_LIB_CTX_new");
  void *(*provide)(void *, const char *) = (void *(*)(void *, const char *))dlsym(library, "OSSL_PROVIDER_load");
  *(void **)&openssl.read = dlsym(library, "d2i_X509_ALGOR");
  *(void **)&openssl.free_algorithm = dlsym(library, "X509_ALGOR_free");
  *(void **)&openssl.crypt = dlsym(library, "PKCS12_pbe_crypt_ex");
  *(void **)&openssl.clear_errors = dlsym(library, "ERR_clear_error");
  *(void **)&openssl.erase = dlsym(library, "CRYPTO_clear_free");
  if (!make || !provide || !openssl.read || !openssl.free_algorithm || !openssl.crypt || !openssl.clear_errors ||
      !openssl.erase)
    return;
  // Other users of the library see nothing of a context of one's own.
  void *context = make();
  if (!context || !provide(context, "default")) return;
  // 3DES needs only the standard provider.
  openssl.legacy = provide(context, "legacy");
  openssl.context = context;
}

int atrest_old_cipher(
    const void *algorithm, size_t algorithm_count, const char *password, size_t password_count,
    const void *input, size_t input_count, void *output, size_t *output_count) {
  pthread_once(&once, load);
  if (!openssl.context) return ATREST_OLD_CIPHER_NO_LIBRARY;
  if (password_count > INT_MAX || input_count > INT_MAX || algorithm_count > LONG_MAX) return ATREST_OLD_CIPHER_FAILED;
  const unsigned char *start = algorithm;
  void *parsed = openssl.read(NULL, &start, (long)algorithm_count);
  unsigned char *plaintext = NULL;
  int count = 0;
  if (parsed)
    openssl.crypt(parsed, password, (int)password_count, input, (int)input_count, &plaintext, &count, 0,
                  openssl.context, NULL);
  openssl.clear_errors();
  if (parsed) openssl.free_algorithm(parsed);
  if (!plaintext) return openssl.legacy ? ATREST_OLD_CIPHER_FAILED : ATREST_OLD_CIPHER_NO_PROVIDER;
  size_t length = count > 0 ? (size_t)count : 0;
  int fits = length <= *output_count;
  if (fits) {
    memcpy(output, plaintext, length);
    *output_count = length;
  }
  openssl.erase(plaintext, length, __FILE__, __LINE__);
  return fits ? ATREST_OLD_CIPHER_DONE : ATREST_OLD_CIPHER_FAILED;
}

#else

int atrest_old_cipher(
    const void *algorithm, size_t algorithm_count, const char *password, size_t password_count,
    const void *input, size_t input_count, void *output, size_t *output_count) {
  return ATREST_OLD_CIPHER_NO_LIBRARY;
}

#endif
