import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The operator's view of accounts.
extension KeyServerStore {
  /// A description of an account, without secrets.
  package struct AccountDescription: Sendable {
    package let name: String
    package let policy: AccountPolicy
    /// The suite of the evaluation key, or nil if the key was destroyed.
    package let suite: EvaluationSuite?
    package let isRevoked: Bool
    package let hasPassphrase: Bool
    package let isKeyDestroyed: Bool
    /// The attempts since the last proof of each device, and those of strangers.
    package let attempts: Int
    /// The attempts of the account's devices in the present year that were not proved.
    package let attemptsOfYear: Int
    /// The latest time before which a device, or a stranger, has to wait; or nil.
    package let lockedUntil: Date?
  }

  /// Creates an account.
  ///
  /// - Throws: ``AtRestError/Code/duplicate``; ``AtRestError/Code/invalidArgument`` for a name that
  ///   is empty or longer than 255 bytes.
  package func createAccount(
    _ name: String, policy: AccountPolicy = AccountPolicy(), suite: EvaluationSuite = .current
  ) throws {
    guard (1...Limits.account).contains(name.utf8.count) else {
      throw AtRestError(
        .invalidArgument, "The name of an account has 1 to \(Limits.account) bytes.",
        remedy: "Choose another name.")
    }
    let record = AccountRecord(account: name, policy: policy, suite: suite)
    try transaction { transaction in
      let inserted = try transaction.insert(
        .accounts, id: accountID(name), owner: Data(), contents: record.contents)
      guard inserted else {
        throw AtRestError(
          .duplicate, "The account exists already.", remedy: "Choose another name.")
      }
      try transaction.log("account created: \(name)")
    }
  }

  /// Returns the accounts, in no particular order.
  package func accounts() throws -> [AccountDescription] {
    try transaction { transaction in
      var found: [AccountDescription] = []
      try transaction.forEach(.accounts) { row in
        guard row.id != Table.lastAccountID else { return }
        let record = try AccountRecord(row)
        let attempts = try transaction.attempts(attemptsID(row.id))
        let strangers = try transaction.attempts(strangersID(row.id))
        let lockedUntil = max(attempts.lockedUntil, strangers.lockedUntil)
        found.append(
          AccountDescription(
            name: record.account, policy: record.policy, suite: record.evaluationKey?.suite,
            isRevoked: record.isRevoked,
            hasPassphrase: record.verifyingKey != nil, isKeyDestroyed: record.evaluationKey == nil,
            attempts: attempts.pendingCount + strangers.pendingCount,
            attemptsOfYear: Int(attempts.yearly.count),
            lockedUntil: lockedUntil > steadyClock()
              ? Date(timeIntervalSince1970: Double(lockedUntil) / 1000) : nil))
      }
      return found
    }
  }

  /// Revokes an account with all its devices, or reverses that.
  package func setAccount(_ name: String, revoked: Bool) throws {
    try transaction { transaction in
      let made = try transaction.lockAttempts(name)
      let row = try transaction.account(name, locked: true)
      var record = try AccountRecord(row)
      record.isRevoked = revoked
      try transaction.update(.accounts, row, contents: record.contents)
      for id in made { try transaction.delete(.attempts, id) }
      try transaction.log("account \(revoked ? "revoked" : "restored"): \(name)")
    }
  }

  /// Forgets the attempts of an account, so that its owner can try again.
  package func unlockAccount(_ name: String) throws {
    try transaction { transaction in
      try transaction.deleteAttempts(name)
      _ = try transaction.account(name, locked: true)
      try transaction.log("account unlocked: \(name)")
    }
  }

  /// Destroys the evaluation key and the proof of the passphrase, and makes a new key. What was
  /// sealed under the former passphrase can never be opened again.
  package func resetPassphrase(of name: String) throws {
    try transaction { transaction in
      try transaction.deleteAttempts(name)
      let row = try transaction.account(name, locked: true)
      var record = try AccountRecord(row)
      record.replaceKey(with: EvaluationSecret())
      try transaction.update(.accounts, row, contents: record.contents)
      try transaction.log("passphrase reset: \(name)")
    }
  }

  /// Deletes an account with its devices and keys.
  package func deleteAccount(_ name: String) throws {
    let id = accountID(name)
    try transaction { transaction in
      var devices: [Data] = []
      try transaction.forEach(.devices, owner: id) { devices.append($0.id) }
      for device in devices { _ = try transaction.row(.devices, device, locked: true) }
      try transaction.deleteAll(.codes, owner: id)
      try transaction.deleteAttempts(name)
      let row = try transaction.account(name, locked: true)
      // With those that were enrolled meanwhile.
      try transaction.forEach(.devices, owner: id) { device in
        try transaction.deleteAll(.keys, owner: device.id)
      }
      try transaction.deleteAll(.devices, owner: id)
      try transaction.deleteAll(.keys, owner: id)
      try transaction.delete(.accounts, row.id)
      try transaction.log("account deleted: \(name)")
    }
  }
}

extension Transaction {
  /// The identifiers of the attempts at an account, in the order in which they are locked.
  private func attemptsIDs(_ name: String) -> [Data] {
    let account = store.accountID(name)
    return [store.attemptsID(account), store.strangersID(account)].sorted {
      $0.lexicographicallyPrecedes($1)
    }
  }

  /// Locks the attempts at an account, even if there are none, before the account is locked. No attempt is counted
  /// until the transaction ends, so none is evaluated as the account was before.
  ///
  /// - Returns: The rows that were made for that, and are to be deleted.
  fileprivate func lockAttempts(_ name: String) throws -> [Data] {
    let contents = AttemptsRecord().contents
    var made: [Data] = []
    for id in attemptsIDs(name) {
      if try insert(.attempts, id: id, owner: Data(), contents: contents) {
        made.append(id)
      } else {
        _ = try row(.attempts, id, locked: true)
      }
    }
    return made
  }

  fileprivate func deleteAttempts(_ name: String) throws {
    _ = try lockAttempts(name)
    for id in attemptsIDs(name) { try delete(.attempts, id) }
    changes.addForgotten(attempts: store.attemptsID(store.accountID(name)))
  }
}
