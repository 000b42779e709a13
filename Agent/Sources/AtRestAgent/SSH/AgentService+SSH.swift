import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation

/// Keys for SSH.
extension AgentService {
  private func book(_ group: String) throws -> SSHKeyBook {
    SSHKeyBook(group, known: knownSSHKeys, keychain: try keychain(for: ApplicationIdentity(group)))
  }

  /// Returns the keys of the keychain for SSH, whether the store is locked or not.
  func sshKeys() throws -> [SSHKeyBook.Key] {
    try [SSHKeyBook.group, SSHKeyBook.forwardableGroup].flatMap {
      try book($0).all(isUnlocked: isUnlocked)
    }
  }

  /// Returns the key of the keychain that a client names.
  ///
  /// - Throws: ``AtRestError/Code/notFound``.
  func sshKey(_ blob: Data) throws -> SSHKeyBook.Key {
    guard let key = try sshKeys().first(where: { $0.publicKey.blob == blob }) else {
      throw AtRestError(
        .notFound, "There is no such key.", remedy: "Create one with atrest keygen --group ssh.")
    }
    return key
  }

  /// Throws ``AtRestError/Code/notPermitted`` if a peer has no grant for a group of keys, and the
  /// user does not allow it.
  ///
  /// - Parameter purpose: The purpose in words, for the question to the user.
  func checkSSHGrant(_ peer: Peer, writing: Bool, group: String, _ purpose: String) throws {
    _ = try identity(
      for: peer, claim: [group], named: [group], writing: writing, purpose: purpose)
  }

  /// Signs with a key of the keychain, and returns the signature in the form of SSH.
  ///
  /// - Throws: ``AtRestError/Code/locked``.
  func sshSign(_ data: Data, with key: SSHKeyBook.Key, flags: UInt32) throws -> Data {
    let (scheme, name) = try key.publicKey.scheme(flags: flags)
    touch()
    let signature = try book(key.group).sign(data, tag: key.tag, scheme: scheme)
    return try key.publicKey.encoded(signature, name: name)
  }
}
