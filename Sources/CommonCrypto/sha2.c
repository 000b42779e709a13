// Contexts of SHA-224, SHA-256, SHA-384 and SHA-512 (FIPS 180-4). The calls in one step are in
// AtRestCommonCrypto, except for SHA-224.
#include "CommonCrypto/CommonDigest.h"

#include <stddef.h>

#include "contexts.h"

_Static_assert(sizeof(CC_SHA256_CTX) == 104, "as Apple's");
_Static_assert(sizeof(CC_SHA512_CTX) == 208, "as Apple's");

// MARK: SHA-224 and SHA-256

static const uint32_t constants_256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static void compress_256(void *state, const uint8_t *block) {
  CC_SHA256_CTX *c = state;
  uint32_t words[64], v[8];
  for (int i = 0; i < 16; i++) words[i] = load_32(block + 4 * i);
  for (int i = 16; i < 64; i++) {
    uint32_t x = words[i - 15], y = words[i - 2];
    words[i] = words[i - 16] + words[i - 7]
        + (rotate_right(x, 7) ^ rotate_right(x, 18) ^ x >> 3)
        + (rotate_right(y, 17) ^ rotate_right(y, 19) ^ y >> 10);
  }
  memcpy(v, c->hash, sizeof v);
  for (int i = 0; i < 64; i++) {
    uint32_t e = v[4], a = v[0];
    uint32_t one = v[7] + (rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25))
        + ((e & v[5]) ^ (~e & v[6])) + constants_256[i] + words[i];
    uint32_t two = (rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22))
        + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6], v[6] = v[5], v[5] = e, v[4] = v[3] + one;
    v[3] = v[2], v[2] = v[1], v[1] = a, v[0] = one + two;
  }
  for (int i = 0; i < 8; i++) c->hash[i] += v[i];
  erase(words, sizeof words);
  erase(v, sizeof v);
}

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
  feed(c, (uint8_t *)c->wbuf, before % 64, 64, data, len, compress_256);
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

static const uint64_t constants_512[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};

static void compress_512(void *state, const uint8_t *block) {
  CC_SHA512_CTX *c = state;
  uint64_t words[80], v[8];
  for (int i = 0; i < 16; i++) words[i] = load_64(block + 8 * i);
  for (int i = 16; i < 80; i++) {
    uint64_t x = words[i - 15], y = words[i - 2];
    words[i] = words[i - 16] + words[i - 7]
        + (rotate_right_64(x, 1) ^ rotate_right_64(x, 8) ^ x >> 7)
        + (rotate_right_64(y, 19) ^ rotate_right_64(y, 61) ^ y >> 6);
  }
  memcpy(v, c->hash, sizeof v);
  for (int i = 0; i < 80; i++) {
    uint64_t e = v[4], a = v[0];
    uint64_t one = v[7]
        + (rotate_right_64(e, 14) ^ rotate_right_64(e, 18) ^ rotate_right_64(e, 41))
        + ((e & v[5]) ^ (~e & v[6])) + constants_512[i] + words[i];
    uint64_t two = (rotate_right_64(a, 28) ^ rotate_right_64(a, 34) ^ rotate_right_64(a, 39))
        + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6], v[6] = v[5], v[5] = e, v[4] = v[3] + one;
    v[3] = v[2], v[2] = v[1], v[1] = a, v[0] = one + two;
  }
  for (int i = 0; i < 8; i++) c->hash[i] += v[i];
  erase(words, sizeof words);
  erase(v, sizeof v);
}

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
  feed(c, (uint8_t *)c->wbuf, used, 128, data, len, compress_512);
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
