// On Apple's platforms, the products with these names stand for the system frameworks.
#if canImport(Darwin)
  @_exported import LocalAuthentication
  @_exported import Security
#endif
