// HMAC (RFC 2104). The values are those of CommonHMAC.h of CommonCrypto-600035, lines 50 to 67.
#ifndef ATREST_COMMON_HMAC_H
#define ATREST_COMMON_HMAC_H

#include <stddef.h>
#include <stdint.h>

#include "CommonDigest.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kCCHmacAlgSHA1,
  kCCHmacAlgMD5,
  kCCHmacAlgSHA256,
  kCCHmacAlgSHA384,
  kCCHmacAlgSHA512,
  kCCHmacAlgSHA224
};
typedef uint32_t CCHmacAlgorithm;

#define CC_HMAC_CONTEXT_SIZE 96
typedef struct {
  uint32_t ctx[CC_HMAC_CONTEXT_SIZE];
} CCHmacContext;

void CCHmacInit(CCHmacContext *ctx, CCHmacAlgorithm algorithm, const void *key, size_t keyLength);
void CCHmacUpdate(CCHmacContext *ctx, const void *data, size_t dataLength);
/// Writes the code, and erases the context.
void CCHmacFinal(CCHmacContext *ctx, void *macOut);

void CCHmac(
    CCHmacAlgorithm algorithm, const void *key, size_t keyLength, const void *data,
    size_t dataLength, void *macOut);

#ifdef __cplusplus
}
#endif

#endif
