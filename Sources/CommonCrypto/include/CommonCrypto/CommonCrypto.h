// Apple's CommonCrypto on platforms that lack it: see docs/CryptoKit.md.
#ifndef ATREST_COMMON_CRYPTO_H
#define ATREST_COMMON_CRYPTO_H

#include "CommonCryptoError.h"
#include "CommonCryptor.h"
#include "CommonDigest.h"
#include "CommonHMAC.h"
#include "CommonKeyDerivation.h"
#include "CommonRandom.h"
#include "CommonSymmetricKeywrap.h"

#endif
