// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// Returns true if a key supports an operation with an algorithm.
///
/// Public keys verify and encrypt. Private keys sign, decrypt and agree on secrets.
/// `docs/Security.md` lists the algorithms.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  (try? key.request(operation, algorithm)) != nil
}

/// Signs a message or a digest, depending on the algorithm.
///
/// - Returns: The signature, or nil if the function fails. An ECDSA signature is DER or r ‖ s, and
///   an RSA signature is as long as the modulus.
/// - Parameter error: Set if the function returns nil: `errSecParam` if the key does not support
///   the algorithm or the digest has the wrong size; `errSecUnimplemented` if this module does not
///   support the algorithm; another status, such as `errSecInteractionNotAllowed`, if the key stays
///   in the keychain and cannot be opened.
public func SecKeyCreateSignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ dataToSign: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  error.catching {
    try key.request(.sign, algorithm).sign(dataToSign as Data) { try key.withPrivateKey($0) }
      as NSData
  }
}

/// Returns true if a signature of a message or a digest is valid for a public key.
///
/// The algorithm determines whether the data is a message or a digest.
///
/// - Parameter error: Set if the function returns false: `errSecVerifyFailed` (-67808) if the
///   signature does not match the key and the data, or is not a signature at all; `errSecParam` and
///   `errSecUnimplemented` as in ``SecKeyCreateSignature(_:_:_:_:)``.
public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signedData: CFData, _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  let valid: Void? = error.catching {
    try key.request(.verify, algorithm)
      .verify(signature as Data, of: signedData as Data, with: key.publicKey)
  }
  return valid != nil
}

/// Encrypts data to a public key. The holder of the private key can decrypt it.
///
/// - Parameter error: Set if the function returns nil: `errSecParam` if the key does not support
///   the algorithm, or the plaintext is too long for the key; `errSecUnimplemented` if this module
///   does not support the algorithm.
/// - Returns: The ciphertext, or nil if the function fails.
public func SecKeyCreateEncryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  error.catching {
    try key.request(.encrypt, algorithm).encrypt(plaintext as Data, to: key.publicKey) as NSData
  }
}

/// Decrypts data with a private key.
///
/// - Parameter error: Set if the function returns nil: `errSecParam` if the key does not support
///   the algorithm, or the ciphertext was modified or encrypted to another key;
///   `errSecUnimplemented` if this module does not support the algorithm; another status if the key
///   stays in the keychain and cannot be opened.
/// - Returns: The plaintext, or nil if the function fails.
public func SecKeyCreateDecryptedData(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  error.catching {
    try key.request(.decrypt, algorithm).decrypt(ciphertext as Data) { try key.withPrivateKey($0) }
      as NSData
  }
}

/// Agrees on a secret with the holder of another key.
///
/// - Parameters:
///   - parameters: For algorithms that derive bytes, ``SecKeyKeyExchangeParameter/requestedSize``
///     is the number of bytes to derive, and ``SecKeyKeyExchangeParameter/sharedInfo`` is optional.
///     Other algorithms ignore the parameters.
///   - error: Set if the function returns nil: `errSecParam` if the key does not support the
///     algorithm, the other key is on another curve, or a parameter is missing;
///     `errSecUnimplemented` if this module does not support the algorithm; another status if the
///     private key stays in the keychain and cannot be opened.
/// - Returns: The X coordinate of the shared point, or the derived bytes. Nil if the function
///   fails.
public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey, _ algorithm: SecKeyAlgorithm, _ publicKey: SecKey,
  _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  error.catching {
    let request = try privateKey.request(.keyExchange, algorithm)
    guard !publicKey.isPrivate else {
      throw StatusError(errSecParam, "The key of the other party is a private key.")
    }
    return try request.exchange(
      with: publicKey.publicKey, parameters: SecKeyParameters(parameters).values
    ) { try privateKey.withPrivateKey($0) } as NSData
  }
}

extension SecKey {
  /// Returns a request to use the key. Throws if the key does not support the operation.
  fileprivate func request(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
  ) throws(StatusError) -> KeyRequest {
    try KeyRequest(
      type, algorithm, ofPrivateKey: isPrivate, publicKey.algorithm, decrypts: decrypts)
  }
}
