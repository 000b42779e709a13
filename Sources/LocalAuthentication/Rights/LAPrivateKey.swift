import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// The private key of a right, which signs, decrypts and agrees on secrets while the right is authorized.
///
/// It is a P-256 key that cannot be exported: in the device's hardware if it has any, and otherwise under
/// the access control of the right in the keychain. Like ``LASecret``, it can be used as long as the right
/// is authorized, even if no other object holds the right.
///
/// Errors are of two kinds. An ``LAError`` says that the user did not authorize the right
/// (``LAError/notInteractive``), that the right was removed (``LAError/invalidContext``), or that the key
/// cannot be opened. An `NSError` of the domain `NSOSStatusErrorDomain` has the status of `SecKey`:
/// `errSecParam` for an algorithm that the key does not support, or for wrong data, and
/// `errSecUnimplemented` for an algorithm that this package does not have.
///
/// Safe to use from several threads. Source: `LAPrivateKey.h` of the SDK of iOS 18.
public final class LAPrivateKey: NSObject, Sendable {
  private let identifier: String
  private let keychain: Keychain
  private let right: LARight.Shared
  /// The public half, which can be used at any time.
  public let publicKey: LAPublicKey

  init(
    _ identifier: String, _ keychain: Keychain, _ publicKey: PublicKey, _ right: LARight.Shared
  ) {
    (self.identifier, self.keychain, self.right) = (identifier, keychain, right)
    self.publicKey = LAPublicKey(publicKey)
  }

  // MARK: Signing

  /// Returns true if the key signs with an algorithm.
  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { can(.sign, algorithm) }

  /// Signs a message or a digest, depending on the algorithm.
  ///
  /// - Throws: The errors of ``LAPrivateKey``.
  public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await use(.sign, algorithm) { try $0.sign(data, opening: $1) }
  }

  /// Signs a message or a digest, and calls a closure with the signature or an error.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func sign(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    callBack(handler) { try await self.sign(data, algorithm: algorithm) }
  }

  // MARK: Decrypting

  /// Returns true if the key decrypts with an algorithm.
  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { can(.decrypt, algorithm) }

  /// Decrypts data that was encrypted to ``publicKey``.
  ///
  /// - Throws: The errors of ``LAPrivateKey``.
  public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await use(.decrypt, algorithm) { try $0.decrypt(data, opening: $1) }
  }

  /// Decrypts data, and calls a closure with the plaintext or an error.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func decrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    callBack(handler) { try await self.decrypt(data, algorithm: algorithm) }
  }

  // MARK: Agreeing

  /// Returns true if the key agrees on secrets with an algorithm.
  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
    can(.keyExchange, algorithm)
  }

  /// Agrees on a secret with the holder of another key.
  ///
  /// - Parameters:
  ///   - publicKey: The key of the other party, in X9.63 form.
  ///   - parameters: The values of `SecKeyKeyExchangeParameter`: the number of bytes, which an algorithm
  ///     with a hash needs, and optional information that is hashed too.
  /// - Throws: The errors of ``LAPrivateKey``.
  public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
  ) async throws -> Data {
    nonisolated(unsafe) let values = SecKeyKeyExchangeParameter.values(of: parameters)
    return try await use(.keyExchange, algorithm) {
      try $0.exchange(
        with: PublicKey(x963Representation: publicKey), parameters: values, opening: $1)
    }
  }

  /// Agrees on a secret with the holder of another key, and calls a closure with the secret or an error.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
    completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let parameters = parameters
    callBack(handler) {
      try await self.exchangeKeys(
        publicKey: publicKey, algorithm: algorithm, parameters: parameters)
    }
  }

  // MARK: Use

  private func can(_ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
    (try? request(type, algorithm)) != nil
  }

  private func request(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
  ) throws(StatusError) -> KeyRequest {
    try KeyRequest(type, algorithm, ofPrivateKey: true, publicKey.key.algorithm)
  }

  /// Uses the key with the proof that the user gave when the right was authorized. The user is not asked.
  private func use(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm,
    _ body: @escaping @Sendable (KeyRequest, KeyRequest.Opening) throws -> Data
  ) async throws -> Data {
    try await LAError.ofKeys {
      let request = try self.request(type, algorithm)
      let tag = LARightStore.keyTag(identifier)
      let context = right.context.authenticationContext(reason: nil, interaction: .forbidden)
      return try await keychain.background { keychain in
        try body(request) { try keychain.withPrivateKey(tag: tag, context: context, $0) }
      }
    }
  }
}
