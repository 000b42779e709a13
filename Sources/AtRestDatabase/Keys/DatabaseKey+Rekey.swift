import AtRestCrypto
import AtRestKeychain
import Foundation

extension DatabaseKey {
  /// Adds a new random key to the item or the key file, before those that it has, and returns it.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if none of the keys opens the database.
  func addingRandomKey(for opening: DatabaseOpening) throws -> DatabaseKey {
    let file = try DatabaseFile(opening.url, format: opening.format)
    guard file.hasAuthenticPage(try opening.cipher(of: file)) else {
      throw AtRestError.damaged(
        "The item or key file does not have the key of the database \(opening.url.path).")
    }
    if case .keyFile(let url, let box, _) = source {
      return try .raw(DatabaseKeyFile(url: url).add(box.bytes).bytes)
    }
    let (item, keychain) = try item()
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

  /// Removes all keys but one from the item or the key file.
  func keepingOnly(_ key: DatabaseKey) throws {
    guard case .raw(let box) = key.source else { return }
    if case .keyFile(let url, _, _) = source {
      return try DatabaseKeyFile(url: url).keepOnly(box.bytes)
    }
    let (item, keychain) = try item()
    try keychain.update(item, secret: box.bytes)
  }

  private func item() throws -> (PrimaryKey, Keychain) {
    guard case .item(let item, let keychain, _) = source else {
      throw AtRestError.invalid(
        "The key of the database is neither an item of a keychain nor in a key file.",
        remedy: "Name the new key, with `rekey(at:key:to:)`.")
    }
    return (item, keychain)
  }
}
