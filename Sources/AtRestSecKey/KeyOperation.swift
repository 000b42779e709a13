import AtRestCrypto

/// The operation that an algorithm performs, in terms of AtRestCrypto's types.
enum KeyOperation: Sendable {
  enum Input: Sendable {
    /// A message, which is hashed.
    case message(DigestFunction)
    /// A digest with a required number of bytes, or nil if the algorithm does not require one.
    case digest(Int?)
  }

  case signature(DigestSignatureScheme, Input)
  case encryption(EncryptionPadding)
  case envelope(PublicKeyEnvelope)
  /// A key agreement. If there is a digest function, the X9.63 KDF derives bytes from the shared
  /// secret.
  case agreement(DigestFunction?)

  /// Returns true if keys of an algorithm support the operation.
  func isSupported(by algorithm: KeyAlgorithm) -> Bool {
    let isCurve = [.p256, .p384, .p521].contains(algorithm)
    switch self {
    case .signature(.ecdsa, _), .signature(.ecdsaRaw, _), .agreement: return isCurve
    case .signature, .encryption: return algorithm.canDecrypt
    case .envelope(let envelope): return envelope.isSupported(by: algorithm)
    }
  }
}
