import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The account that a request names, as its caller may see it: a decoy stands in for an account that
/// does not exist, was revoked, or does not answer this caller.
struct VisibleAccount {
  let name: String
  let id: Data
  /// The record of the account, or of the decoy.
  let record: AccountRecord
  /// The key to evaluate with, in the suite of the request. nil if it was destroyed and the caller is a device of the
  /// account. Whoever asks for another suite than the account's gets the decoy's.
  let evaluationKey: EvaluationSecret?
  /// True if the caller is a device of the account that has not heard of its move to another suite.
  let isMoved: Bool
  /// True if the caller is a device of the account.
  let isOwn: Bool
  /// False for a decoy.
  let isReal: Bool

  /// - Parameters:
  ///   - suite: The suite of the request.
  ///   - nearest: The row that ``Row/selectFirst(_:from:)`` found. It is opened whether it is the
  ///     account's or another one's, so both take as long.
  ///   - caller: The device that signed the request, or nil.
  /// - Throws: ``AtRestError/Code/revoked`` for a device of the account;
  ///   ``AtRestError/Code/damaged``.
  init(
    _ name: String, id: Data, in suite: EvaluationSuite, _ nearest: Row.Sealed?, _ caller: Caller?,
    _ transaction: Transaction
  ) throws {
    let keys = transaction.keys
    self.name = name
    self.id = id
    // The same for all names: without an account, there must be no row in the ledger either.
    try transaction.check(.accounts, id, nearest?.id == id ? nearest?.stamp : nil)
    let decoy = AccountRecord(decoy: name, key: EvaluationSecret(decoy: name, in: suite, keys))
    var found: Result<AccountRecord, any Error>?
    if let nearest {
      do {
        found = .success(try AccountRecord(nearest.opened(.accounts, keys)))
      } catch {
        found = .failure(error)
      }
    }
    // The row of another account has no influence, even if it is damaged.
    let account = try nearest?.id == id ? found?.get() : nil
    isOwn = account != nil && caller?.account == id
    if let account, isOwn, account.isRevoked {
      throw AtRestError(.revoked, "The account was revoked.", remedy: "Ask the operator.")
    }
    if let account, !account.isRevoked, isOwn || account.policy.allowsUnknownDevices {
      isReal = true
      record = account
      let key = account.key(in: suite, isOwn: isOwn)
      evaluationKey = key ?? (isOwn && account.evaluationKey == nil ? nil : decoy.evaluationKey)
      isMoved = isOwn && key == nil && account.isMoved(from: suite)
    } else {
      isReal = false
      record = decoy
      evaluationKey = decoy.evaluationKey
      isMoved = false
    }
  }
}

extension EvaluationSecret {
  /// Creates the evaluation key that an account that does not exist has in a suite.
  fileprivate init(decoy account: String, in suite: EvaluationSuite, _ keys: RowKeys) {
    self.init(suite, suite.privateKey(from: keys.decoy(account: account, suite)))
  }
}

extension KeyServerStore {
  /// The identifier of the attempts of an account's devices.
  func attemptsID(_ account: Data) -> Data { keys.identifier(.attempts, account) }

  /// The identifier of the attempts of strangers at an account that is open to them. They have a row of their own,
  /// which exists from an attempt to a proof, so that it tells nothing about the account's own use.
  func strangersID(_ account: Data) -> Data {
    keys.identifier(.attempts, account, Data("strangers".utf8))
  }

  /// The identifier of the attempts at an account, as its caller sees it.
  func attemptsID(_ account: VisibleAccount) -> Data {
    if account.isOwn { return attemptsID(account.id) }
    return account.isReal
      ? strangersID(account.id) : keys.identifier(.attempts, account.id, Data("decoy".utf8))
  }
}

extension Transaction {
  /// Reads the account that a request names.
  func visibleAccount(_ name: String, _ caller: Caller?) throws -> VisibleAccount {
    let id = store.accountID(name)
    let rows = try connection.run([Row.selectFirst(.accounts, from: id)])[0]
    return try VisibleAccount(
      name, id: id, in: .current, rows.first.map { Row.Sealed($0) }, caller, self)
  }
}
