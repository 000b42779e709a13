import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// An account: one passphrase, and the devices and keys of one user.
struct AccountRecord: Record {
  static let name = "An account"

  var account: String
  /// The private evaluation key, or nil if it was destroyed.
  var evaluationKey: EvaluationSecret?
  /// The public key that verifies proofs of the passphrase, or nil if none was set.
  var verifyingKey: Data?
  /// The move from an older suite, or nil if the account has not begun one.
  var succession: Succession?
  var isRevoked = false
  var policy: AccountPolicy

  init(account: String, policy: AccountPolicy, suite: EvaluationSuite = .current) {
    self.account = account
    self.policy = policy
    evaluationKey = EvaluationSecret(suite)
  }

  /// Creates the record that stands in for an account that does not exist.
  init(decoy account: String, key: EvaluationSecret) {
    self.account = account
    policy = AccountPolicy()
    evaluationKey = key
  }

  /// Replaces the evaluation key by a random one, or destroys it. What was sealed under the passphrase is lost.
  mutating func replaceKey(with key: EvaluationSecret?) {
    evaluationKey = key
    verifyingKey = nil
    succession = nil
  }

  init(reading reader: inout MessageReader) throws {
    account = try reader.text(limit: Limits.account)
    // Rows from before there were suites have 1 in this place, a flag, and a key of P384-SHA384.
    evaluationKey = try reader.optionalSuite().map { try EvaluationSecret($0, reading: &reader) }
    verifyingKey = try reader.flag() ? try reader.fixed(HardenedRoot.verifyingKeyCount) : nil
    isRevoked = try reader.flag()
    policy = AccountPolicy(
      destroysKey: try reader.flag(), allowsUnknownDevices: try reader.flag(),
      offlineSeconds: try reader.integer(), attemptsPerYear: try reader.integer())
    succession = reader.remaining > 0 ? try Succession(reading: &reader) : nil
  }

  func write(to writer: inout MessageWriter) {
    writer.counted(utf8: account)
    if let evaluationKey { evaluationKey.write(to: &writer) } else { writer.integer(UInt8(0)) }
    writer.integer(UInt8(verifyingKey == nil ? 0 : 1))
    if let verifyingKey { writer.fixed(verifyingKey) }
    writer.integer(UInt8(isRevoked ? 1 : 0))
    writer.integer(UInt8(policy.destroysKey ? 1 : 0))
    writer.integer(UInt8(policy.allowsUnknownDevices ? 1 : 0))
    writer.integer(policy.offlineSeconds)
    writer.integer(policy.attemptsPerYear)
    succession?.write(to: &writer)
  }
}
