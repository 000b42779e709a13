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
    let key: EvaluationSecret

    /// Evaluates a blinded element, in the suite in which it was counted.
    package func evaluate(_ element: GroupElement) throws -> Evaluation.Answer {
      let key = try key.key
      return Evaluation.Answer(
        attempt: attempt, remaining: remaining, publicKey: key.publicKey,
        evaluation: try key.evaluate(element))
    }
  }

  /// Resets the attempts of a device, or of strangers, after the proof that one of them was right. Those of other
  /// devices stay.
  ///
  /// - Returns: The attempts at the account that nobody proved since the device's last proof.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the proof is wrong, or there is no such account;
  ///   ``AtRestError/Code/throttled`` if it is right, and the attempt is not known any more, or was proved already.
  @discardableResult
  package func prove(_ proof: Proof, _ signature: RequestSignature?) throws -> Proof.Answer {
    try transaction { transaction in
      let caller = try signature.map { try transaction.authenticate($0) }
      let account = try transaction.visibleAccount(proof.account, caller)
      let row = try transaction.row(.attempts, attemptsID(account), locked: true)
      return try transaction.settle(
        proof, account.record, row, caller: account.isOwn ? caller?.device : nil)
    }
  }

  /// Registers a passphrase. If the account has one, the request must prove it.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if there is a passphrase and no valid proof of it; the
  ///   errors of ``prove(_:_:)``; ``AtRestError/Code/notPermitted`` if the device belongs to another account;
  ///   ``AtRestError/Code/throttled`` if the account's key was replaced since the passphrase was evaluated.
  package func register(_ registration: Registration, _ signature: RequestSignature) throws {
    let id = accountID(registration.account)
    try transaction { transaction in
      let (caller, _) = try transaction.authenticateUser(signature)
      // Attempts are locked before accounts.
      let attempts = try transaction.row(.attempts, attemptsID(id), locked: true)
      guard caller.account == id, let row = try transaction.row(.accounts, id, locked: true) else {
        throw Self.otherAccount
      }
      var account = try AccountRecord(row)
      guard let place = try account.place(of: registration) else { throw replacedMeanwhile }
      if account.verifyingKey != nil {
        guard let former = registration.former else { throw Self.wrongPassphrase }
        _ = try transaction.settle(
          former, account, attempts, caller: caller.device, registers: true)
      } else if let attempts {
        var record = try AttemptsRecord(attempts)
        try record.noteRegistration(by: caller.device, former: nil)
        try transaction.update(.attempts, attempts, contents: record.contents)
      }
      account.register(registration, in: place)
      try transaction.update(.accounts, row, contents: account.contents)
      try transaction.log(
        place == .account
          ? "passphrase registered: \(registration.account)"
          : "move to \(registration.publicKey.suite.name) prepared: \(registration.account)")
    }
  }

  /// A valid key, so that a proof takes as long to refuse without a passphrase as with one.
  fileprivate static let nobodysKey = Curve25519.Signing.PrivateKey().publicKey.rawRepresentation

  /// - Parameter wait: The milliseconds to wait, or nil if only the operator helps.
  func throttled(for wait: Int64?) -> AtRestError {
    let date = wait.map { Date(timeIntervalSince1970: Double(clock() + $0) / 1000) }
    return AtRestError(
      .throttled, date == nil ? "All attempts were used up." : "Too many attempts were made.",
      remedy: date == nil
        ? "Use another device of the account, or ask the operator to unlock it."
        : "Wait before the next attempt.",
      cause: RetryTime(date: date))
  }

  static let keyDestroyed = AtRestError(
    .keyDestroyed, "The account's key was destroyed after too many attempts.",
    remedy: "Ask the operator to reset the passphrase. What it protected is lost.")

  static let wrongPassphrase = AtRestError(
    .authenticationFailed, "The passphrase is wrong.", remedy: "Try again.")
}

extension Transaction {
  /// Checks a proof, and resets the attempts of its caller.
  ///
  /// - Parameters:
  ///   - caller: The device of the account that sent the proof, or nil for a stranger.
  ///   - registers: True if the request registers another passphrase, which was evaluated too.
  fileprivate func settle(
    _ proof: Proof, _ account: AccountRecord, _ row: Row?, caller: Data?, registers: Bool = false
  ) throws -> Proof.Answer {
    // A wrong proof is compared with two keys whether there are two, one or none, so it takes as long.
    let passphrases = account.passphrases
    let found = [passphrases.first, passphrases.dropFirst().first].first { passphrase in
      HardenedRoot.isValid(
        proof.signature, verifyingKey: passphrase?.verifyingKey ?? KeyServerStore.nobodysKey,
        realm: store.realm, account: proof.account, attempt: proof.attempt)
    }
    guard let proved = found ?? nil else { throw KeyServerStore.wrongPassphrase }
    var attempts = try row.map(AttemptsRecord.init) ?? AttemptsRecord()
    if registers, let caller { try attempts.noteRegistration(by: caller, former: proof.attempt) }
    let unproved = try attempts.prove(
      proof.attempt, by: caller ?? AttemptCounter.stranger, isOwn: caller != nil)
    // The passphrase is right, so this is not called wrong.
    guard let row, let unproved else {
      throw AtRestError(
        .throttled, "The attempt is not known any more.", remedy: "Try again.",
        cause: RetryTime(date: Date(timeIntervalSince1970: Double(now) / 1000)))
    }
    let answer = Proof.Answer(unproved: UInt32(clamping: unproved), carried: proved.carried)
    guard caller != nil else {
      try delete(.attempts, row.id)
      return answer
    }
    try update(.attempts, row, contents: attempts.contents)
    if unproved > 0 { try log("attempts that were not proved: \(unproved) at \(account.account)") }
    return answer
  }

  /// Returns attempts, or none if there is no row.
  func attempts(_ id: Data, locked: Bool = false) throws -> AttemptsRecord {
    try row(.attempts, id, locked: locked).map(AttemptsRecord.init) ?? AttemptsRecord()
  }
}
