import AtRestKeyServerProtocol
import Foundation

/// Accounts whose attempts strangers have used up. What follows from that is done later, because the
/// strangers' requests have to do the same for names without an account.
struct UsedUpAccounts: Sendable {
  /// The names of accounts whose last attempt was made.
  var usedUp: Set<String> = []
  /// The names of accounts at which an attempt beyond the last one was made, and whose key is to be
  /// destroyed.
  var exceeded: Set<String> = []

  var names: Set<String> { usedUp.union(exceeded) }

  mutating func add(_ others: UsedUpAccounts) {
    usedUp.formUnion(others.usedUp)
    exceeded.formUnion(others.exceeded)
  }

  /// The part of one account.
  func only(_ name: String) -> UsedUpAccounts {
    UsedUpAccounts(usedUp: usedUp.intersection([name]), exceeded: exceeded.intersection([name]))
  }
}

extension KeyServerStore {
  /// Writes attempts that strangers have used up to the audit log, and destroys keys where the policy
  /// says so. Attempts of an account's own devices have their consequences at once.
  ///
  /// The names are in memory. If a server is killed before, the entry is lost, and the key is
  /// destroyed after the next attempt beyond the limit. A name that fails does not keep the others
  /// from being settled, and is tried again with the next call.
  package func settleAttempts() throws {
    let due = usedUpAccounts.withLock { names in
      defer { names = UsedUpAccounts() }
      return names
    }
    var failure: (any Error)?
    for name in due.names {
      do {
        try transaction { try $0.settle(name, due) }
      } catch {
        usedUpAccounts.withLock { $0.add(due.only(name)) }
        failure = error
      }
    }
    if let failure { throw failure }
  }
}

extension Transaction {
  fileprivate func settle(_ name: String, _ due: UsedUpAccounts) throws {
    let account = store.accountID(name)
    let attempts = try attempts(store.attemptsID(account), locked: true)
    // The owner or the operator may have reset them meanwhile.
    guard attempts.pending.count >= store.rules.limit else { return }
    // The account is locked before the log.
    let destroyed = due.exceeded.contains(name) ? try destroyKey(of: account) : nil
    if due.usedUp.contains(name) { try log("attempts used up by unknown devices: \(name)") }
    if let destroyed { try log(destroyed) }
  }

  /// Destroys the key of an account whose policy says so.
  ///
  /// - Returns: The event for the audit log, or nil if the key was destroyed before.
  func destroyKey(of account: Data) throws -> String? {
    guard let row = try row(.accounts, account, locked: true) else { return nil }
    var record = try AccountRecord(row)
    guard record.policy.destroysKey, record.evaluationKey != nil else { return nil }
    record.evaluationKey = nil
    record.verifyingKey = nil
    try update(.accounts, row, contents: record.contents)
    return "key destroyed after too many attempts: \(record.account)"
  }
}
