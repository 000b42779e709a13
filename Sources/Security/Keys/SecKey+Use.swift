// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import Foundation

/// Returns true if a key supports an operation with an algorithm.
///
/// Public keys verify and encrypt. Private keys sign, decrypt and agree on secrets.
/// `docs/Security.md` lists the algorithms.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  (try? key.operation(operation, algorithm)) != nil
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
    guard case .signature(let scheme, let input) = try key.operation(.sign, algorithm) else {
      throw SecKey.mismatch(algorithm)
    }
    let digest = try input.digest(dataToSign as Data)
    return try key.withPrivateKey { try $0.signature(forDigest: digest, scheme) } as NSData
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
    guard case .signature(let scheme, let input) = try key.operation(.verify, algorithm) else {
      throw SecKey.mismatch(algorithm)
    }
    let isValid = try key.publicKey.isValidSignature(
      signature as Data, forDigest: input.digest(signedData as Data), scheme)
    guard isValid else {
      throw StatusError(errSecVerifyFailed, "The signature does not match the key and the data.")
    }
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
    let plaintext = plaintext as Data
    return switch try key.operation(.encrypt, algorithm) {
    case .encryption(let padding):
      try key.publicKey.encrypt(SecretBytes(plaintext), padding: padding) as NSData
    case .envelope(let envelope): try envelope.seal(plaintext, to: key.publicKey) as NSData
    default: throw SecKey.mismatch(algorithm)
    }
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
    let operation = try key.operation(.decrypt, algorithm)
    let ciphertext = ciphertext as Data
    return try key.withPrivateKey { key in
      let plaintext: SecretBytes
      do {
        switch operation {
        case .encryption(let padding): plaintext = try key.decrypt(ciphertext, padding: padding)
        case .envelope(let envelope): plaintext = try key.open(ciphertext, envelope)
        default: throw SecKey.mismatch(algorithm)
        }
      } catch let error as AtRestError where [.damaged, .invalidArgument].contains(error.code) {
        // The ciphertext is damaged, not the key.
        throw StatusError(errSecParam, error.message)
      }
      return Data(copying: plaintext) as NSData
    }
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
    guard case .agreement(let function) = try privateKey.operation(.keyExchange, algorithm),
      !publicKey.isPrivate
    else { throw SecKey.mismatch(algorithm) }
    guard let function else {
      return try privateKey.withPrivateKey { key in
        Data(copying: try key.sharedSecret(with: publicKey.publicKey)) as NSData
      }
    }
    let parameters = SecKeyParameters(parameters)
    let size = parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue] as? NSNumber
    guard let size else { throw StatusError(errSecParam, "The requested size is missing.") }
    var sharedInfo = Data()
    switch parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue] {
    case nil: break
    case let data as Data: sharedInfo = data
    default: throw StatusError(errSecParam, "The shared information is not data.")
    }
    return try privateKey.withPrivateKey { key in
      Data(
        copying: try key.sharedSecret(
          with: publicKey.publicKey, derivingX963: function, sharedInfo: sharedInfo,
          count: size.intValue)) as NSData
    }
  }
}

extension SecKey {
  /// Returns the operation of an algorithm. Throws if the key does not support the operation.
  fileprivate func operation(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
  ) throws(StatusError) -> KeyOperation {
    guard let operation = algorithm.operation else {
      guard algorithm.isUnimplemented else {
        throw StatusError(errSecParam, "There is no algorithm \(algorithm.rawValue).")
      }
      throw StatusError(
        errSecUnimplemented, "The algorithm \(algorithm.rawValue) is not implemented.")
    }
    let needsPrivate: Bool
    let isOfType: Bool
    switch (type, operation) {
    case (.sign, .signature): (needsPrivate, isOfType) = (true, true)
    case (.verify, .signature): (needsPrivate, isOfType) = (false, true)
    case (.encrypt, .encryption), (.encrypt, .envelope): (needsPrivate, isOfType) = (false, true)
    // Decrypting ECIES is a key agreement, which `privateKeyUsage` allows.
    case (.decrypt, .envelope(.ecies)): (needsPrivate, isOfType) = (true, true)
    case (.decrypt, .encryption), (.decrypt, .envelope): (needsPrivate, isOfType) = (true, decrypts)
    case (.keyExchange, .agreement): (needsPrivate, isOfType) = (true, true)
    default: (needsPrivate, isOfType) = (false, false)
    }
    guard isOfType, needsPrivate == isPrivate, operation.isSupported(by: publicKey.algorithm)
    else { throw Self.mismatch(algorithm) }
    return operation
  }

  fileprivate static func mismatch(_ algorithm: SecKeyAlgorithm) -> StatusError {
    StatusError(errSecParam, "The key does not support the algorithm \(algorithm.rawValue).")
  }
}

extension KeyOperation.Input {
  fileprivate func digest(_ data: Data) throws(StatusError) -> Data {
    switch self {
    case .message(let function): return function.hash(data)
    case .digest(let count?) where count != data.count:
      throw StatusError(
        errSecParam, "The digest has \(data.count) bytes, but \(count) are expected.")
    case .digest: return data
    }
  }
}
