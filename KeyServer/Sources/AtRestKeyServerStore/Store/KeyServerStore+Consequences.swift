import AtRestKeyServerProtocol
import Foundation

/// The consequences of strangers' attempts at an account. They are drawn later, because the requests have to do the
/// same for names without an account.
extension KeyServerStore {
  /// Writes to the audit log which accounts' attempts strangers have used up. Attempts of an account's own devices
  /// have their consequences at once.
  ///
  /// The names are in memory. If a server is killed before, the entry is lost. A name that fails does not keep the
  /// others from being settled, and is tried again with the next call.
  package func settleAttempts() throws {
    let due = usedUpAccounts.withLock { names in
      defer { names = [] }
      return names
    }
    var failure: (any Error)?
    for name in due {
      do {
        try transaction { try $0.settle(name) }
      } catch {
        usedUpAccounts.withLock { _ = $0.insert(name) }
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension Transaction {
  fileprivate func settle(_ name: String) throws {
    let attempts = try attempts(store.strangersID(store.accountID(name)), locked: true)
    // A stranger with the passphrase, or the operator, may have reset them meanwhile.
    guard attempts[AttemptCounter.stranger].pending.count >= store.rules.limit else { return }
    try log("attempts used up by unknown devices: \(name)")
  }

  /// Destroys the key of an account whose policy says so.
  ///
  /// - Returns: The event for the audit log, or nil if the key was destroyed before.
  func destroyKey(of account: Data) throws -> String? {
    guard let row = try row(.accounts, account, locked: true) else { return nil }
    var record = try AccountRecord(row)
    guard record.policy.destroysKey, record.evaluationKey != nil else { return nil }
    record.replaceKey(with: nil)
    try update(.accounts, row, contents: record.contents)
    return "key destroyed after too many attempts: \(record.account)"
  }
}
