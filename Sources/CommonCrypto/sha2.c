// Contexts of SHA-224, SHA-256, SHA-384 and SHA-512 (FIPS 180-4). The calls in one step are in
// AtRestCommonCrypto, except for SHA-224.
#include "CommonCrypto/CommonDigest.h"

#include <stddef.h>

#include "contexts.h"

_Static_assert(sizeof(CC_SHA256_CTX) == 104, "as Apple's");
_Static_assert(sizeof(CC_SHA512_CTX) == 208, "as Apple's");

// MARK: SHA-224 and SHA-256

int CC_SHA224_Init(CC_SHA256_CTX *c) {
  *c = (CC_SHA256_CTX){.hash = {
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
    0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
  }};
  return 1;
}

int CC_SHA256_Init(CC_SHA256_CTX *c) {
  *c = (CC_SHA256_CTX){.hash = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  }};
  return 1;
}

// The counter, of two words, counts bytes.
static uint64_t bytes_256(const CC_SHA256_CTX *c) {
  return (uint64_t)c->count[1] << 32 | c->count[0];
}

int CC_SHA256_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len) {
  if (len == 0) return 1;
  uint64_t before = bytes_256(c), after = before + len;
  c->count[0] = (CC_LONG)after, c->count[1] = (CC_LONG)(after >> 32);
  feed(c->hash, (uint8_t *)c->wbuf, before % 64, 64, data, len, CCryptoBoringSSL_SHA256_Transform);
  return 1;
}

int CC_SHA224_Update(CC_SHA256_CTX *c, const void *data, CC_LONG len) {
  return CC_SHA256_Update(c, data, len);
}

static int finish_256(unsigned char *md, CC_SHA256_CTX *c, int words) {
  uint64_t bytes = bytes_256(c);
  uint8_t tail[72] = {0x80}, length[8];
  store_64(length, bytes << 3);
  CC_SHA256_Update(c, tail, (bytes % 64 < 56 ? 56 : 120) - bytes % 64);
  CC_SHA256_Update(c, length, 8);
  if (md) {
    for (int i = 0; i < words; i++) store_32(md + 4 * i, c->hash[i]);
  }
  erase(c, sizeof *c);
  return 1;
}

int CC_SHA256_Final(unsigned char *md, CC_SHA256_CTX *c) { return finish_256(md, c, 8); }
int CC_SHA224_Final(unsigned char *md, CC_SHA256_CTX *c) { return finish_256(md, c, 7); }

unsigned char *CC_SHA224(const void *data, CC_LONG len, unsigned char *md) {
  if (!md) return NULL;
  CC_SHA256_CTX c;
  CC_SHA224_Init(&c);
  CC_SHA224_Update(&c, data, len);
  CC_SHA224_Final(md, &c);
  return md;
}

// MARK: SHA-384 and SHA-512

int CC_SHA384_Init(CC_SHA512_CTX *c) {
  *c = (CC_SHA512_CTX){.hash = {
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
  }};
  return 1;
}

int CC_SHA512_Init(CC_SHA512_CTX *c) {
  *c = (CC_SHA512_CTX){.hash = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
  }};
  return 1;
}

// The first word of the counter counts bytes. Nobody hashes 2^64.
int CC_SHA512_Update(CC_SHA512_CTX *c, const void *data, CC_LONG len) {
  if (len == 0) return 1;
  size_t used = c->count[0] % 128;
  c->count[0] += len;
  feed(c->hash, (uint8_t *)c->wbuf, used, 128, data, len, CCryptoBoringSSL_SHA512_Transform);
  return 1;
}

int CC_SHA384_Update(CC_SHA512_CTX *c, const void *data, CC_LONG len) {
  return CC_SHA512_Update(c, data, len);
}

static int finish_512(unsigned char *md, CC_SHA512_CTX *c, int words) {
  uint64_t bytes = c->count[0];
  uint8_t tail[136] = {0x80}, length[16];
  store_64(length, bytes >> 61);
  store_64(length + 8, bytes << 3);
  CC_SHA512_Update(c, tail, (bytes % 128 < 112 ? 112 : 240) - bytes % 128);
  CC_SHA512_Update(c, length, 16);
  if (md) {
    for (int i = 0; i < words; i++) store_64(md + 8 * i, c->hash[i]);
  }
  erase(c, sizeof *c);
  return 1;
}

int CC_SHA512_Final(unsigned char *md, CC_SHA512_CTX *c) { return finish_512(md, c, 8); }
int CC_SHA384_Final(unsigned char *md, CC_SHA512_CTX *c) { return finish_512(md, c, 6); }
