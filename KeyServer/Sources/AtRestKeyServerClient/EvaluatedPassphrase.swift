import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// A passphrase that the server evaluated, which counts as an attempt until it is proved.
struct EvaluatedPassphrase: ~Copyable {
  let root: HardenedRoot
  /// The public key of the key that evaluated it.
  let publicKey: GroupElement
  var attempt: Data
  let remaining: Int
  /// The key of the application, sealed under the root, if the account moved to another suite since the passphrase was
  /// set.
  var carried: Data?

  /// The output of the function, before it is stretched.
  struct Output: ~Copyable {
    let bytes: SecretBytes
    let publicKey: GroupElement
    let attempt: Data
    let remaining: Int
  }

  init(root: consuming HardenedRoot, publicKey: GroupElement, attempt: Data, remaining: Int) {
    self.root = root
    self.publicKey = publicKey
    self.attempt = attempt
    self.remaining = remaining
  }

  /// The key that the application uses.
  ///
  /// - Throws: `AtRestError.Code.damaged` if the key that was carried over was modified.
  func key(_ identity: KeyServerIdentity) throws -> SecretBytes {
    guard let carried else { return root.key }
    return try root.open(carried, realm: identity.realm, account: identity.account)
  }
}
