// PBKDF2 (RFC 8018). The values are those of CommonKeyDerivation.h of CommonCrypto-600035, lines 38 to
// 55.
#ifndef ATREST_COMMON_KEY_DERIVATION_H
#define ATREST_COMMON_KEY_DERIVATION_H

#include <stddef.h>
#include <stdint.h>

#include "CommonDigest.h"
#include "CommonHMAC.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  kCCPBKDF2 = 2,
};
typedef uint32_t CCPBKDFAlgorithm;

enum {
  kCCPRFHmacAlgSHA1 = 1,
  kCCPRFHmacAlgSHA224 = 2,
  kCCPRFHmacAlgSHA256 = 3,
  kCCPRFHmacAlgSHA384 = 4,
  kCCPRFHmacAlgSHA512 = 5,
};
typedef uint32_t CCPseudoRandomAlgorithm;

/// Derives a key from a password.
int CCKeyDerivationPBKDF(
    CCPBKDFAlgorithm algorithm, const char *password, size_t passwordLen, const uint8_t *salt,
    size_t saltLen, CCPseudoRandomAlgorithm prf, unsigned rounds, uint8_t *derivedKey,
    size_t derivedKeyLen);

/// Returns the number of rounds that take a time on this machine: at least 10,000, or the largest
/// number if a parameter is invalid.
unsigned CCCalibratePBKDF(
    CCPBKDFAlgorithm algorithm, size_t passwordLen, size_t saltLen, CCPseudoRandomAlgorithm prf,
    size_t derivedKeyLen, uint32_t msec);

#ifdef __cplusplus
}
#endif

#endif
