// Contexts of MD5 (RFC 1321) and SHA-1 (FIPS 180-4). The calls in one step are in AtRestCommonCrypto.
#include "CommonCrypto/CommonDigest.h"

#include <stddef.h>

#include "contexts.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

_Static_assert(sizeof(CC_MD5_CTX) == 92, "as Apple's");
_Static_assert(sizeof(CC_SHA1_CTX) == 96, "as Apple's");

// MARK: MD5

static const uint32_t md5_sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const int md5_shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

static void md5_compress(void *state, const uint8_t *block) {
  CC_MD5_CTX *c = state;
  uint32_t words[16], a = c->A, b = c->B, d = c->D, x = c->C;
  for (int i = 0; i < 16; i++) words[i] = load_little_32(block + 4 * i);
  for (int i = 0; i < 64; i++) {
    uint32_t f;
    int g;
    switch (i / 16) {
      case 0: f = (b & x) | (~b & d), g = i; break;
      case 1: f = (d & b) | (~d & x), g = (5 * i + 1) % 16; break;
      case 2: f = b ^ x ^ d, g = (3 * i + 5) % 16; break;
      default: f = x ^ (b | ~d), g = 7 * i % 16; break;
    }
    f += a + md5_sines[i] + words[g];
    a = d, d = x, x = b;
    b += rotate_left(f, md5_shifts[i / 16][i % 4]);
  }
  c->A += a, c->B += b, c->C += x, c->D += d;
  erase(words, sizeof words);
}

int CC_MD5_Init(CC_MD5_CTX *c) {
  *c = (CC_MD5_CTX){.A = 0x67452301, .B = 0xefcdab89, .C = 0x98badcfe, .D = 0x10325476};
  return 1;
}

// Nl and Nh count bits, as Apple's do.
static void count_bits(CC_LONG *low, CC_LONG *high, uint64_t bytes) {
  uint64_t bits = ((uint64_t)*high << 32 | *low) + (bytes << 3);
  *low = (CC_LONG)bits, *high = (CC_LONG)(bits >> 32);
}

int CC_MD5_Update(CC_MD5_CTX *c, const void *data, CC_LONG len) {
  if (len == 0) return 1;
  count_bits(&c->Nl, &c->Nh, len);
  c->num = (int)feed(c, (uint8_t *)c->data, c->num, CC_MD5_BLOCK_BYTES, data, len, md5_compress);
  return 1;
}

int CC_MD5_Final(unsigned char *md, CC_MD5_CTX *c) {
  uint8_t tail[72] = {0x80}, length[8];
  store_little_64(length, (uint64_t)c->Nh << 32 | c->Nl);
  CC_MD5_Update(c, tail, (c->num < 56 ? 56 : 120) - c->num);
  CC_MD5_Update(c, length, 8);
  if (md) {
    CC_LONG words[4] = {c->A, c->B, c->C, c->D};
    for (int i = 0; i < 4; i++) store_little_32(md + 4 * i, words[i]);
  }
  erase(c, sizeof *c);
  return 1;
}

// MARK: SHA-1

static void sha1_compress(void *state, const uint8_t *block) {
  CC_SHA1_CTX *c = state;
  uint32_t words[80], a = c->h0, b = c->h1, x = c->h2, d = c->h3, e = c->h4;
  for (int i = 0; i < 16; i++) words[i] = load_32(block + 4 * i);
  for (int i = 16; i < 80; i++) {
    words[i] = rotate_left(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
  }
  for (int i = 0; i < 80; i++) {
    uint32_t f, k;
    switch (i / 20) {
      case 0: f = (b & x) | (~b & d), k = 0x5a827999; break;
      case 1: f = b ^ x ^ d, k = 0x6ed9eba1; break;
      case 2: f = (b & x) | (b & d) | (x & d), k = 0x8f1bbcdc; break;
      default: f = b ^ x ^ d, k = 0xca62c1d6; break;
    }
    f += rotate_left(a, 5) + e + k + words[i];
    e = d, d = x, x = rotate_left(b, 30), b = a, a = f;
  }
  c->h0 += a, c->h1 += b, c->h2 += x, c->h3 += d, c->h4 += e;
  erase(words, sizeof words);
}

int CC_SHA1_Init(CC_SHA1_CTX *c) {
  *c = (CC_SHA1_CTX){
      .h0 = 0x67452301, .h1 = 0xefcdab89, .h2 = 0x98badcfe, .h3 = 0x10325476, .h4 = 0xc3d2e1f0};
  return 1;
}

int CC_SHA1_Update(CC_SHA1_CTX *c, const void *data, CC_LONG len) {
  if (len == 0) return 1;
  count_bits(&c->Nl, &c->Nh, len);
  c->num = (int)feed(c, (uint8_t *)c->data, c->num, CC_SHA1_BLOCK_BYTES, data, len, sha1_compress);
  return 1;
}

int CC_SHA1_Final(unsigned char *md, CC_SHA1_CTX *c) {
  uint8_t tail[72] = {0x80}, length[8];
  store_64(length, (uint64_t)c->Nh << 32 | c->Nl);
  CC_SHA1_Update(c, tail, (c->num < 56 ? 56 : 120) - c->num);
  CC_SHA1_Update(c, length, 8);
  if (md) {
    CC_LONG words[5] = {c->h0, c->h1, c->h2, c->h3, c->h4};
    for (int i = 0; i < 5; i++) store_32(md + 4 * i, words[i]);
  }
  erase(c, sizeof *c);
  return 1;
}
