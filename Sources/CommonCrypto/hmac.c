// Contexts of HMAC (RFC 2104). The call in one step is in AtRestCommonCrypto.
#include "CommonCrypto/CommonHMAC.h"
#include "CommonCrypto/CommonSymmetricKeywrap.h"

#include "contexts.h"

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

// What a CCHmacContext holds: the digest of the inner key and the data, and the outer key.
typedef struct {
  uint32_t algorithm;
  union {
    CC_MD5_CTX md5;
    CC_SHA1_CTX sha1;
    CC_SHA256_CTX sha256;
    CC_SHA512_CTX sha512;
  } inner;
  uint8_t outer[CC_SHA512_BLOCK_BYTES];
} Context;

_Static_assert(sizeof(CCHmacContext) == 384, "as Apple's");
_Static_assert(sizeof(Context) <= sizeof(CCHmacContext), "a context has room");

static size_t block(uint32_t algorithm) {
  return algorithm == kCCHmacAlgSHA384 || algorithm == kCCHmacAlgSHA512 ? 128 : 64;
}

static void begin(Context *c) {
  switch (c->algorithm) {
    case kCCHmacAlgSHA1: CC_SHA1_Init(&c->inner.sha1); break;
    case kCCHmacAlgMD5: CC_MD5_Init(&c->inner.md5); break;
    case kCCHmacAlgSHA224: CC_SHA224_Init(&c->inner.sha256); break;
    case kCCHmacAlgSHA256: CC_SHA256_Init(&c->inner.sha256); break;
    case kCCHmacAlgSHA384: CC_SHA384_Init(&c->inner.sha512); break;
    case kCCHmacAlgSHA512: CC_SHA512_Init(&c->inner.sha512); break;
  }
}

static void take_part(Context *c, const uint8_t *data, CC_LONG count) {
  switch (c->algorithm) {
    case kCCHmacAlgSHA1: CC_SHA1_Update(&c->inner.sha1, data, count); break;
    case kCCHmacAlgMD5: CC_MD5_Update(&c->inner.md5, data, count); break;
    case kCCHmacAlgSHA224:
    case kCCHmacAlgSHA256: CC_SHA256_Update(&c->inner.sha256, data, count); break;
    case kCCHmacAlgSHA384:
    case kCCHmacAlgSHA512: CC_SHA512_Update(&c->inner.sha512, data, count); break;
  }
}

static void take(Context *c, const uint8_t *data, size_t count) {
  // A digest takes less than 4 GiB at once.
  while (count > 0) {
    size_t part = count < 1 << 30 ? count : 1 << 30;
    take_part(c, data, (CC_LONG)part);
    data += part, count -= part;
  }
}

// Writes the digest, and returns its size.
static size_t end(Context *c, uint8_t *digest) {
  switch (c->algorithm) {
    case kCCHmacAlgSHA1: CC_SHA1_Final(digest, &c->inner.sha1); return 20;
    case kCCHmacAlgMD5: CC_MD5_Final(digest, &c->inner.md5); return 16;
    case kCCHmacAlgSHA224: CC_SHA224_Final(digest, &c->inner.sha256); return 28;
    case kCCHmacAlgSHA256: CC_SHA256_Final(digest, &c->inner.sha256); return 32;
    case kCCHmacAlgSHA384: CC_SHA384_Final(digest, &c->inner.sha512); return 48;
    case kCCHmacAlgSHA512: CC_SHA512_Final(digest, &c->inner.sha512); return 64;
  }
  return 0;
}

// Apple's type is aligned to four bytes, and a digest to eight, so it is copied.
static void load(Context *c, const CCHmacContext *ctx) { memcpy(c, ctx, sizeof *c); }

static void store(Context *c, CCHmacContext *ctx) {
  memcpy(ctx, c, sizeof *c);
  erase(c, sizeof *c);
}

void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength) {
  if (!ctx) return;
  Context c;
  memset(&c, 0, sizeof c);
  memset(ctx, 0, sizeof *ctx);
  c.algorithm = algorithm;
  if (algorithm <= kCCHmacAlgSHA224) {
    size_t size = block(algorithm);
    begin(&c);
    if (keyLength > size) {
      take(&c, key, keyLength);
      end(&c, c.outer);
      begin(&c);
    } else if (keyLength > 0) {
      memcpy(c.outer, key, keyLength);
    }
    for (size_t i = 0; i < size; i++) c.outer[i] ^= 0x36;
    take(&c, c.outer, size);
    for (size_t i = 0; i < size; i++) c.outer[i] ^= 0x36 ^ 0x5c;
  }
  store(&c, ctx);
}

void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength) {
  if (!ctx) return;
  Context c;
  load(&c, ctx);
  take(&c, data, dataLength);
  store(&c, ctx);
}

void CCHmacFinal(CCHmacContext *ctx, void *macOut) {
  if (!ctx) return;
  Context c;
  load(&c, ctx);
  if (c.algorithm <= kCCHmacAlgSHA224) {
    uint8_t digest[CC_SHA512_DIGEST_LENGTH];
    size_t count = end(&c, digest);
    begin(&c);
    take(&c, c.outer, block(c.algorithm));
    take(&c, digest, count);
    end(&c, digest);
    if (macOut) memcpy(macOut, digest, count);
    erase(digest, sizeof digest);
  }
  erase(&c, sizeof c);
  erase(ctx, sizeof *ctx);
}

// MARK: RFC 3394

static const uint8_t initial_value[8] = {0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6};
const uint8_t *const CCrfc3394_iv = initial_value;
const size_t CCrfc3394_ivLen = sizeof initial_value;
