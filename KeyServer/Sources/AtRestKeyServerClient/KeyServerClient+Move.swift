import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The move of an account to another suite.
extension KeyServerClient {
  /// Returns the successor of a pinned key.
  ///
  /// - Throws: `AtRestError.Code.otherServerKey` if the pinned key did not sign it.
  func successor(of pinned: GroupElement) throws -> GroupElement {
    let successor = try Successor(decoding: request("/v1/successor", Empty().encoded))
    guard successor.follows(pinned, realm: identity.realm, account: identity.account) else {
      throw AtRestError(
        .otherServerKey, "The key server named a successor that the pinned key did not sign.",
        remedy: "Do not retry. Ask the operator whether the server was replaced or attacked.")
    }
    return successor.publicKey
  }

  /// Moves the account to the successor of its key, with a passphrase that was found right. The key of the application
  /// stays the same: the server keeps it, sealed under what the passphrase gives with the successor.
  ///
  /// - Returns: The public key to pin.
  func move(
    _ evaluated: consuming EvaluatedPassphrase, _ passphrase: borrowing SecretBytes,
    _ kdf: PasswordKDF, keeping key: borrowing SecretBytes
  ) throws -> GroupElement {
    let (realm, account) = (identity.realm, identity.account)
    let successor = try successor(of: evaluated.publicKey)
    let output = try output(of: passphrase, with: successor)
    let outputBytes = output.bytes.duplicate()
    var present = try stretched(output, kdf)
    evaluated.attempt = try self.output(of: passphrase, with: evaluated.publicKey).attempt
    try register(
      present, carried: present.root.carry(key, realm: realm, account: account),
      former: proof(evaluated))

    // The older key is destroyed only after the key was opened with a new evaluation by its successor.
    let again = try self.output(of: passphrase, with: successor)
    guard again.bytes.isEqual(to: outputBytes) else { throw Self.notProved }
    present.attempt = again.attempt
    guard let carried = try prove(present),
      try present.root.open(carried, realm: realm, account: account).isEqual(to: key)
    else { throw Self.notProved }
    let move = try present.root.move(
      to: successor, carried: carried, realm: realm, account: account)
    _ = try request("/v1/move", move.encoded)
    return successor
  }

  private static let notProved = AtRestError(
    .damaged, "The key server does not give the key with the successor of its key.",
    remedy: "The account keeps its key.")
}
