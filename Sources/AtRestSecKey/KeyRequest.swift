import AtRestCrypto
import AtRestKeychain
import Foundation

/// A use of a key with an algorithm, which the key supports: what the functions of `SecKey` and the
/// methods of `LAPrivateKey` and `LAPublicKey` have in common.
///
/// Everything that the caller provides is checked before a private key is opened, because the user may
/// be asked for it.
package struct KeyRequest: Sendable {
  /// A call that opens the private key and calls a closure with it.
  package typealias Opening = ((borrowing PrivateKeyInUse) throws -> Data) throws -> Data

  private let algorithm: SecKeyAlgorithm
  private let operation: KeyOperation

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - isPrivate: True for a private key, which signs, decrypts and agrees on secrets.
  ///   - decrypts: False for a private key that can only sign and agree on secrets.
  /// - Throws: `errSecParam` if the key does not support the operation with the algorithm, and
  ///   `errSecUnimplemented` if this package does not.
  package init(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm, ofPrivateKey isPrivate: Bool,
    _ keyAlgorithm: KeyAlgorithm, decrypts: Bool = true
  ) throws(StatusError) {
    guard let operation = algorithm.operation else {
      guard algorithm.isUnimplemented else {
        throw .parameter("There is no algorithm \(algorithm.rawValue).")
      }
      throw .unimplemented("The algorithm \(algorithm.rawValue) is not implemented.")
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
    guard isOfType, needsPrivate == isPrivate, operation.isSupported(by: keyAlgorithm)
    else { throw Self.mismatch(algorithm) }
    self.algorithm = algorithm
    self.operation = operation
  }

  private static func mismatch(_ algorithm: SecKeyAlgorithm) -> StatusError {
    .parameter("The key does not support the algorithm \(algorithm.rawValue).")
  }

  // MARK: Private keys

  /// Signs a message or a digest, depending on the algorithm.
  package func sign(_ data: Data, opening: Opening) throws -> Data {
    guard case .signature(let scheme, let input) = operation else {
      throw Self.mismatch(algorithm)
    }
    let digest = try input.digest(data)
    return try opening { try $0.signature(forDigest: digest, scheme) }
  }

  /// Decrypts data.
  ///
  /// - Throws: `errSecParam` if the ciphertext was modified or encrypted to another key.
  package func decrypt(_ ciphertext: Data, opening: Opening) throws -> Data {
    try opening { key in
      let plaintext: SecretBytes
      do {
        switch operation {
        case .encryption(let padding): plaintext = try key.decrypt(ciphertext, padding: padding)
        case .envelope(let envelope): plaintext = try key.open(ciphertext, envelope)
        default: throw Self.mismatch(algorithm)
        }
      } catch let error as AtRestError where [.damaged, .invalidArgument].contains(error.code) {
        // The ciphertext is damaged, not the key.
        throw StatusError.parameter(error.message)
      }
      return Data(copying: plaintext)
    }
  }

  /// Agrees on a secret with the holder of another key.
  ///
  /// - Parameter parameters: The values of ``SecKeyKeyExchangeParameter``, by their keys in a dictionary.
  package func exchange(
    with publicKey: PublicKey, parameters: [String: Any], opening: Opening
  ) throws -> Data {
    guard case .agreement(let function) = operation else { throw Self.mismatch(algorithm) }
    guard let function else {
      return try opening { Data(copying: try $0.sharedSecret(with: publicKey)) }
    }
    let size = parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue as String] as? NSNumber
    guard let size else { throw StatusError.parameter("The requested size is missing.") }
    var sharedInfo = Data()
    switch parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue as String] {
    case nil: break
    case let data as Data: sharedInfo = data
    default: throw StatusError.parameter("The shared information is not data.")
    }
    return try opening { key in
      Data(
        copying: try key.sharedSecret(
          with: publicKey, derivingX963: function, sharedInfo: sharedInfo, count: size.intValue))
    }
  }

  // MARK: Public keys

  /// Checks the signature of a message or a digest, depending on the algorithm.
  ///
  /// - Throws: `errSecVerifyFailed` if the signature does not match.
  package func verify(_ signature: Data, of data: Data, with key: PublicKey) throws {
    guard case .signature(let scheme, let input) = operation else {
      throw Self.mismatch(algorithm)
    }
    guard try key.isValidSignature(signature, forDigest: input.digest(data), scheme) else {
      throw StatusError.verifyFailed("The signature does not match the key and the data.")
    }
  }

  /// Encrypts data, which the holder of the private key can decrypt.
  package func encrypt(_ plaintext: Data, to key: PublicKey) throws -> Data {
    switch operation {
    case .encryption(let padding): try key.encrypt(SecretBytes(plaintext), padding: padding)
    case .envelope(let envelope): try envelope.seal(plaintext, to: key)
    default: throw Self.mismatch(algorithm)
    }
  }
}

extension KeyOperation.Input {
  fileprivate func digest(_ data: Data) throws(StatusError) -> Data {
    switch self {
    case .message(let function): return function.hash(data)
    case .digest(let count?) where count != data.count:
      throw .parameter("The digest has \(data.count) bytes, but \(count) are expected.")
    case .digest: return data
    }
  }
}
