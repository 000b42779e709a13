// On Apple's platforms, the products Security, LocalAuthentication, CryptoKit and CommonCrypto
// re-export the system's modules.
#if canImport(Darwin)
  @_exported import CommonCrypto
  @_exported import CryptoKit
  @_exported import LocalAuthentication
  @_exported import Security
#endif
