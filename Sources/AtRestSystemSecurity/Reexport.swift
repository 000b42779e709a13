// Apple's platforms have these frameworks: the products of their names stand for the system's there.
#if canImport(Darwin)
  @_exported import LocalAuthentication
  @_exported import Security
#endif
