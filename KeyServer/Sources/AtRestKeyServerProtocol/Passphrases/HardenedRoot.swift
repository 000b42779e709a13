import AtRestCrypto
import Crypto
import Foundation

/// The secret that a passphrase and a key server make together, and the keys derived from it.
///
/// `input` of the OPRF = `"atrest.keyserver.passphrase.v1"` ‖ realm ‖ account ‖ passphrase, each but
/// the realm preceded by its count. The OPRF's output is stretched by a password KDF on the client,
/// so a thief of the server's keys still pays the KDF's cost for each guess.
package struct HardenedRoot: ~Copyable {
  private let root: SecretBytes

  /// The longest passphrase in bytes.
  package static let maximumPassphraseCount = 1024

  /// Returns the input of the OPRF for a passphrase.
  package static func input(
    _ passphrase: borrowing SecretBytes, realm: Data, account: String
  ) throws -> SecretBytes {
    guard (1...maximumPassphraseCount).contains(passphrase.count) else {
      throw AtRestError(
        .invalidArgument, "A passphrase of \(passphrase.count) bytes cannot be hardened.",
        remedy: "Use 1 to \(maximumPassphraseCount) bytes.")
    }
    var head = MessageWriter()
    head.counted(utf8: "atrest.keyserver.passphrase.v1")
    head.fixed(realm)
    head.counted(utf8: account)
    head.integer(UInt16(passphrase.count))
    let prefix = head.bytes
    return SecretBytes(count: prefix.count + passphrase.count) { bytes in
      bytes.copyBytes(from: prefix)
      passphrase.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[prefix.count...]).copyMemory(from: $0)
      }
    }
  }

  /// Stretches the output of the OPRF.
  package init(output: borrowing SecretBytes, kdf: PasswordKDF, salt: Data) throws {
    root = try kdf.deriveKey(from: output, salt: salt)
  }

  /// Returns the salt of an account: 16 bytes of the SHA-256 of its public key. All its devices
  /// compute the same salt, so none has to be stored. Each account has another public key, so no
  /// two have the same salt.
  package static func salt(publicKey: GroupElement) -> Data {
    var hash = SHA256()
    hash.update(data: Data("atrest.keyserver.salt.v1".utf8))
    hash.update(data: publicKey.bytes)
    return Data(hash.finalize().prefix(16))
  }

  /// The key that the application uses, 32 bytes. The server never sees it.
  package var key: SecretBytes { root.derive(.hardenedKey) }

  /// The size of a proof in bytes: a signature of Ed25519.
  package static let proofCount = 64
  /// The size of the key that verifies proofs in bytes.
  package static let verifyingKeyCount = 32

  private func proofKey() throws -> Curve25519.Signing.PrivateKey {
    try root.derive(.proofKey).withUnsafeBytes {
      try Curve25519.Signing.PrivateKey(rawRepresentation: $0)
    }
  }

  /// The public key that verifies proofs, 32 bytes. It is all that the server keeps of a passphrase.
  package var verifyingKey: Data {
    get throws { try proofKey().publicKey.rawRepresentation }
  }

  /// Returns the proof for one attempt.
  package func proof(realm: Data, account: String, attempt: Data) throws -> Data {
    try signature(for: Self.message(realm, account, attempt))
  }

  /// Returns true if a proof is the right one for an attempt.
  package static func isValid(
    _ proof: Data, verifyingKey: Data, realm: Data, account: String, attempt: Data
  ) -> Bool {
    isValid(proof, for: message(realm, account, attempt), verifyingKey: verifyingKey)
  }

  // MARK: A move to another suite

  /// The size of a key that is carried over in bytes.
  package static let carriedCount = 32 + SealingKey.overhead

  /// Seals the key that the application has so far, so that the passphrase still gives it with another suite.
  package func carry(_ key: borrowing SecretBytes, realm: Data, account: String) throws -> Data {
    try SealingKey(root.derive(.carryingKey)).seal(
      key, context: Self.carryingContext(realm, account))
  }

  /// Opens a key that was carried over.
  package func open(_ carried: Data, realm: Data, account: String) throws -> SecretBytes {
    try SealingKey(root.derive(.carryingKey)).open(
      carried, context: Self.carryingContext(realm, account), name: "The key that was carried over")
  }

  private static func carryingContext(_ realm: Data, _ account: String) -> Data {
    var writer = MessageWriter()
    writer.fixed(realm)
    writer.counted(utf8: account)
    return writer.data
  }

  // MARK: Signatures

  /// Signs with the key for proofs.
  func signature(for message: Data) throws -> Data { try proofKey().signature(for: message) }

  static func isValid(_ signature: Data, for message: Data, verifyingKey: Data) -> Bool {
    guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: verifyingKey) else {
      return false
    }
    return key.isValidSignature(signature, for: message)
  }

  private static func message(_ realm: Data, _ account: String, _ attempt: Data) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: "atrest.keyserver.proof.v1")
    writer.fixed(realm)
    writer.counted(utf8: account)
    writer.fixed(attempt)
    return writer.data
  }
}

extension Purpose {
  fileprivate static let hardenedKey = Purpose("atrest.keyserver.hardened-key.v1")
  fileprivate static let proofKey = Purpose("atrest.keyserver.proof-key.v1")
  fileprivate static let carryingKey = Purpose("atrest.keyserver.carrying-key.v1")
}
