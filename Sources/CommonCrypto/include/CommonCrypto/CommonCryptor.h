// Symmetric encryption. The values are those of CommonCryptor.h of CommonCrypto-600035, lines 104 to
// 250 and 650 to 688.
#ifndef ATREST_COMMON_CRYPTOR_H
#define ATREST_COMMON_CRYPTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CommonCryptoError.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct _CCCryptor *CCCryptorRef;

enum {
  kCCEncrypt = 0,
  kCCDecrypt,
};
typedef uint32_t CCOperation;

// Only AES is implemented. The others return kCCUnimplemented, and the reason is logged.
enum {
  kCCAlgorithmAES128 = 0,
  kCCAlgorithmAES = 0,
  kCCAlgorithmDES,
  kCCAlgorithm3DES,
  kCCAlgorithmCAST,
  kCCAlgorithmRC4,
  kCCAlgorithmRC2,
  kCCAlgorithmBlowfish
};
typedef uint32_t CCAlgorithm;

enum {
  kCCOptionPKCS7Padding = 0x0001,
  kCCOptionECBMode = 0x0002
};
typedef uint32_t CCOptions;

enum {
  kCCKeySizeAES128 = 16,
  kCCKeySizeAES192 = 24,
  kCCKeySizeAES256 = 32,
  kCCKeySizeDES = 8,
  kCCKeySize3DES = 24,
  kCCKeySizeMinCAST = 5,
  kCCKeySizeMaxCAST = 16,
  kCCKeySizeMinRC4 = 1,
  kCCKeySizeMaxRC4 = 512,
  kCCKeySizeMinRC2 = 1,
  kCCKeySizeMaxRC2 = 128,
  kCCKeySizeMinBlowfish = 8,
  kCCKeySizeMaxBlowfish = 56,
};

enum {
  kCCBlockSizeAES128 = 16,
  kCCBlockSizeDES = 8,
  kCCBlockSize3DES = 8,
  kCCBlockSizeCAST = 8,
  kCCBlockSizeRC2 = 8,
  kCCBlockSizeBlowfish = 8,
};

enum {
  kCCContextSizeAES128 = 404,
  kCCContextSizeDES = 240,
  kCCContextSize3DES = 496,
  kCCContextSizeCAST = 240,
  kCCContextSizeRC4 = 1072
};

// ECB, CBC and CTR are implemented.
enum {
  kCCModeECB = 1,
  kCCModeCBC = 2,
  kCCModeCFB = 3,
  kCCModeCTR = 4,
  kCCModeOFB = 7,
  kCCModeRC4 = 9,
  kCCModeCFB8 = 10,
};
typedef uint32_t CCMode;

enum {
  ccNoPadding = 0,
  ccPKCS7Padding = 1,
};
typedef uint32_t CCPadding;

enum {
  kCCModeOptionCTR_BE = 2
};
typedef uint32_t CCModeOptions;

/// Encrypts or decrypts data in one call.
CCCryptorStatus CCCrypt(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength,
    const void *iv, const void *dataIn, size_t dataInLength, void *dataOut,
    size_t dataOutAvailable, size_t *dataOutMoved);

/// Makes an object that encrypts or decrypts data in several calls. Release it by CCCryptorRelease.
CCCryptorStatus CCCryptorCreate(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength,
    const void *iv, CCCryptorRef *cryptorRef);

/// Like CCCryptorCreate. The memory is not used, but must have kCCContextSizeAES128 bytes.
CCCryptorStatus CCCryptorCreateFromData(
    CCOperation op, CCAlgorithm alg, CCOptions options, const void *key, size_t keyLength,
    const void *iv, const void *data, size_t dataLength, CCCryptorRef *cryptorRef,
    size_t *dataUsed);

/// Like CCCryptorCreate, with a mode.
CCCryptorStatus CCCryptorCreateWithMode(
    CCOperation op, CCMode mode, CCAlgorithm alg, CCPadding padding, const void *iv,
    const void *key, size_t keyLength, const void *tweak, size_t tweakLength, int numRounds,
    CCModeOptions options, CCCryptorRef *cryptorRef);

/// Erases and frees a cryptor.
CCCryptorStatus CCCryptorRelease(CCCryptorRef cryptorRef);

/// Processes data.
CCCryptorStatus CCCryptorUpdate(
    CCCryptorRef cryptorRef, const void *dataIn, size_t dataInLength, void *dataOut,
    size_t dataOutAvailable, size_t *dataOutMoved);

/// Processes the last bytes.
CCCryptorStatus CCCryptorFinal(
    CCCryptorRef cryptorRef, void *dataOut, size_t dataOutAvailable, size_t *dataOutMoved);

/// Returns the size of the buffer that the next calls need.
size_t CCCryptorGetOutputLength(CCCryptorRef cryptorRef, size_t inputLength, bool final);

/// Begins anew with another initialization vector. Only for CBC and CTR.
CCCryptorStatus CCCryptorReset(CCCryptorRef cryptorRef, const void *iv);

#ifdef __cplusplus
}
#endif

#endif
