import AtRestCrypto
import AtRestKeychain
import Foundation

/// Keys for SSH.
extension AgentService {
  private func book() throws -> SSHKeyBook {
    SSHKeyBook(
      own: own, keychain: try keychain(for: ApplicationIdentity(SSHKeyBook.group)))
  }

  /// Returns the keys of the keychain for SSH, whether the store is locked or not.
  func sshKeys() throws -> [SSHKeyBook.Key] { try book().all(isUnlocked: isUnlocked) }

  /// Throws ``AtRestError/Code/notPermitted`` if a peer has no grant for the group `ssh`, and the user
  /// does not allow it.
  ///
  /// - Parameter purpose: The purpose in words, for the question to the user.
  func checkSSHGrant(_ peer: Peer, writing: Bool, _ purpose: String) throws {
    _ = try identity(for: peer, claim: [SSHKeyBook.group], writing: writing, purpose: purpose)
  }

  /// Signs with a key of the keychain, and returns the signature in the form of SSH.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/locked``.
  func sshSign(_ data: Data, blob: Data, flags: UInt32) throws -> Data {
    let book = try book()
    guard let key = try book.all(isUnlocked: isUnlocked).first(where: { $0.publicKey.blob == blob })
    else {
      throw AtRestError(
        .notFound, "There is no such key.", remedy: "Create one with atrest keygen --group ssh.")
    }
    let (scheme, name) = try key.publicKey.scheme(flags: flags)
    touch()
    return try key.publicKey.encoded(book.sign(data, tag: key.tag, scheme: scheme), name: name)
  }
}
