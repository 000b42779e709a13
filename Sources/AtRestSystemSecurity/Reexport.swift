// On Apple's platforms, the products Security, LocalAuthentication and CryptoKit re-export the
// system's modules.
#if canImport(Darwin)
  @_exported import CryptoKit
  @_exported import LocalAuthentication
  @_exported import Security
#endif
