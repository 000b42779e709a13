// What the contexts of this module share.
#ifndef ATREST_CONTEXTS_H
#define ATREST_CONTEXTS_H

#include <stdint.h>
#include <string.h>

static inline uint32_t rotate_left(uint32_t x, int n) { return x << n | x >> (32 - n); }
static inline uint32_t rotate_right(uint32_t x, int n) { return x >> n | x << (32 - n); }
static inline uint64_t rotate_right_64(uint64_t x, int n) { return x >> n | x << (64 - n); }

static inline uint32_t load_32(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}
static inline uint64_t load_64(const uint8_t *p) {
  return (uint64_t)load_32(p) << 32 | load_32(p + 4);
}
static inline uint32_t load_little_32(const uint8_t *p) {
  return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}
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

// Feeds bytes to a digest: fills the block in `buffer`, of which `used` bytes are taken, and compresses
// each full block. Returns the number of bytes that are taken afterwards.
static inline size_t feed(
    void *state, uint8_t *buffer, size_t used, size_t block, const uint8_t *data, size_t count,
    void (*compress)(void *, const uint8_t *)) {
  if (used > 0) {
    size_t part = block - used < count ? block - used : count;
    memcpy(buffer + used, data, part);
    used += part, data += part, count -= part;
    if (used < block) return used;
    compress(state, buffer);
  }
  for (; count >= block; data += block, count -= block) compress(state, data);
  if (count > 0) memcpy(buffer, data, count);
  return count;
}

#endif
