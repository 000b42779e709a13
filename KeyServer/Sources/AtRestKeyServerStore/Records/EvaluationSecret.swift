import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The bytes of a private evaluation key with its suite.
struct EvaluationSecret: Sendable {
  let suite: EvaluationSuite
  private let holder: SecretHolder

  /// Creates a random key of the suite that new accounts have, or of another one.
  init(_ suite: EvaluationSuite = .current) {
    self.init(suite, EvaluationKey(suite).privateKey)
  }

  init(_ suite: EvaluationSuite, _ bytes: consuming SecretBytes) {
    self.suite = suite
    holder = SecretHolder(bytes)
  }

  init(_ suite: EvaluationSuite, reading reader: inout MessageReader) throws {
    self.init(suite, try reader.secret(suite.privateKeyCount))
  }

  func write(to writer: inout MessageWriter) {
    writer.integer(suite.rawValue)
    writer.fixed(holder.bytes)
  }

  /// The key. To restore one takes a multiplication.
  var key: EvaluationKey {
    get throws { try EvaluationKey(suite, privateKey: holder.bytes) }
  }

  /// Signs a successor with this key.
  func successor(_ next: EvaluationSecret, realm: Data, account: String) throws -> Successor {
    try Successor(next.key.publicKey, of: holder.bytes, realm: realm, account: account)
  }
}
