// On Apple's platforms, the products Security and LocalAuthentication re-export the system
// frameworks.
#if canImport(Darwin)
  @_exported import LocalAuthentication
  @_exported import Security
#endif
