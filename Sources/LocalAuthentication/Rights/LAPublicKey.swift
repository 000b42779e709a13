import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// The public key of a right, which verifies and encrypts at any time, also while the device is locked.
///
/// Errors are those of ``LAPrivateKey``. Safe to use from several threads. Source: `LAPublicKey.h` of the
/// SDK of iOS 18.
public final class LAPublicKey: NSObject, Sendable {
  let key: PublicKey

  init(_ key: PublicKey) { self.key = key }

  // MARK: Exporting

  /// The key in X9.63 form, 65 bytes.
  public var bytes: Data {
    get async throws { try await LAError.ofKeys { try key.x963Representation() } }
  }

  /// Exports ``bytes``, and calls a closure with them or an error.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func exportBytes(completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    callBack(handler) { try await self.bytes }
  }

  // MARK: Encrypting

  /// Returns true if data can be encrypted with an algorithm.
  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    (try? request(.encrypt, algorithm)) != nil
  }

  /// Encrypts data, which only the private key decrypts.
  ///
  /// - Throws: The errors of ``LAPrivateKey``.
  public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await LAError.ofKeys { try request(.encrypt, algorithm).encrypt(data, to: key) }
  }

  /// Encrypts data, and calls a closure with the ciphertext or an error.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func encrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion handler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    callBack(handler) { try await self.encrypt(data, algorithm: algorithm) }
  }

  // MARK: Verifying

  /// Returns true if signatures can be verified with an algorithm.
  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
    (try? request(.verify, algorithm)) != nil
  }

  /// Checks the signature of a message or a digest, depending on the algorithm.
  ///
  /// - Throws: An `NSError` with the code `errSecVerifyFailed` (-67808) if the signature does not match;
  ///   the errors of ``LAPrivateKey``.
  public func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm
  ) async throws {
    try await LAError.ofKeys {
      try request(.verify, algorithm).verify(signature, of: signedData, with: key)
    }
  }

  /// Checks the signature of a message or a digest, and calls a closure with nil or an error.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  public func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
    completion handler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    callBack(handler) {
      try await self.verify(signedData, signature: signature, algorithm: algorithm)
    }
  }

  private func request(
    _ type: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
  ) throws(StatusError) -> KeyRequest {
    try KeyRequest(type, algorithm, ofPrivateKey: false, key.algorithm)
  }
}
