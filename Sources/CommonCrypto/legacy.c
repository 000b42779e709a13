// Contexts of MD5 (RFC 1321) and SHA-1 (FIPS 180-4). The calls in one step are in AtRestCommonCrypto.
#include "CommonCrypto/CommonDigest.h"

#include <stddef.h>

#include "contexts.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

_Static_assert(sizeof(CC_MD5_CTX) == 92, "as Apple's");
_Static_assert(sizeof(CC_SHA1_CTX) == 96, "as Apple's");

// MARK: MD5

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
  c->num = (int)feed(&c->A, (uint8_t *)c->data, c->num, CC_MD5_BLOCK_BYTES, data, len, CCryptoBoringSSL_MD5_Transform);
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

int CC_SHA1_Init(CC_SHA1_CTX *c) {
  *c = (CC_SHA1_CTX){
      .h0 = 0x67452301, .h1 = 0xefcdab89, .h2 = 0x98badcfe, .h3 = 0x10325476, .h4 = 0xc3d2e1f0};
  return 1;
}

int CC_SHA1_Update(CC_SHA1_CTX *c, const void *data, CC_LONG len) {
  if (len == 0) return 1;
  count_bits(&c->Nl, &c->Nh, len);
  c->num = (int)feed(&c->h0, (uint8_t *)c->data, c->num, CC_SHA1_BLOCK_BYTES, data, len, CCryptoBoringSSL_SHA1_Transform);
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
