// Apple's CryptoKit is what swift-crypto's module `Crypto` is made of, so its names are complete
// except for `SecureEnclave`. CryptoExtras is left out: it has no name that CryptoKit has.
@_exported import Crypto
