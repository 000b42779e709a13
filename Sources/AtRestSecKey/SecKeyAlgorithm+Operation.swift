import AtRestCrypto

extension SecKeyAlgorithm {
  /// The operation, or nil if the algorithm is not implemented. `docs/Security.md` lists the
  /// algorithms.
  var operation: KeyOperation? { Self.operations[self] }

  /// True if Apple's framework has an algorithm of this name that is not implemented here.
  var isUnimplemented: Bool { Self.unimplemented.contains(self) }

  private static let unimplemented: Set<SecKeyAlgorithm> = [
    .rsaSignatureRaw, .rsaSignatureDigestPKCS1v15Raw, .rsaSignatureDigestPKCS1v15SHA224,
    .rsaSignatureMessagePKCS1v15SHA224, .rsaSignatureDigestPSSSHA224,
    .rsaSignatureMessagePSSSHA224, .ecdsaSignatureMessageX962SHA224,
    .ecdsaSignatureMessageRFC4754SHA224, .rsaEncryptionRaw, .rsaEncryptionOAEPSHA224,
    .rsaEncryptionOAEPSHA384, .rsaEncryptionOAEPSHA512, .rsaEncryptionOAEPSHA224AESGCM,
    .rsaEncryptionOAEPSHA384AESGCM, .rsaEncryptionOAEPSHA512AESGCM,
    .eciesEncryptionStandardX963SHA224AESGCM, .eciesEncryptionCofactorX963SHA224AESGCM,
    .eciesEncryptionStandardVariableIVX963SHA224AESGCM,
    .eciesEncryptionCofactorVariableIVX963SHA224AESGCM, .ecdhKeyExchangeStandardX963SHA224,
    .ecdhKeyExchangeCofactorX963SHA224,
  ]

  // On NIST curves, the standard and the cofactor forms are the same, because the cofactor is 1.
  private static let operations: [SecKeyAlgorithm: KeyOperation] = [
    .rsaSignatureMessagePKCS1v15SHA1: .signature(.rsaPKCS1(.sha1), .message(.sha1)),
    .rsaSignatureDigestPKCS1v15SHA1: .signature(.rsaPKCS1(.sha1), .digest(nil)),
    .rsaSignatureMessagePSSSHA1: .signature(.rsaPSS(.sha1), .message(.sha1)),
    .rsaSignatureDigestPSSSHA1: .signature(.rsaPSS(.sha1), .digest(nil)),
    .ecdsaSignatureMessageX962SHA1: .signature(.ecdsa, .message(.sha1)),
    .ecdsaSignatureMessageRFC4754SHA1: .signature(.ecdsaRaw, .message(.sha1)),
    .rsaSignatureMessagePKCS1v15SHA256: .signature(.rsaPKCS1(.sha256), .message(.sha256)),
    .rsaSignatureDigestPKCS1v15SHA256: .signature(.rsaPKCS1(.sha256), .digest(nil)),
    .rsaSignatureMessagePSSSHA256: .signature(.rsaPSS(.sha256), .message(.sha256)),
    .rsaSignatureDigestPSSSHA256: .signature(.rsaPSS(.sha256), .digest(nil)),
    .ecdsaSignatureMessageX962SHA256: .signature(.ecdsa, .message(.sha256)),
    .ecdsaSignatureMessageRFC4754SHA256: .signature(.ecdsaRaw, .message(.sha256)),
    .rsaSignatureMessagePKCS1v15SHA384: .signature(.rsaPKCS1(.sha384), .message(.sha384)),
    .rsaSignatureDigestPKCS1v15SHA384: .signature(.rsaPKCS1(.sha384), .digest(nil)),
    .rsaSignatureMessagePSSSHA384: .signature(.rsaPSS(.sha384), .message(.sha384)),
    .rsaSignatureDigestPSSSHA384: .signature(.rsaPSS(.sha384), .digest(nil)),
    .ecdsaSignatureMessageX962SHA384: .signature(.ecdsa, .message(.sha384)),
    .ecdsaSignatureMessageRFC4754SHA384: .signature(.ecdsaRaw, .message(.sha384)),
    .rsaSignatureMessagePKCS1v15SHA512: .signature(.rsaPKCS1(.sha512), .message(.sha512)),
    .rsaSignatureDigestPKCS1v15SHA512: .signature(.rsaPKCS1(.sha512), .digest(nil)),
    .rsaSignatureMessagePSSSHA512: .signature(.rsaPSS(.sha512), .message(.sha512)),
    .rsaSignatureDigestPSSSHA512: .signature(.rsaPSS(.sha512), .digest(nil)),
    .ecdsaSignatureMessageX962SHA512: .signature(.ecdsa, .message(.sha512)),
    .ecdsaSignatureMessageRFC4754SHA512: .signature(.ecdsaRaw, .message(.sha512)),
    .ecdsaSignatureDigestX962: .signature(.ecdsa, .digest(nil)),
    .ecdsaSignatureDigestRFC4754: .signature(.ecdsaRaw, .digest(nil)),
    .ecdsaSignatureDigestX962SHA1: .signature(.ecdsa, .digest(20)),
    .ecdsaSignatureDigestRFC4754SHA1: .signature(.ecdsaRaw, .digest(20)),
    .ecdsaSignatureDigestX962SHA224: .signature(.ecdsa, .digest(28)),
    .ecdsaSignatureDigestRFC4754SHA224: .signature(.ecdsaRaw, .digest(28)),
    .ecdsaSignatureDigestX962SHA256: .signature(.ecdsa, .digest(32)),
    .ecdsaSignatureDigestRFC4754SHA256: .signature(.ecdsaRaw, .digest(32)),
    .ecdsaSignatureDigestX962SHA384: .signature(.ecdsa, .digest(48)),
    .ecdsaSignatureDigestRFC4754SHA384: .signature(.ecdsaRaw, .digest(48)),
    .ecdsaSignatureDigestX962SHA512: .signature(.ecdsa, .digest(64)),
    .ecdsaSignatureDigestRFC4754SHA512: .signature(.ecdsaRaw, .digest(64)),
    .ecdsaSignatureRFC4754: .signature(.ecdsaRaw, .digest(nil)),
    .rsaEncryptionPKCS1: .encryption(.pkcs1),
    .rsaEncryptionOAEPSHA1: .encryption(.oaepSHA1),
    .rsaEncryptionOAEPSHA256: .encryption(.oaepSHA256),
    .rsaEncryptionOAEPSHA1AESGCM: .envelope(.rsa(.oaepSHA1)),
    .rsaEncryptionOAEPSHA256AESGCM: .envelope(.rsa(.oaepSHA256)),
    .eciesEncryptionStandardX963SHA1AESGCM: .envelope(.ecies(.sha1, derivesNonce: false)),
    .eciesEncryptionStandardX963SHA256AESGCM: .envelope(.ecies(.sha256, derivesNonce: false)),
    .eciesEncryptionStandardVariableIVX963SHA256AESGCM: .envelope(
      .ecies(.sha256, derivesNonce: true)),
    .eciesEncryptionStandardX963SHA384AESGCM: .envelope(.ecies(.sha384, derivesNonce: false)),
    .eciesEncryptionStandardVariableIVX963SHA384AESGCM: .envelope(
      .ecies(.sha384, derivesNonce: true)),
    .eciesEncryptionStandardX963SHA512AESGCM: .envelope(.ecies(.sha512, derivesNonce: false)),
    .eciesEncryptionStandardVariableIVX963SHA512AESGCM: .envelope(
      .ecies(.sha512, derivesNonce: true)),
    .ecdhKeyExchangeStandard: .agreement(nil),
    .ecdhKeyExchangeStandardX963SHA1: .agreement(.sha1),
    .ecdhKeyExchangeStandardX963SHA256: .agreement(.sha256),
    .ecdhKeyExchangeStandardX963SHA384: .agreement(.sha384),
    .ecdhKeyExchangeStandardX963SHA512: .agreement(.sha512),
    .eciesEncryptionCofactorX963SHA1AESGCM: .envelope(.ecies(.sha1, derivesNonce: false)),
    .eciesEncryptionCofactorX963SHA256AESGCM: .envelope(.ecies(.sha256, derivesNonce: false)),
    .eciesEncryptionCofactorVariableIVX963SHA256AESGCM: .envelope(
      .ecies(.sha256, derivesNonce: true)),
    .eciesEncryptionCofactorX963SHA384AESGCM: .envelope(.ecies(.sha384, derivesNonce: false)),
    .eciesEncryptionCofactorVariableIVX963SHA384AESGCM: .envelope(
      .ecies(.sha384, derivesNonce: true)),
    .eciesEncryptionCofactorX963SHA512AESGCM: .envelope(.ecies(.sha512, derivesNonce: false)),
    .eciesEncryptionCofactorVariableIVX963SHA512AESGCM: .envelope(
      .ecies(.sha512, derivesNonce: true)),
    .ecdhKeyExchangeCofactor: .agreement(nil),
    .ecdhKeyExchangeCofactorX963SHA1: .agreement(.sha1),
    .ecdhKeyExchangeCofactorX963SHA256: .agreement(.sha256),
    .ecdhKeyExchangeCofactorX963SHA384: .agreement(.sha384),
    .ecdhKeyExchangeCofactorX963SHA512: .agreement(.sha512),
  ]
}
