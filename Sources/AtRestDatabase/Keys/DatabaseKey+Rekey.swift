import AtRestCrypto
import AtRestKeychain
import Foundation

extension DatabaseKey {
  /// Adds a new random key to the item, before those that it has, and returns it.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if no key of the item opens the file.
  func addingRandomKey(for opening: DatabaseOpening) throws -> DatabaseKey {
    let (item, keychain) = try item()
    let file = try DatabaseFile(opening.url, format: opening.format)
    guard file.hasAuthenticPage(try opening.cipher(of: file)) else {
      throw AtRestError.damaged(
        "The keychain's item does not have the key of the database \(opening.url.path).")
    }
    let new = SecretBytes.random(count: DatabaseFormat.keySize)
    let present = try keychain.secret(for: item)
    let all = SecretBytes(count: DatabaseFormat.keySize + present.count) { bytes in
      new.withUnsafeBytes { bytes.copyMemory(from: $0) }
      present.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[DatabaseFormat.keySize...])
          .copyMemory(from: $0)
      }
    }
    try keychain.update(item, secret: all)
    return try .raw(new)
  }

  /// Removes all keys but one from the item.
  func keepingOnly(_ key: DatabaseKey) throws {
    let (item, keychain) = try item()
    guard case .raw(let box) = key.source else { return }
    try keychain.update(item, secret: box.bytes)
  }

  private func item() throws -> (PrimaryKey, Keychain) {
    guard case .item(let item, let keychain, _) = source else {
      throw AtRestError.invalid(
        "The key of the database is not an item of a keychain.",
        remedy: "Name the new key, with `rekey(at:key:to:)`.")
    }
    return (item, keychain)
  }
}
