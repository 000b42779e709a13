import AtRestCrypto
import AtRestKeychain
import Foundation

extension DatabaseKey {
  /// Adds a new random key to the item, before the one that the file has, and returns it.
  func addingRandomKey(for opening: DatabaseOpening) throws -> DatabaseKey {
    let (item, keychain) = try item()
    let present = try opening.presentKey(in: keychain.secret(for: item))
    let new = SecretBytes.random(count: DatabaseFormat.keySize)
    let both = SecretBytes(count: 2 * DatabaseFormat.keySize) { bytes in
      new.withUnsafeBytes { bytes.copyMemory(from: $0) }
      present.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[DatabaseFormat.keySize...])
          .copyMemory(from: $0)
      }
    }
    try keychain.update(item, secret: both)
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

extension DatabaseOpening {
  /// Returns the key of the file, from an item with one key or several.
  fileprivate func presentKey(in secret: consuming SecretBytes) throws -> SecretBytes {
    let file = try DatabaseFile(url, format: format)
    let ciphers = try key.ciphers(for: format, salt: try salt(of: file), isNew: false)
    let index = try ciphers.firstIndex { try file.isAuthentic(1, $0) } ?? 0
    let size = DatabaseFormat.keySize
    return secret.withUnsafeBytes {
      SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[index * size..<(index + 1) * size]))
    }
  }
}
