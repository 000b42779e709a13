import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Counting of attempts. Those that arrive while a transaction runs are counted together in the
/// next one.
extension KeyServerStore {
  /// Counts an attempt, and returns the key to evaluate it with. The count is durable when the call
  /// returns. Each device of the account has a count of its own, and all strangers have one together.
  ///
  /// A request for an account that does not exist, or that the caller may not use, is counted in
  /// the same way and gets a key that depends only on the name.
  ///
  /// - Throws: ``AtRestError/Code/throttled`` with a ``RetryTime`` as its cause;
  ///   ``AtRestError/Code/keyDestroyed`` for a device of the account; the errors of
  ///   authentication.
  package func count(_ evaluation: Evaluation, _ signature: RequestSignature?) throws
    -> CountedAttempt
  {
    try attemptQueue.count(
      AttemptRequest(
        account: evaluation.account, id: accountID(evaluation.account),
        suite: evaluation.element.suite, signature: signature)
    ) { try count($0) }
  }

  /// Counts attempts of different accounts by different devices in one transaction, with three
  /// round trips to the database.
  ///
  /// All transactions lock rows in the same order: devices, codes, attempts, accounts, keys, the
  /// state.
  private func count(_ requests: [AttemptRequest]) throws
    -> [Result<CountedAttempt, AtRestError>]
  {
    let devices = requests.compactMap { $0.signature?.request.device }.sorted(by: <)
    let (results, usedUp, changes) = try database.joinedTransaction { connection, begin in
      let lock = connection.lockClause
      let opening = opening(connection, begin)
      let all = try connection.run(
        opening + devices.map { Row.select(.devices, $0, lock: lock) }
          + requests.map { Row.selectFirst(.accounts, from: $0.id) })
      let transaction = try opened(connection, all[opening.count - 1])
      let found = all.dropFirst(opening.count).map { $0.first.map { Row.Sealed($0) } }
      let deviceRows = Dictionary(zip(devices, found)) { first, _ in first }
      let accountRows = found.suffix(requests.count)

      var callers = try zip(requests, accountRows).map { request, account in
        try AttemptCaller(request, account, deviceRows, transaction)
      }
      try transaction.lockAttempts(of: &callers)
      var consequences = Consequences()
      let outcomes = try callers.map { caller in
        try count(caller, transaction, now: steadyClock(), &consequences)
      }
      for account in consequences.accountsToDestroy.sorted(by: <) {
        if let event = try transaction.destroyKey(of: account) { consequences.events.append(event) }
      }
      for event in consequences.events { try transaction.log(event) }
      try transaction.finish()
      return (
        (outcomes.map(\.result), consequences.usedUpAccounts, transaction.changes),
        outcomes.flatMap(\.statements)
      )
    }
    note(changes)
    usedUpAccounts.withLock { $0.formUnion(usedUp) }
    return results
  }

  /// The effects of the attempts of a transaction.
  private struct Consequences {
    var events: [String] = []
    var accountsToDestroy: [Data] = []
    /// The names of accounts at which strangers have made their last attempt.
    var usedUpAccounts: Set<String> = []
  }

  private func count(
    _ caller: AttemptCaller, _ transaction: Transaction, now: Int64,
    _ consequences: inout Consequences
  ) throws -> (result: Result<CountedAttempt, AtRestError>, statements: [Statement]) {
    var statements: [Statement] = []
    if let (statement, request) = caller.authentication {
      statements.append(statement)
      transaction.changes.add(number: request.sequence, of: request.device)
    }
    let account: VisibleAccount
    let row: Row
    var attempts: AttemptsRecord
    do {
      (account, row, attempts) = try caller.opened()
      if account.isOwn {
        try transaction.checkNumber(attempts.made, of: row.id, "count of an account's attempts")
      }
    } catch let error as AtRestError {
      return (.failure(error), statements)
    }
    // Nothing would be evaluated, so nothing is counted.
    if account.isMoved { return (.failure(Self.moved), statements) }
    var counter = attempts[caller.counter]
    if counter.lockedUntil > now {
      if counter.bound(to: 1000 * rules.delay(after: counter.pending.count), now: now) {
        try attempts.set(counter)
        statements.append(try row.update(.attempts, contents: attempts.contents, transaction.keys))
      }
      return (.failure(throttled(for: counter.lockedUntil - now)), statements)
    }
    let policy = account.record.policy
    // A stranger can use up the attempts of strangers, and cannot destroy anything.
    let destroysKey = account.isOwn && policy.destroysKey
    let refusal = destroysKey ? Self.keyDestroyed : throttled(for: nil)
    guard counter.pending.count < rules.limit else {
      if destroysKey { consequences.accountsToDestroy.append(account.id) }
      return (.failure(refusal), statements)
    }
    let wasAhead = attempts.boundYear(to: now)
    if account.isOwn, attempts.yearly.isUsedUp(policy.attemptsPerYear, now: now) {
      if wasAhead {
        statements.append(try row.update(.attempts, contents: attempts.contents, transaction.keys))
      }
      return (.failure(throttled(for: attempts.yearly.end - now)), statements)
    }
    let attempt = RandomBytes.data(count: Limits.identifier)
    do throws(AtRestError) {
      try attempts.add(
        attempt, to: &counter, delay: 1000 * rules.delay(after: counter.pending.count + 1),
        isOwn: account.isOwn, now: now)
    } catch {
      return (.failure(error), statements)
    }
    statements.append(try row.update(.attempts, contents: attempts.contents, transaction.keys))
    if account.isOwn { transaction.changes.add(number: attempts.made, of: row.id) }
    if counter.pending.count == rules.limit, account.isOwn {
      consequences.events.append("attempts used up: \(account.name)")
    } else if counter.pending.count == rules.limit, account.isReal {
      consequences.usedUpAccounts.insert(account.name)
    }
    if account.isOwn, policy.attemptsPerYear > 0, attempts.yearly.count == policy.attemptsPerYear {
      consequences.events.append("attempts of the year used up: \(account.name)")
    }
    guard let key = account.evaluationKey else { return (.failure(refusal), statements) }
    return (
      .success(
        CountedAttempt(
          attempt: attempt, remaining: UInt16(rules.limit - counter.pending.count),
          isOwn: account.isOwn, key: key)),
      statements
    )
  }
}

/// An attempt that is to be counted.
struct AttemptRequest: Sendable {
  let account: String
  let id: Data
  let suite: EvaluationSuite
  let signature: RequestSignature?

  /// The identifiers of the rows that are locked for it.
  var names: [Data] { [id] + (signature.map { [$0.request.device] } ?? []) }
}

/// A request for an attempt with what is known about its account and its caller.
private struct AttemptCaller {
  let id: Data
  /// The sealed row of the account. nil if the account does not exist.
  let box: Data?
  /// The identifier of the counter: that of a device of the account, or of strangers.
  private(set) var counter = AttemptCounter.stranger
  /// The account with the identifier of its attempts, or why the request was refused.
  let account: Result<(VisibleAccount, attemptsID: Data), AtRestError>
  /// The statement that stores the sequence number of a signed request, with the request; nil if the
  /// request was refused.
  private(set) var authentication: (Statement, SignedRequest)?
  /// The row with the attempts, which is locked.
  var attempts: Result<Row, AtRestError>?

  init(
    _ request: AttemptRequest, _ nearest: Row.Sealed?, _ devices: [Data: Row.Sealed?],
    _ transaction: Transaction
  ) throws {
    let store = transaction.store
    id = request.id
    box = nearest?.box(of: request.id)
    do {
      var caller: Caller?
      var authentication: (Statement, SignedRequest)?
      if let signature = request.signature {
        let sealed = devices[signature.request.device] ?? nil
        try transaction.check(.devices, signature.request.device, sealed?.stamp)
        let device = try sealed?.opened(.devices, transaction.keys)
        let (found, statement) = try store.authenticate(signature, device, transaction)
        caller = found
        authentication = (statement, signature.request)
      }
      let visible = try VisibleAccount(
        request.account, id: request.id, in: request.suite, nearest, caller, transaction)
      if visible.isOwn, let caller { counter = caller.device }
      account = .success((visible, store.attemptsID(visible)))
      self.authentication = authentication
    } catch let error as AtRestError {
      // The others of the same transaction are counted all the same.
      account = .failure(error)
    }
  }

  func opened() throws(AtRestError) -> (VisibleAccount, Row, AttemptsRecord) {
    let account = try account.get().0
    guard let row = try attempts?.get() else { throw Self.unreadable }
    do {
      return (account, row, try AttemptsRecord(row))
    } catch {
      throw error as? AtRestError ?? Self.unreadable
    }
  }

  // The client is not told that it is not enrolled, because it would enrol again.
  private static let unreadable = AtRestError(
    .system, "The attempts of an account cannot be read.", remedy: "Try again later.")
}

extension Row.Sealed {
  /// The sealed contents, or nil if this is the row of something else.
  fileprivate func box(of id: Data) -> Data? { self.id == id ? box : nil }
}

extension Transaction {
  /// Reads the rows of the attempts of several callers, locked, and makes those that are missing.
  fileprivate func lockAttempts(of callers: inout [AttemptCaller]) throws {
    let accounts = callers.compactMap { try? $0.account.get() }.sorted {
      $0.attemptsID < $1.attemptsID
    }
    let inserts = try accounts.map { account, id in
      try Row.insert(
        .attempts, id: id, owner: Data(),
        contents: AttemptsRecord(isDecoy: !account.isReal).contents, time: now, keys)
    }
    let selects = accounts.map { Row.select(.attempts, $1, lock: connection.lockClause) }
    let checks = callers.map { Row.selectFirst(.accounts, from: $0.id) }
    let found = try connection.run(inserts + selects + checks).dropFirst(inserts.count)
      .map { $0.first.map { Row.Sealed($0) } }
    // The operator may have changed an account before its attempts were locked, and nothing may be
    // evaluated with a key that was replaced.
    for (caller, account) in zip(callers, found.suffix(callers.count))
    where caller.box != account?.box(of: caller.id) {
      throw DatabaseError(kind: .collision, message: "An account was changed meanwhile.")
    }
    var rows: [Data: Row.Sealed] = [:]
    for case let row? in found.prefix(selects.count) { rows[row.id] = row }
    for index in callers.indices {
      guard let id = try? callers[index].account.get().attemptsID else { continue }
      guard let row = rows[id] else {
        throw DatabaseError(kind: .collision, message: "The attempts were deleted meanwhile.")
      }
      do {
        callers[index].attempts = .success(try row.opened(.attempts, keys))
      } catch let error as AtRestError {
        callers[index].attempts = .failure(error)
      }
    }
  }
}

extension Data {
  fileprivate static func < (a: Data, b: Data) -> Bool { a.lexicographicallyPrecedes(b) }
}
