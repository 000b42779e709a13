import AtRestCrypto
import AtRestKeychain
import Foundation

/// Whether a key does an operation with an algorithm.
///
/// Public keys verify and encrypt; private ones sign, decrypt and agree. The document *Security*
/// lists the algorithms.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
) -> Bool {
  (try? key.operation(operation, algorithm)) != nil
}

/// Signs a message or a digest, as the algorithm says.
///
/// - Returns: DER or r ‖ s for curves, as many bytes as the modulus has for RSA.
/// - Parameter error: Set where nil is returned: `errSecParam` where the key has no such algorithm or
///   the digest another size; `errSecUnimplemented` where this module has none; for keys that are
///   opened in the keychain what opening gives, such as `errSecInteractionNotAllowed`.
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

/// Whether a signature is the key's, for a message or a digest, as the algorithm says.
///
/// - Parameter error: Set where false is returned: `errSecVerifyFailed` (-67808) for a signature
///   that is not the key's or none at all; `errSecParam` and `errSecUnimplemented` as in
///   ``SecKeyCreateSignature(_:_:_:_:)``.
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
      throw StatusError(errSecVerifyFailed, "The signature is not the key's for this data.")
    }
  }
  return valid != nil
}

/// Encrypts to the holder of the private key.
///
/// - Parameter error: Set where nil is returned: `errSecParam` where the key has no such algorithm or
///   the plaintext is too long for it; `errSecUnimplemented` where this module has none.
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

/// Decrypts what was encrypted to the key.
///
/// - Parameter error: Set where nil is returned: `errSecParam` where the key has no such algorithm,
///   or the ciphertext was changed or encrypted to another; `errSecUnimplemented` where this module
///   has none; for keys that are opened in the keychain what opening gives.
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
        case .envelope(let envelope): plaintext = try envelope.open(ciphertext, with: key)
        default: throw SecKey.mismatch(algorithm)
        }
      } catch let error as AtRestError {
        // Damage of the ciphertext, not of the key.
        throw StatusError(errSecParam, error.message)
      }
      return Data(copying: plaintext) as NSData
    }
  }
}

/// Agrees on a secret with the holder of another key.
///
/// - Parameters:
///   - parameters: For the algorithms that derive bytes: ``SecKeyKeyExchangeParameter/requestedSize``,
///     how many, and ``SecKeyKeyExchangeParameter/sharedInfo``, where there is any.
///   - error: Set where nil is returned: `errSecParam` where the key has no such algorithm, the other
///     is of another curve, or a parameter is missing; `errSecUnimplemented` where this module has
///     none; for keys that are opened in the keychain what opening gives.
/// - Returns: The X coordinate, or the bytes derived.
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
  /// What an algorithm does, once the key is known to do it.
  fileprivate func operation(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
  ) throws(StatusError) -> KeyOperation {
    guard let operation = algorithm.operation else {
      throw StatusError(
        errSecUnimplemented, "The algorithm \(algorithm.rawValue) is not implemented.")
    }
    let needsPrivate: Bool
    let isOfType: Bool
    switch (type, operation) {
    case (.sign, .signature): (needsPrivate, isOfType) = (true, true)
    case (.verify, .signature): (needsPrivate, isOfType) = (false, true)
    case (.encrypt, .encryption), (.encrypt, .envelope): (needsPrivate, isOfType) = (false, true)
    // ECIES is an agreement, which private-key usage allows.
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
        errSecParam, "The digest has \(data.count) bytes, where \(count) are expected.")
    case .digest: return data
    }
  }
}
