// What the contexts of this module share.
#ifndef ATREST_CONTEXTS_H
#define ATREST_CONTEXTS_H

#include <stdint.h>
#include <string.h>

static inline void store_32(uint8_t *p, uint32_t x) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(x >> (24 - 8 * i));
}
static inline void store_64(uint8_t *p, uint64_t x) {
  for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> (56 - 8 * i));
}
static inline void store_little_32(uint8_t *p, uint32_t x) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(x >> (8 * i));
}
static inline void store_little_64(uint8_t *p, uint64_t x) {
  for (int i = 0; i < 8; i++) p[i] = (uint8_t)(x >> (8 * i));
}

// Overwrites memory in a way that the optimiser cannot remove.
static inline void erase(void *p, size_t count) {
  memset(p, 0, count);
  __asm__ __volatile__("" : : "r"(p) : "memory");
}

// The functions of swift-crypto's BoringSSL that compress one block (crypto/sha, crypto/md5). They read and
// change only the hash, with which the contexts of BoringSSL begin. Whole ones are larger than Apple's.
void CCryptoBoringSSL_MD5_Transform(void *hash, const uint8_t *block);
void CCryptoBoringSSL_SHA1_Transform(void *hash, const uint8_t *block);
void CCryptoBoringSSL_SHA256_Transform(void *hash, const uint8_t *block);
void CCryptoBoringSSL_SHA512_Transform(void *hash, const uint8_t *block);

// Feeds bytes to a digest: fills the block in `buffer`, of which `used` bytes are taken, and compresses
// each full block into `hash`. Returns the number of bytes that are taken afterwards.
static inline size_t feed(
    void *hash, uint8_t *buffer, size_t used, size_t block, const uint8_t *data, size_t count,
    void (*compress)(void *, const uint8_t *)) {
  if (used > 0) {
    size_t part = block - used < count ? block - used : count;
    memcpy(buffer + used, data, part);
    used += part, data += part, count -= part;
    if (used < block) return used;
    compress(hash, buffer);
  }
  for (; count >= block; data += block, count -= block) compress(hash, data);
  if (count > 0) memcpy(buffer, data, count);
  return count;
}

#endif
