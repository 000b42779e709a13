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
    /// True if a device of the account signed the request.
    package let isOwn: Bool
    let key: SecretHolder

    /// Evaluates a blinded element.
    package func evaluate(_ element: Data) throws -> Evaluation.Answer {
      let key = try EvaluationKey(privateKey: key.bytes)
      return Evaluation.Answer(
        attempt: attempt, remaining: remaining, publicKey: key.publicKey,
        evaluation: try key.evaluate(element))
    }
  }

  /// Resets the attempts of an account after the proof that one of them was right.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the proof is wrong, the attempt was
  ///   proved already, or there is no such account.
  package func prove(_ proof: Proof, _ signature: RequestSignature?) throws {
    try transaction { transaction in
      let caller = try signature.map { try transaction.authenticate($0) }
      let account = try transaction.visibleAccount(proof.account, caller)
      let attempts = attemptsID(account)
      try check(proof, account.record, transaction.attempts(attempts, locked: true))
      try transaction.delete(.attempts, attempts)
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
      // Attempts are locked before accounts.
      let attempts = try transaction.attempts(attemptsID(id), locked: true)
      guard caller.account == id, let row = try transaction.row(.accounts, id, locked: true) else {
        throw AtRestError(
          .notPermitted, "The device does not belong to this account.",
          remedy: "Enrol the device for the account.")
      }
      var account = try AccountRecord(row)
      if account.verifyingKey != nil {
        guard let former = registration.former else { throw Self.wrongPassphrase }
        try check(former, account, attempts)
      }
      account.verifyingKey = registration.verifyingKey
      try transaction.update(.accounts, row, contents: account.contents)
      try transaction.delete(.attempts, attemptsID(id))
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
  /// Returns attempts, or none if there is no row. A row exists only while there are attempts, so an
  /// account that was never used and one whose owner proved the passphrase look the same.
  func attempts(_ id: Data, locked: Bool = false) throws -> AttemptsRecord {
    try row(.attempts, id, locked: locked).map(AttemptsRecord.init) ?? AttemptsRecord()
  }
}
