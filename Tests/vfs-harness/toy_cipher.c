#include "toy_cipher.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { salt_size = 16 };

static const char magic[16] = "SQLite format 3";
static atomic_uint_fast64_t vectors = 1;

uint32_t toy_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

static uint64_t mix(uint64_t word) {
  word ^= word >> 31;
  word *= 0x9e3779b97f4a7c15u;
  return word ^ word >> 29;
}

static void encrypt(
  const ToyCipher *cipher, const uint8_t *vector, const uint8_t *in, int count, uint8_t *out
) {
  uint64_t seed;
  memcpy(&seed, vector, sizeof seed);
  for (int index = 0; index < count; index += 1)
    out[index] = in[index] ^ (uint8_t)(mix(cipher->key + seed + (uint64_t)(index / 8)) >> index % 8 * 8);
}

static void authenticate(
  const ToyCipher *cipher, uint32_t page, const uint8_t *bytes, int count, uint8_t *code
) {
  uint64_t sums[2] = {cipher->key ^ page, ~cipher->key ^ page};
  for (int index = 0; index < count; index += 1) {
    sums[0] = mix(sums[0] + bytes[index]);
    sums[1] = sums[1] * 31 + bytes[index];
  }
  memcpy(code, sums, sizeof sums);
}

static int seal(void *context, uint32_t page, const uint8_t *plain, uint8_t *sealed) {
  ToyCipher *cipher = context;
  int end = cipher->page_size - cipher->reserve, start = page == 1 ? salt_size : 0;
  uint64_t vector[2] = {mix(atomic_fetch_add(&vectors, 1)), page};
  memmove(sealed + start, plain + start, (size_t)(end - start));
  memset(sealed + end, 0, (size_t)cipher->reserve);
  memcpy(sealed + end, vector, sizeof vector);
  encrypt(cipher, sealed + end, sealed + start, end - start, sealed + start);
  if (page == 1) memset(sealed, 7, salt_size);
  if (cipher->authenticates)
    authenticate(cipher, page, sealed + start, end + toy_vector_size - start,
      sealed + end + toy_vector_size);
  return 0;
}

// Returns true if a header has the sizes of the cipher, and zeros where SQLite has them.
static int is_first_page(const ToyCipher *cipher, const uint8_t *plain) {
  static const uint8_t zeros[20];
  return (plain[16] << 8 | plain[17] << 16) == cipher->page_size && plain[20] >= cipher->reserve
    && memcmp(plain + 72, zeros, sizeof zeros) == 0;
}

static int open(void *context, uint32_t page, const uint8_t *sealed, uint8_t *plain) {
  ToyCipher *cipher = context;
  int end = cipher->page_size - cipher->reserve, start = page == 1 ? salt_size : 0;
  uint8_t code[toy_code_size];
  if (cipher->authenticates) {
    authenticate(cipher, page, sealed + start, end + toy_vector_size - start, code);
    if (memcmp(code, sealed + end + toy_vector_size, sizeof code) != 0) return 1;
  }
  encrypt(cipher, sealed + end, sealed + start, end - start, plain + start);
  memset(plain + end, 0, (size_t)cipher->reserve);
  if (page == 1) memcpy(plain, magic, sizeof magic);
  return page == 1 && !cipher->authenticates && !is_first_page(cipher, plain);
}

static int seal_frames(void *context, uint8_t *frames, int count) {
  ToyCipher *cipher = context;
  for (int index = 0; index < count; index += 1) {
    uint8_t *frame = frames + (size_t)index * (size_t)(ATREST_FRAME_HEADER_SIZE + cipher->page_size);
    uint32_t page =
      (uint32_t)frame[0] << 24 | (uint32_t)frame[1] << 16 | (uint32_t)frame[2] << 8 | frame[3];
    seal(cipher, page, frame + ATREST_FRAME_HEADER_SIZE, frame + ATREST_FRAME_HEADER_SIZE);
  }
  return 0;
}

static int peek(void *context, const uint8_t *sealed, uint8_t *plain) {
  ToyCipher *cipher = context;
  int end = cipher->page_size - cipher->reserve;
  encrypt(cipher, sealed + end, sealed + salt_size, 32, plain + salt_size);
  memcpy(plain, magic, sizeof magic);
  return 0;
}

static int pragma(void *context, const char *name, const char *value, char *answer, int size) {
  (void)context;
  (void)value;
  if (strcmp(name, "cipher_version") == 0) {
    snprintf(answer, (size_t)size, "toy");
    return ATREST_PRAGMA_ROW;
  }
  return strcmp(name, "rekey") == 0 ? ATREST_PRAGMA_REFUSED : ATREST_PRAGMA_UNKNOWN;
}

static void release(void *context) { (void)context; }

atrest_page_cipher toy_methods(ToyCipher *cipher) {
  atrest_page_cipher methods = {
    .context = cipher,
    .page_size = cipher->page_size,
    .reserve = cipher->reserve,
    .has_salt = 1,
    .authenticates = cipher->authenticates,
    .seal = seal,
    .seal_frames = seal_frames,
    .open = open,
    .peek = peek,
    .pragma = pragma,
    .release = release,
  };
  memset(methods.salt, 7, sizeof methods.salt);
  return methods;
}
