import AtRestKeyServerProtocol
import Foundation

/// Accounts whose attempts strangers have used up. What follows from that is done later, because the
/// strangers' requests have to do the same for names without an account.
struct UsedUpAccounts: Sendable {
  /// The names of accounts whose last attempt was made.
  var usedUp: Set<String> = []
  /// The names of accounts at which an attempt beyond the last one was made.
  var exceeded: Set<String> = []

  mutating func add(_ others: UsedUpAccounts) {
    usedUp.formUnion(others.usedUp)
    exceeded.formUnion(others.exceeded)
  }
}

extension KeyServerStore {
  /// Writes used-up attempts to the audit log, and destroys keys where the policy says so. Both are
  /// about attempts of strangers: those of an account's own devices have their consequences at once.
  ///
  /// The names are in memory. A server that ends without calling this forgets them, until the next
  /// attempt beyond the limit.
  package func settleAttempts() throws {
    let due = usedUpAccounts.withLock { names in
      defer { names = UsedUpAccounts() }
      return names
    }
    do {
      for name in due.usedUp.union(due.exceeded) {
        try transaction { try $0.settle(name, due) }
      }
    } catch {
      usedUpAccounts.withLock { $0.add(due) }
      throw error
    }
  }
}

extension Transaction {
  fileprivate func settle(_ name: String, _ due: UsedUpAccounts) throws {
    let account = store.accountID(name)
    let attempts = try attempts(store.attemptsID(account), locked: true)
    // The owner or the operator may have reset them meanwhile.
    guard attempts.pending.count >= store.rules.limit else { return }
    if due.usedUp.contains(name) { try log("attempts used up by unknown devices: \(name)") }
    if due.exceeded.contains(name) { try destroyKey(of: account) }
  }

  /// Destroys the key of an account whose policy says so, if it was not destroyed before.
  func destroyKey(of account: Data) throws {
    guard let row = try row(.accounts, account, locked: true) else { return }
    var record = try AccountRecord(row)
    guard record.policy.destroysKey, record.evaluationKey != nil else { return }
    record.evaluationKey = nil
    record.verifyingKey = nil
    try update(.accounts, row, contents: record.contents)
    try log("key destroyed after too many attempts: \(record.account)")
  }
}
