import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The move of an account to another suite.
///
/// 1. A device whose passphrase was right asks for the successor of the key that it pinned.
/// 2. It evaluates the passphrase with the successor, seals the key of the application under the result, and registers
///    that. Both keys are valid now.
/// 3. It evaluates the passphrase again, proves it, and opens what the server kept. Then it signs the move, and the
///    server destroys the older key.
extension KeyServerStore {
  /// Returns the successor of the key that a device pinned. The first call makes it.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the account has the latest suite and never moved;
  ///   ``AtRestError/Code/keyDestroyed``.
  package func successor(_ signature: RequestSignature) throws -> Successor {
    try transaction { transaction in
      let (caller, _) = try transaction.authenticateUser(signature)
      guard let row = try transaction.row(.accounts, caller.account, locked: true) else {
        throw Self.notEnrolled
      }
      var account = try AccountRecord(row)
      guard let key = account.evaluationKey else { throw Self.keyDestroyed }
      switch account.succession {
      case .former(let former):
        return Successor(publicKey: try key.key.publicKey, signature: former.signature)
      case .next(let next):
        return Successor(publicKey: try next.key.key.publicKey, signature: next.signature)
      case nil:
        guard key.suite < .current else {
          throw AtRestError(
            .notFound, "The account has the latest suite.", remedy: "Enrol the device again.")
        }
        let next = EvaluationSecret()
        let successor = try key.successor(next, realm: realm, account: account.account)
        account.succession = .next(.init(key: next, signature: successor.signature))
        try transaction.update(.accounts, row, contents: account.contents)
        try transaction.log("move to \(next.suite.name) begun: \(account.account)")
        return successor
      }
    }
  }

  /// Ends a move: destroys the older key.
  ///
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the signature is not that of the registered passphrase;
  ///   ``AtRestError/Code/throttled`` if another device was faster;
  ///   ``AtRestError/Code/notPermitted`` if the device belongs to another account.
  package func move(_ move: Move, _ signature: RequestSignature) throws {
    let id = accountID(move.account)
    try transaction { transaction in
      let (caller, _) = try transaction.authenticateUser(signature)
      guard caller.account == id, let row = try transaction.row(.accounts, id, locked: true) else {
        throw Self.otherAccount
      }
      var account = try AccountRecord(row)
      guard case .next(let next) = account.succession, let prepared = next.prepared,
        try next.key.key.publicKey == move.publicKey
      else { throw replacedMeanwhile }
      guard
        move.isValid(
          verifyingKey: prepared.verifyingKey, carried: prepared.carried, realm: realm)
      else { throw Self.wrongPassphrase }
      account.move(to: next, prepared)
      try transaction.update(.accounts, row, contents: account.contents)
      try transaction.log("moved to \(next.key.suite.name): \(account.account)")
    }
  }

  static let moved = AtRestError(
    .moved, "The account moved to another suite.", remedy: "Ask for the successor of the key.")

  /// The error for a change that another device was faster with.
  var replacedMeanwhile: AtRestError {
    AtRestError(
      .throttled, "The key of the account was replaced meanwhile.", remedy: "Try again.",
      cause: RetryTime(date: Date(timeIntervalSince1970: Double(clock()) / 1000)))
  }

  static let otherAccount = AtRestError(
    .notPermitted, "The device does not belong to this account.",
    remedy: "Enrol the device for the account.")
}
