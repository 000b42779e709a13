import AtRestCrypto
import AtRestKeyServerProtocol
import Crypto
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
  func decoyAttemptsID(_ account: Data) -> Data {
    keys.identifier(.attempts, account, Data("decoy".utf8))
  }

  /// Resets the attempts of an account after the proof that one of them was right.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the proof is wrong, the attempt was
  ///   proved already, or there is no such account.
  package func prove(_ proof: Proof, _ signature: RequestSignature?) throws {
    let id = accountID(proof.account)
    try transaction { transaction in
      if let signature { _ = try transaction.authenticate(signature) }
      let row = try transaction.sealedRow(.accounts, id)
      let account = try accountOrDecoy(row, proof.account, id: id)
      let attempts = try transaction.attemptsOrNone(
        row == nil ? decoyAttemptsID(id) : attemptsID(id))
      try check(proof, account, attempts)
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
      let (caller, _) = try transaction.authenticateUser(signature)
      guard caller.account == id, let row = try transaction.row(.accounts, id, locked: true) else {
        throw AtRestError(
          .notPermitted, "The device does not belong to this account.",
          remedy: "Enrol the device for the account.")
      }
      var account = try AccountRecord(row)
      if account.verifyingKey != nil {
        guard let former = registration.former else { throw Self.wrongPassphrase }
        try check(former, account, transaction.attemptsOrNone(attemptsID(id)))
      }
      account.verifyingKey = registration.verifyingKey
      try transaction.update(.accounts, row, contents: account.contents)
      try transaction.clearAttempts(id)
      try transaction.log("passphrase registered: \(registration.account)")
    }
  }

  private func check(
    _ proof: Proof, _ account: AccountRecord, _ attempts: AttemptsRecord
  ) throws {
    let isValid = HardenedRoot.isValid(
      proof.signature, verifyingKey: account.verifyingKey ?? Self.nobodysKey, realm: realm,
      account: proof.account, attempt: proof.attempt)
    guard isValid, account.verifyingKey != nil, attempts.pending.contains(proof.attempt) else {
      throw Self.wrongPassphrase
    }
  }

  /// A valid key, so that a proof takes as long to refuse without a passphrase as with one.
  private static let nobodysKey = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation

  /// Returns the row of an account, or a row that stands in for it.
  ///
  /// The stand-in is sealed in either case and one row is opened, so both cases take as long.
  func accountOrDecoy(_ row: Row.Sealed?, _ name: String, id: Data) throws -> AccountRecord {
    let decoy = AccountRecord(decoy: name, key: keys.decoyKey(account: name))
    let sealed = try keys.seal(
      decoy.contents, .accounts, id: id, owner: Data(), time: 0, edition: 0)
    let standIn = Row.Sealed(id: id, owner: Data(), time: 0, edition: 0, box: sealed)
    return try AccountRecord((row ?? standIn).opened(.accounts, keys))
  }

  static func throttled(until time: Int64?) -> AtRestError {
    let date = time.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    return AtRestError(
      .throttled,
      date == nil
        ? "All attempts were used up." : "Too many attempts were made in a short time.",
      remedy: date == nil
        ? "Ask the operator to unlock the account." : "Wait before the next attempt.",
      cause: RetryTime(date: date))
  }

  static let keyDestroyed = AtRestError(
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

  /// Returns attempts, locked, or none if there is no row. A stand-in for the row is sealed in either
  /// case and one row is opened, so both cases take as long.
  fileprivate func attemptsOrNone(_ id: Data) throws -> AttemptsRecord {
    let sealed = try store.keys.seal(
      AttemptsRecord().contents, .attempts, id: id, owner: Data(), time: 0, edition: 0)
    let standIn = Row.Sealed(id: id, owner: Data(), time: 0, edition: 0, box: sealed)
    let row = try sealedRow(.attempts, id, locked: true)
    return try AttemptsRecord((row ?? standIn).opened(.attempts, store.keys))
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
    record.verifyingKey = nil
    try update(.accounts, row, contents: record.contents)
    try log("key destroyed after too many attempts: \(name)")
  }
}
