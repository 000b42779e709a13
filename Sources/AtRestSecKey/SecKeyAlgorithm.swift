import Foundation

/// An algorithm for a cryptographic operation with a key: a `SecKey`, or the key of an `LAPersistedRight`.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let name: String

  /// Creates an algorithm from its identifier, such as `algid:sign:RSA:raw`.
  public init(rawValue: NSString) { name = rawValue as String }
  /// The identifier of the algorithm.
  public var rawValue: NSString { name as NSString }
}

// Signatures.
extension SecKeyAlgorithm {
  /// RSA over bytes that are already padded.
  public static let rsaSignatureRaw = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:raw")
  /// RSA PKCS #1 version 1.5 over a digest that is already encoded with the identifier of its
  /// algorithm.
  public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15")
  /// RSA PKCS #1 version 1.5 over a SHA-1 digest.
  public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA1")
  /// RSA PKCS #1 version 1.5 over a SHA-224 digest.
  public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA224")
  /// RSA PKCS #1 version 1.5 over a SHA-256 digest.
  public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA256")
  /// RSA PKCS #1 version 1.5 over a SHA-384 digest.
  public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA384")
  /// RSA PKCS #1 version 1.5 over a SHA-512 digest.
  public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA512")
  /// RSA PKCS #1 version 1.5 over a message that is hashed with SHA-1.
  public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1")
  /// RSA PKCS #1 version 1.5 over a message that is hashed with SHA-224.
  public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA224")
  /// RSA PKCS #1 version 1.5 over a message that is hashed with SHA-256.
  public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")
  /// RSA PKCS #1 version 1.5 over a message that is hashed with SHA-384.
  public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384")
  /// RSA PKCS #1 version 1.5 over a message that is hashed with SHA-512.
  public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512")
  /// RSA PSS over a SHA-1 digest, with a salt as long as the digest.
  public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
  /// RSA PSS over a SHA-224 digest, with a salt as long as the digest.
  public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
  /// RSA PSS over a SHA-256 digest, with a salt as long as the digest.
  public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
  /// RSA PSS over a SHA-384 digest, with a salt as long as the digest.
  public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
  /// RSA PSS over a SHA-512 digest, with a salt as long as the digest.
  public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
  /// RSA PSS over a message that is hashed with SHA-1, with a salt as long as the digest.
  public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA1:SHA1:20")
  /// RSA PSS over a message that is hashed with SHA-224, with a salt as long as the digest.
  public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA224:SHA224:24")
  /// RSA PSS over a message that is hashed with SHA-256, with a salt as long as the digest.
  public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
  /// RSA PSS over a message that is hashed with SHA-384, with a salt as long as the digest.
  public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
  /// RSA PSS over a message that is hashed with SHA-512, with a salt as long as the digest.
  public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64")
  /// ECDSA over a digest of any kind. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962")
  /// ECDSA over a SHA-1 digest. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA1")
  /// ECDSA over a SHA-224 digest. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA224")
  /// ECDSA over a SHA-256 digest. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA256")
  /// ECDSA over a SHA-384 digest. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA384")
  /// ECDSA over a SHA-512 digest. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA512")
  /// ECDSA over a message that is hashed with SHA-1. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA1")
  /// ECDSA over a message that is hashed with SHA-224. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA224")
  /// ECDSA over a message that is hashed with SHA-256. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA256")
  /// ECDSA over a message that is hashed with SHA-384. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA384")
  /// ECDSA over a message that is hashed with SHA-512. The signature is DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA512")
  /// ECDSA over a digest of any kind. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754")
  /// ECDSA over a SHA-1 digest. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA1")
  /// ECDSA over a SHA-224 digest. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA224")
  /// ECDSA over a SHA-256 digest. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA256")
  /// ECDSA over a SHA-384 digest. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA384")
  /// ECDSA over a SHA-512 digest. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA512")
  /// ECDSA over a message that is hashed with SHA-1. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA1")
  /// ECDSA over a message that is hashed with SHA-224. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA224")
  /// ECDSA over a message that is hashed with SHA-256. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256")
  /// ECDSA over a message that is hashed with SHA-384. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384")
  /// ECDSA over a message that is hashed with SHA-512. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512")
  /// ECDSA over a digest of any kind. The signature is r ‖ s (RFC 4754).
  public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:RFC4754")
}

// Encryption.
extension SecKeyAlgorithm {
  /// RSA encryption of bytes that are already padded.
  public static let rsaEncryptionRaw = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:raw")
  /// RSA PKCS #1 version 1.5.
  public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:PKCS1")
  /// RSA OAEP with SHA-1.
  public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA1")
  /// RSA OAEP with SHA-224.
  public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA224")
  /// RSA OAEP with SHA-256.
  public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA256")
  /// RSA OAEP with SHA-384.
  public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA384")
  /// RSA OAEP with SHA-512.
  public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA512")
  /// AES-GCM for data of any length, with a key that is encrypted with RSA OAEP and SHA-1.
  public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA1:AESGCM")
  /// AES-GCM for data of any length, with a key that is encrypted with RSA OAEP and SHA-224.
  public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA224:AESGCM")
  /// AES-GCM for data of any length, with a key that is encrypted with RSA OAEP and SHA-256.
  public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
  /// AES-GCM for data of any length, with a key that is encrypted with RSA OAEP and SHA-384.
  public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA384:AESGCM")
  /// AES-GCM for data of any length, with a key that is encrypted with RSA OAEP and SHA-512.
  public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA512:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-1, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-224, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-256, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-384, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-512, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-1, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-224, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-256, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-384, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-512, and AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-224, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-256, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-384, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
  /// ECIES: standard ECDH, X9.63 KDF with SHA-512, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-224, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-256, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-384, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF with SHA-512, and AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}

// Key exchange.
extension SecKeyAlgorithm {
  /// Standard ECDH: the bare shared secret.
  public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH")
  /// Standard ECDH, followed by the X9.63 KDF with SHA-1.
  public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA1")
  /// Standard ECDH, followed by the X9.63 KDF with SHA-224.
  public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA224")
  /// Standard ECDH, followed by the X9.63 KDF with SHA-256.
  public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA256")
  /// Standard ECDH, followed by the X9.63 KDF with SHA-384.
  public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA384")
  /// Standard ECDH, followed by the X9.63 KDF with SHA-512.
  public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA512")
  /// Cofactor ECDH: the bare shared secret.
  public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC")
  /// Cofactor ECDH, followed by the X9.63 KDF with SHA-1.
  public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA1")
  /// Cofactor ECDH, followed by the X9.63 KDF with SHA-224.
  public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA224")
  /// Cofactor ECDH, followed by the X9.63 KDF with SHA-256.
  public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA256")
  /// Cofactor ECDH, followed by the X9.63 KDF with SHA-384.
  public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA384")
  /// Cofactor ECDH, followed by the X9.63 KDF with SHA-512.
  public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA512")
}
