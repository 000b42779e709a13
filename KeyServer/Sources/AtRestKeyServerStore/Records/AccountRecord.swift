import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// An account: one passphrase, and the devices and keys of one user.
struct AccountRecord: Record {
  static let name = "An account"

  var account: String
  /// The private evaluation key, or nil if it was destroyed.
  var evaluationKey: SecretHolder?
  /// The public key that verifies proofs of the passphrase, or nil if none was set.
  var verifyingKey: Data?
  var isRevoked = false
  var policy: AccountPolicy

  init(account: String, policy: AccountPolicy) {
    self.account = account
    self.policy = policy
    evaluationKey = SecretHolder(EvaluationKey().privateKey)
  }

  /// Creates the record that stands in for an account that does not exist.
  init(decoy account: String, key: consuming SecretBytes) {
    self.account = account
    policy = AccountPolicy()
    evaluationKey = SecretHolder(key)
  }

  init(reading reader: inout MessageReader) throws {
    account = try reader.text(limit: Limits.account)
    evaluationKey =
      try reader.flag()
      ? SecretHolder(try reader.secret(EvaluationKey.privateKeyCount)) : nil
    verifyingKey = try reader.flag() ? try reader.fixed(HardenedRoot.verifyingKeyCount) : nil
    isRevoked = try reader.flag()
    policy = AccountPolicy(
      destroysKey: try reader.flag(), allowsUnknownDevices: try reader.flag(),
      offlineSeconds: try reader.integer(), attemptsPerYear: try reader.integer())
  }

  func write(to writer: inout MessageWriter) {
    writer.counted(utf8: account)
    writer.integer(UInt8(evaluationKey == nil ? 0 : 1))
    if let evaluationKey { writer.fixed(evaluationKey.bytes) }
    writer.integer(UInt8(verifyingKey == nil ? 0 : 1))
    if let verifyingKey { writer.fixed(verifyingKey) }
    writer.integer(UInt8(isRevoked ? 1 : 0))
    writer.integer(UInt8(policy.destroysKey ? 1 : 0))
    writer.integer(UInt8(policy.allowsUnknownDevices ? 1 : 0))
    writer.integer(policy.offlineSeconds)
    writer.integer(policy.attemptsPerYear)
  }
}
