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
          + requests.map { Row.select(.accounts, $0.id) }
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
    guard let account = caller.account, let row = caller.attempts else {
      return (.failure(caller.refusal ?? Self.notEnrolled), statements)
    }
    var attempts = try AttemptsRecord(row)
    if attempts.lockedUntil > transaction.now {
      return (.failure(Self.throttled(until: attempts.lockedUntil)), statements)
    }
    guard attempts.pending.count < rules.limit else {
      if caller.isReal, account.policy.destroysKey, account.evaluationKey != nil {
        try transaction.destroyKey(of: caller.name)
      }
      let isDestroyed = caller.isOwn && account.policy.destroysKey
      return (
        .failure(isDestroyed ? Self.keyDestroyed : Self.throttled(until: nil)), statements
      )
    }
    let attempt = RandomBytes.data(count: Limits.identifier)
    attempts.pending.append(attempt)
    let delay = rules.delay(after: attempts.pending.count)
    attempts.lockedUntil = delay == 0 ? 0 : transaction.now + delay * 1000
    statements.append(try row.update(.attempts, contents: attempts.contents, keys))
    if caller.isReal, attempts.pending.count == rules.limit {
      try transaction.log("attempts used up: \(caller.name)")
    }
    guard let realKey = account.evaluationKey else {
      return (
        .failure(caller.isOwn ? Self.keyDestroyed : Self.throttled(until: nil)), statements
      )
    }
    let decoyKey = SecretHolder(keys.decoyKey(account: caller.name))
    return (
      .success(
        CountedAttempt(
          attempt: attempt, remaining: UInt16(rules.limit - attempts.pending.count),
          key: caller.isReal ? realKey : decoyKey)), statements
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
  let name: String
  /// nil if the request was refused.
  private(set) var account: AccountRecord?
  private(set) var refusal: AtRestError?
  private(set) var isOwn = false
  /// True if the attempt is one at the account, and not at a decoy.
  private(set) var isReal = false
  let attemptsID: Data
  /// The owner of the row with the attempts, by which those of unknown accounts are pruned.
  let attemptsOwner: Data
  /// The statement that stores the sequence number of a signed request.
  private(set) var authentication: Statement?
  /// The row with the attempts, which is locked.
  var attempts: Row?

  init(
    _ request: AttemptRequest, _ row: Row.Sealed?, _ devices: [Data: Row.Sealed?],
    _ store: KeyServerStore
  ) throws {
    name = request.account
    do {
      var caller: Caller?
      if let signature = request.signature {
        let device = try devices[signature.request.device]??.opened(.devices, store.keys)
        (caller, authentication) = try store.authenticate(signature, device)
      }
      let account = try store.accountOrDecoy(row, name, id: request.id)
      isOwn = caller?.account == request.id
      if isOwn, account.isRevoked {
        throw AtRestError(.revoked, "The account was revoked.", remedy: "Ask the operator.")
      }
      isReal = row != nil && !account.isRevoked && (isOwn || account.policy.allowsUnknownDevices)
      self.account = account
    } catch let error as AtRestError {
      // The others of the same transaction are counted all the same. The sequence number of a
      // refused request is not stored.
      refusal = error
      authentication = nil
    }
    attemptsID = isReal ? store.attemptsID(request.id) : store.decoyAttemptsID(request.id)
    attemptsOwner = isReal ? Data() : store.decoyOwner
  }
}

extension Transaction {
  /// Reads the rows of the attempts of several callers, locked, and makes those that are missing.
  fileprivate func lockAttempts(of callers: inout [AttemptCaller]) throws {
    let known = callers.filter { $0.account != nil }
    let ids = known.map(\.attemptsID).sorted(by: <)
    let owners = Dictionary(known.map { ($0.attemptsID, $0.attemptsOwner) }) { first, _ in first }
    let lock = connection.lockClause
    var rows: [Data: Row] = [:]
    func read(_ found: some Sequence<[[DatabaseValue]]>) throws {
      for values in found.compactMap(\.first) {
        let row = try Row.Sealed(values).opened(.attempts, store.keys)
        rows[row.id] = row
      }
    }
    try read(connection.run(ids.map { Row.select(.attempts, $0, lock: lock) }))
    let missing = ids.filter { rows[$0] == nil }
    if !missing.isEmpty {
      let inserts = try missing.map {
        try Row.insert(
          .attempts, id: $0, owner: owners[$0] ?? Data(), contents: AttemptsRecord().contents,
          time: now,
          store.keys)
      }
      try read(
        connection.run(inserts + missing.map { Row.select(.attempts, $0, lock: lock) })
          .dropFirst(inserts.count))
    }
    for index in callers.indices where callers[index].account != nil {
      guard let row = rows[callers[index].attemptsID] else {
        throw DatabaseError(kind: .collision, message: "The attempts were deleted meanwhile.")
      }
      callers[index].attempts = row
    }
  }
}

extension Data {
  fileprivate static func < (a: Data, b: Data) -> Bool { a.lexicographicallyPrecedes(b) }
}
