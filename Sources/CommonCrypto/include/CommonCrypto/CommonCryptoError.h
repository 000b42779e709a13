// Status codes. The values are those of CommonCryptoError.h of CommonCrypto-600035, lines 56 to 72.
#ifndef ATREST_COMMON_CRYPTO_ERROR_H
#define ATREST_COMMON_CRYPTO_ERROR_H

#include <stdint.h>

enum {
  kCCSuccess = 0,
  kCCParamError = -4300,
  kCCBufferTooSmall = -4301,
  kCCMemoryFailure = -4302,
  kCCAlignmentError = -4303,
  kCCDecodeError = -4304,
  kCCUnimplemented = -4305,
  kCCOverflow = -4306,
  kCCRNGFailure = -4307,
  kCCUnspecifiedError = -4308,
  kCCCallSequenceError = -4309,
  kCCKeySizeError = -4310,
  kCCInvalidKey = -4311,
};
typedef int32_t CCStatus;
typedef int32_t CCCryptorStatus;

#endif
