import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Counting of attempts. Those that arrive while a transaction runs are counted together in the
/// next one.
extension KeyServerStore {
  /// Counts an attempt, and returns the key to evaluate it with. The count is durable when the call
  /// returns.
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
        account: evaluation.account, id: accountID(evaluation.account), signature: signature)
    ) { try count($0) }
  }

  /// Counts attempts of different accounts by different devices in one transaction, with three
  /// round trips to the database.
  private func count(_ requests: [AttemptRequest]) throws
    -> [Result<CountedAttempt, AtRestError>]
  {
    // All transactions lock rows in the same order.
    let devices = requests.compactMap { $0.signature?.request.device }.sorted(by: <)
    return try database.transaction { connection, begin in
      let transaction = Transaction(connection: connection, store: self, now: clock())
      let lock = connection.lockClause
      let found = try connection.run(
        [begin] + devices.map { Row.select(.devices, $0, lock: lock) }
          + requests.map { Row.selectFirst(.accounts, from: $0.id) }
      ).dropFirst().map { $0.first.map { Row.Sealed($0) } }
      let deviceRows = Dictionary(zip(devices, found)) { first, _ in first }
      let accountRows = found.suffix(requests.count)

      var callers = try zip(requests, accountRows).map { request, account in
        try AttemptCaller(request, account, deviceRows, self)
      }
      try transaction.lockAttempts(of: &callers)
      let outcomes = try callers.map { try count($0, transaction) }
      return (outcomes.map(\.result), outcomes.flatMap(\.statements))
    }
  }

  private func count(
    _ caller: AttemptCaller, _ transaction: Transaction
  ) throws -> (result: Result<CountedAttempt, AtRestError>, statements: [Statement]) {
    var statements = caller.authentication.map { [$0] } ?? []
    let account: VisibleAccount
    switch caller.account {
    case .success(let visible): account = visible
    case .failure(let refusal): return (.failure(refusal), statements)
    }
    guard let row = caller.attempts else {
      throw DatabaseError(kind: .collision, message: "The attempts were deleted meanwhile.")
    }
    var attempts = try AttemptsRecord(row)
    if attempts.lockedUntil > transaction.now {
      return (.failure(Self.throttled(until: attempts.lockedUntil)), statements)
    }
    let refusal =
      account.isOwn && account.record.policy.destroysKey
      ? Self.keyDestroyed : Self.throttled(until: nil)
    guard attempts.pending.count < rules.limit else {
      if !attempts.isExceeded {
        attempts.isExceeded = true
        try transaction.exceedLimit(of: account)
        statements.append(try row.update(.attempts, contents: attempts.contents, keys))
      }
      return (.failure(refusal), statements)
    }
    let attempt = RandomBytes.data(count: Limits.identifier)
    attempts.pending.append(attempt)
    let delay = rules.delay(after: attempts.pending.count)
    attempts.lockedUntil = delay == 0 ? 0 : transaction.now + delay * 1000
    statements.append(try row.update(.attempts, contents: attempts.contents, keys))
    if attempts.pending.count == rules.limit {
      try transaction.log("attempts used up: \(account.logName)")
    }
    guard let key = account.record.evaluationKey else { return (.failure(refusal), statements) }
    return (
      .success(
        CountedAttempt(
          attempt: attempt, remaining: UInt16(rules.limit - attempts.pending.count), key: key)),
      statements
    )
  }
}

/// An attempt that is to be counted.
struct AttemptRequest: Sendable {
  let account: String
  let id: Data
  let signature: RequestSignature?

  /// The identifiers of the rows that are locked for it.
  var names: [Data] { [id] + (signature.map { [$0.request.device] } ?? []) }
}

/// A request for an attempt with what is known about its account and its caller.
private struct AttemptCaller {
  /// The account, or why the request was refused.
  let account: Result<VisibleAccount, AtRestError>
  /// The statement that stores the sequence number of a signed request. That of a refused request is
  /// not stored.
  private(set) var authentication: Statement?
  /// The row with the attempts, which is locked.
  var attempts: Row?

  init(
    _ request: AttemptRequest, _ nearest: Row.Sealed?, _ devices: [Data: Row.Sealed?],
    _ store: KeyServerStore
  ) throws {
    do {
      var caller: Caller?
      var statement: Statement?
      if let signature = request.signature {
        let device = try devices[signature.request.device]??.opened(.devices, store.keys)
        (caller, statement) = try store.authenticate(signature, device)
      }
      account = .success(
        try VisibleAccount(request.account, id: request.id, nearest, caller, store.keys))
      authentication = statement
    } catch let error as AtRestError {
      // The others of the same transaction are counted all the same.
      account = .failure(error)
    }
  }
}

extension Transaction {
  /// Reads the rows of the attempts of several callers, locked, and makes those that are missing.
  fileprivate func lockAttempts(of callers: inout [AttemptCaller]) throws {
    let accounts = callers.compactMap { try? $0.account.get() }
    let decoys = Dictionary(accounts.map { (store.attemptsID($0), !$0.isReal) }) { first, _ in first
    }
    let ids = decoys.keys.sorted(by: <)
    let inserts = try ids.map {
      try Row.insert(
        .attempts, id: $0, owner: Data(),
        contents: AttemptsRecord(isDecoy: decoys[$0] ?? true).contents, time: now, store.keys)
    }
    let selects = ids.map { Row.select(.attempts, $0, lock: connection.lockClause) }
    var rows: [Data: Row] = [:]
    for found in try connection.run(inserts + selects).dropFirst(inserts.count) {
      guard let values = found.first else { continue }
      let row = try Row.Sealed(values).opened(.attempts, store.keys)
      rows[row.id] = row
    }
    for index in callers.indices {
      guard let account = try? callers[index].account.get() else { continue }
      callers[index].attempts = rows[store.attemptsID(account)]
    }
  }
}

extension Data {
  fileprivate static func < (a: Data, b: Data) -> Bool { a.lexicographicallyPrecedes(b) }
}
