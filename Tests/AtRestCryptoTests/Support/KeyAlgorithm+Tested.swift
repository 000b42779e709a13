import AtRestCrypto

extension KeyAlgorithm {
  static let tested: [KeyAlgorithm] = [
    .p256, .p384, .p521, .ed25519, .x25519, .rsa2048, .rsa3072, .rsa4096,
  ]

  static let nistCurves: [KeyAlgorithm] = [.p256, .p384, .p521]

  /// A key of OpenSSL, because generating RSA keys takes long.
  func fixture() throws -> PrivateKey { try Fixture.privateKey("\(name)-pkcs8") }
}
