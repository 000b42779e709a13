import Foundation

/// What a key does with bytes, as ``SecKey``'s calls name it.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  private let name: String

  public init(rawValue: CFString) { name = rawValue as String }
  public var rawValue: CFString { name as CFString }
}

// Signatures.
extension SecKeyAlgorithm {
  /// RSA over bytes that are padded already.
  public static let rsaSignatureRaw = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:raw")
  /// RSA, PKCS #1 version 1.5, over bytes that carry the name of their digest themselves.
  public static let rsaSignatureDigestPKCS1v15Raw = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15")
  /// RSA, PKCS #1 version 1.5, over a digest of SHA-1.
  public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA1")
  /// RSA, PKCS #1 version 1.5, over a digest of SHA-224.
  public static let rsaSignatureDigestPKCS1v15SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA224")
  /// RSA, PKCS #1 version 1.5, over a digest of SHA-256.
  public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA256")
  /// RSA, PKCS #1 version 1.5, over a digest of SHA-384.
  public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA384")
  /// RSA, PKCS #1 version 1.5, over a digest of SHA-512.
  public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA512")
  /// RSA, PKCS #1 version 1.5, over the message by SHA-1.
  public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1")
  /// RSA, PKCS #1 version 1.5, over the message by SHA-224.
  public static let rsaSignatureMessagePKCS1v15SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA224")
  /// RSA, PKCS #1 version 1.5, over the message by SHA-256.
  public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256")
  /// RSA, PKCS #1 version 1.5, over the message by SHA-384.
  public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384")
  /// RSA, PKCS #1 version 1.5, over the message by SHA-512.
  public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512")
  /// RSA, PSS, over a digest of SHA-1, and a salt as long.
  public static let rsaSignatureDigestPSSSHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA1:SHA1:20")
  /// RSA, PSS, over a digest of SHA-224, and a salt as long.
  public static let rsaSignatureDigestPSSSHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24")
  /// RSA, PSS, over a digest of SHA-256, and a salt as long.
  public static let rsaSignatureDigestPSSSHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA256:SHA256:32")
  /// RSA, PSS, over a digest of SHA-384, and a salt as long.
  public static let rsaSignatureDigestPSSSHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA384:SHA384:48")
  /// RSA, PSS, over a digest of SHA-512, and a salt as long.
  public static let rsaSignatureDigestPSSSHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:digest-PSS:SHA512:SHA512:64")
  /// RSA, PSS, over the message by SHA-1, and a salt as long.
  public static let rsaSignatureMessagePSSSHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA1:SHA1:20")
  /// RSA, PSS, over the message by SHA-224, and a salt as long.
  public static let rsaSignatureMessagePSSSHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA224:SHA224:24")
  /// RSA, PSS, over the message by SHA-256, and a salt as long.
  public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32")
  /// RSA, PSS, over the message by SHA-384, and a salt as long.
  public static let rsaSignatureMessagePSSSHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48")
  /// RSA, PSS, over the message by SHA-512, and a salt as long.
  public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64")
  /// ECDSA over a digest of any kind: DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962")
  /// ECDSA over a digest of SHA-1: DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA1")
  /// ECDSA over a digest of SHA-224: DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA224")
  /// ECDSA over a digest of SHA-256: DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA256")
  /// ECDSA over a digest of SHA-384: DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA384")
  /// ECDSA over a digest of SHA-512: DER (ANSI X9.62).
  public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA512")
  /// ECDSA over the message by SHA-1: DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA1")
  /// ECDSA over the message by SHA-224: DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA224")
  /// ECDSA over the message by SHA-256: DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA256")
  /// ECDSA over the message by SHA-384: DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA384")
  /// ECDSA over the message by SHA-512: DER (ANSI X9.62).
  public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-X962:SHA512")
  /// ECDSA over a digest of any kind: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754")
  /// ECDSA over a digest of SHA-1: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA1")
  /// ECDSA over a digest of SHA-224: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA224")
  /// ECDSA over a digest of SHA-256: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA256")
  /// ECDSA over a digest of SHA-384: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA384")
  /// ECDSA over a digest of SHA-512: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureDigestRFC4754SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA512")
  /// ECDSA over the message by SHA-1: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA1 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA1")
  /// ECDSA over the message by SHA-224: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA224 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA224")
  /// ECDSA over the message by SHA-256: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA256 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256")
  /// ECDSA over the message by SHA-384: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA384 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384")
  /// ECDSA over the message by SHA-512: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureMessageRFC4754SHA512 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512")
  /// ECDSA over a digest of any kind: the two numbers side by side (RFC 4754).
  public static let ecdsaSignatureRFC4754 = SecKeyAlgorithm(
    rawValue: "algid:sign:ECDSA:RFC4754")
}

// Encryption.
extension SecKeyAlgorithm {
  /// RSA of bytes that are padded already.
  public static let rsaEncryptionRaw = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:raw")
  /// RSA, PKCS #1 version 1.5.
  public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:PKCS1")
  /// RSA, OAEP with SHA-1.
  public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA1")
  /// RSA, OAEP with SHA-224.
  public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA224")
  /// RSA, OAEP with SHA-256.
  public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA256")
  /// RSA, OAEP with SHA-384.
  public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA384")
  /// RSA, OAEP with SHA-512.
  public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA512")
  /// AES-GCM of any length, its key by RSA, OAEP with SHA-1.
  public static let rsaEncryptionOAEPSHA1AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA1:AESGCM")
  /// AES-GCM of any length, its key by RSA, OAEP with SHA-224.
  public static let rsaEncryptionOAEPSHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA224:AESGCM")
  /// AES-GCM of any length, its key by RSA, OAEP with SHA-256.
  public static let rsaEncryptionOAEPSHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM")
  /// AES-GCM of any length, its key by RSA, OAEP with SHA-384.
  public static let rsaEncryptionOAEPSHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA384:AESGCM")
  /// AES-GCM of any length, its key by RSA, OAEP with SHA-512.
  public static let rsaEncryptionOAEPSHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:RSA:OAEP:SHA512:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-1, AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA1AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-224, AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-256, AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-384, AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-512, AES-GCM with an IV of zeros.
  public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-1, AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA1AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-224, AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-256, AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-384, AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-512, AES-GCM with an IV of zeros.
  public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-224, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-256, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-384, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV")
  /// ECIES: standard ECDH, X9.63 KDF by SHA-512, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-224, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-256, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-384, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV")
  /// ECIES: cofactor ECDH, X9.63 KDF by SHA-512, AES-GCM with an IV from the KDF.
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV")
}

// Key exchange.
extension SecKeyAlgorithm {
  /// Standard ECDH: the bare shared secret.
  public static let ecdhKeyExchangeStandard = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH")
  /// Standard ECDH, then the X9.63 KDF by SHA-1.
  public static let ecdhKeyExchangeStandardX963SHA1 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA1")
  /// Standard ECDH, then the X9.63 KDF by SHA-224.
  public static let ecdhKeyExchangeStandardX963SHA224 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA224")
  /// Standard ECDH, then the X9.63 KDF by SHA-256.
  public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA256")
  /// Standard ECDH, then the X9.63 KDF by SHA-384.
  public static let ecdhKeyExchangeStandardX963SHA384 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA384")
  /// Standard ECDH, then the X9.63 KDF by SHA-512.
  public static let ecdhKeyExchangeStandardX963SHA512 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA512")
  /// Cofactor ECDH: the bare shared secret.
  public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC")
  /// Cofactor ECDH, then the X9.63 KDF by SHA-1.
  public static let ecdhKeyExchangeCofactorX963SHA1 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA1")
  /// Cofactor ECDH, then the X9.63 KDF by SHA-224.
  public static let ecdhKeyExchangeCofactorX963SHA224 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA224")
  /// Cofactor ECDH, then the X9.63 KDF by SHA-256.
  public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA256")
  /// Cofactor ECDH, then the X9.63 KDF by SHA-384.
  public static let ecdhKeyExchangeCofactorX963SHA384 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA384")
  /// Cofactor ECDH, then the X9.63 KDF by SHA-512.
  public static let ecdhKeyExchangeCofactorX963SHA512 = SecKeyAlgorithm(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA512")
}
