import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// Hardened passphrases.
extension KeyServerStore {
  /// An attempt that was counted and may now be evaluated.
  package struct CountedAttempt: Sendable {
    let attempt: Data
    let remaining: UInt16
    let key: SecretHolder

    /// Evaluates a blinded element.
    package func evaluate(_ element: Data) throws -> Evaluation.Answer {
      let key = try EvaluationKey(privateKey: key.bytes)
      return Evaluation.Answer(
        attempt: attempt, remaining: remaining, publicKey: key.publicKey,
        evaluation: try key.evaluate(element))
    }
  }

  /// The identifier of the attempts of an account.
  func attemptsID(_ account: Data) -> Data { keys.identifier(.attempts, account) }

  /// The identifier of the attempts at an account that are answered with a decoy.
  private func decoyAttemptsID(_ account: Data) -> Data {
    keys.identifier(.attempts, account, Data("decoy".utf8))
  }

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
    let id = accountID(evaluation.account)
    let attempt = RandomBytes.data(count: Limits.identifier)
    let outcome = try transaction { transaction -> Result<CountedAttempt, AtRestError> in
      let caller = try signature.map { try transaction.authenticate($0) }
      let row = try transaction.row(.accounts, id)
      let account = try row.map(AccountRecord.init) ?? decoy(evaluation.account)
      let isOwn = caller?.account == id
      if isOwn, account.isRevoked {
        throw AtRestError(.revoked, "The account was revoked.", remedy: "Ask the operator.")
      }
      let isReal =
        row != nil && !account.isRevoked && (isOwn || account.policy.allowsUnknownDevices)
      let attemptsRow =
        isReal
        ? try transaction.attemptsRow(attemptsID(id))
        : try transaction.attemptsRow(decoyAttemptsID(id), owner: decoyOwner)
      var attempts = try AttemptsRecord(attemptsRow)
      if attempts.lockedUntil > transaction.now {
        return .failure(Self.throttled(until: attempts.lockedUntil))
      }
      guard attempts.pending.count < rules.limit else {
        if isReal, account.policy.destroysKey, account.evaluationKey != nil {
          try transaction.destroyKey(of: evaluation.account)
        }
        return .failure(
          isOwn && account.policy.destroysKey ? Self.keyDestroyed : Self.throttled(until: nil))
      }
      attempts.pending.append(attempt)
      let delay = rules.delay(after: attempts.pending.count)
      attempts.lockedUntil = delay == 0 ? 0 : transaction.now + delay * 1000
      try transaction.update(.attempts, attemptsRow, contents: attempts.contents)
      if isReal, attempts.pending.count == rules.limit {
        try transaction.log("attempts used up: \(evaluation.account)")
      }
      guard let realKey = account.evaluationKey else {
        return .failure(isOwn ? Self.keyDestroyed : Self.throttled(until: nil))
      }
      let decoyKey = SecretHolder(keys.decoyKey(account: evaluation.account))
      return .success(
        CountedAttempt(
          attempt: attempt, remaining: UInt16(rules.limit - attempts.pending.count),
          key: isReal ? realKey : decoyKey))
    }
    return try outcome.get()
  }

  /// Resets the attempts of an account after the proof that one of them was right.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the proof is wrong, the attempt was
  ///   proved already, or there is no such account.
  package func prove(_ proof: Proof, _ signature: RequestSignature?) throws {
    let id = accountID(proof.account)
    try transaction { transaction in
      if let signature { _ = try transaction.authenticate(signature) }
      let row = try transaction.row(.accounts, id)
      let account = try row.map(AccountRecord.init) ?? decoy(proof.account)
      let attemptsRow =
        row == nil
        ? try transaction.attemptsRow(decoyAttemptsID(id), owner: decoyOwner)
        : try transaction.attemptsRow(attemptsID(id))
      try check(proof, account, attemptsRow)
      try transaction.clearAttempts(id)
    }
  }

  /// Registers a passphrase. If the account has one, the request must prove it.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if there is a passphrase and no valid
  ///   proof of it; ``AtRestError/Code/notPermitted`` if the device belongs to another account.
  package func register(_ registration: Registration, _ signature: RequestSignature) throws {
    let id = accountID(registration.account)
    try transaction { transaction in
      let caller = try transaction.authenticateUser(signature)
      guard caller.account == id, let row = try transaction.row(.accounts, id, locked: true) else {
        throw AtRestError(
          .notPermitted, "The device does not belong to this account.",
          remedy: "Enrol the device for the account.")
      }
      var account = try AccountRecord(row)
      if account.proofKey != nil {
        guard let former = registration.former else { throw Self.wrongPassphrase }
        try check(former, account, transaction.attemptsRow(attemptsID(id)))
      }
      account.proofKey = SecretHolder(SecretBytes(registration.proofKey))
      try transaction.update(.accounts, row, contents: account.contents)
      try transaction.clearAttempts(id)
      try transaction.log("passphrase registered: \(registration.account)")
    }
  }

  private func check(
    _ proof: Proof, _ account: AccountRecord, _ attemptsRow: Row
  ) throws {
    let attempts = try AttemptsRecord(attemptsRow)
    let key = account.proofKey ?? SecretHolder(SecretBytes(Data(count: 32)))
    let isValid = HardenedRoot.isValid(
      proof.code, key.bytes, realm: realm, account: proof.account, attempt: proof.attempt)
    guard isValid, account.proofKey != nil, attempts.pending.contains(proof.attempt) else {
      throw Self.wrongPassphrase
    }
  }

  /// The record that stands in for an account that does not exist. It is sealed and opened, so that
  /// the answer takes as long.
  private func decoy(_ name: String) throws -> AccountRecord {
    let id = accountID(name)
    let record = AccountRecord(decoy: name, key: keys.decoyKey(account: name))
    let box = try keys.seal(
      record.contents, .accounts, id: id, owner: Data(), time: 0, edition: 0)
    let contents = try keys.open(box, .accounts, id: id, owner: Data(), time: 0, edition: 0)
    return try AccountRecord(
      Row(id: id, owner: Data(), time: 0, edition: 0, contents: SecretHolder(contents)))
  }

  private static func throttled(until time: Int64?) -> AtRestError {
    let date = time.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    return AtRestError(
      .throttled,
      date == nil
        ? "All attempts were used up." : "Too many attempts were made in a short time.",
      remedy: date == nil
        ? "Ask the operator to unlock the account." : "Wait before the next attempt.",
      cause: RetryTime(date: date))
  }

  private static let keyDestroyed = AtRestError(
    .keyDestroyed, "The account's key was destroyed after too many attempts.",
    remedy: "Ask the operator to reset the passphrase. What it protected is lost.")

  private static let wrongPassphrase = AtRestError(
    .authenticationFailed, "The passphrase is wrong.", remedy: "Try again.")
}

extension Transaction {
  /// Returns the row of attempts, locked, and makes it if it is missing.
  func attemptsRow(_ id: Data, owner: Data = Data()) throws -> Row {
    if let row = try row(.attempts, id, locked: true) { return row }
    try insert(.attempts, id: id, owner: owner, contents: AttemptsRecord().contents)
    guard let row = try row(.attempts, id, locked: true) else {
      throw DatabaseError(kind: .collision, message: "The attempts were deleted meanwhile.")
    }
    return row
  }

  /// Returns the attempts of an account, without locking them.
  func attempts(_ account: Data) throws -> AttemptsRecord {
    guard let row = try row(.attempts, store.attemptsID(account)) else { return AttemptsRecord() }
    return try AttemptsRecord(row)
  }

  func clearAttempts(_ account: Data) throws {
    let row = try attemptsRow(store.attemptsID(account))
    try update(.attempts, row, contents: AttemptsRecord().contents)
  }

  func destroyKey(of name: String) throws {
    let row = try account(name, locked: true)
    var record = try AccountRecord(row)
    record.evaluationKey = nil
    record.proofKey = nil
    try update(.accounts, row, contents: record.contents)
    try log("key destroyed after too many attempts: \(name)")
  }
}
