// AES Key Wrap (RFC 3394). The values are those of CommonSymmetricKeywrap.h of CommonCrypto-600035,
// lines 45 to 52.
#ifndef ATREST_COMMON_SYMMETRIC_KEYWRAP_H
#define ATREST_COMMON_SYMMETRIC_KEYWRAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kCCWRAPAES = 1,
};
typedef uint32_t CCWrappingAlgorithm;

extern const uint8_t *const CCrfc3394_iv;
extern const size_t CCrfc3394_ivLen;

/// Wraps a key. Only the initial value CCrfc3394_iv, or NULL, is implemented.
int CCSymmetricKeyWrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek,
    size_t kekLen, const uint8_t *rawKey, size_t rawKeyLen, uint8_t *wrappedKey,
    size_t *wrappedKeyLen);

/// Unwraps a key.
int CCSymmetricKeyUnwrap(
    CCWrappingAlgorithm algorithm, const uint8_t *iv, const size_t ivLen, const uint8_t *kek,
    size_t kekLen, const uint8_t *wrappedKey, size_t wrappedKeyLen, uint8_t *rawKey,
    size_t *rawKeyLen);

size_t CCSymmetricWrappedSize(CCWrappingAlgorithm algorithm, size_t rawKeyLen);
size_t CCSymmetricUnwrappedSize(CCWrappingAlgorithm algorithm, size_t wrappedKeyLen);

#ifdef __cplusplus
}
#endif

#endif
