// Random bytes: CommonRandom.h of CommonCrypto-600035, lines 40 to 57.
#ifndef ATREST_COMMON_RANDOM_H
#define ATREST_COMMON_RANDOM_H

#include <stddef.h>

#include "CommonCryptoError.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef CCCryptorStatus CCRNGStatus;

/// Fills memory with random bytes of the system.
CCRNGStatus CCRandomGenerateBytes(void *bytes, size_t count);

#ifdef __cplusplus
}
#endif

#endif
