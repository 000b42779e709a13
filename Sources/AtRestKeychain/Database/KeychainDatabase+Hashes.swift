import AtRestCrypto
import Foundation

/// The keyed hashes that the database stores in place of names.
extension KeychainDatabase {
  /// Returns the keyed hash of a primary key in a group, 16 bytes.
  func hash(_ key: PrimaryKey, in group: String) throws -> ItemHash {
    try withAuthenticationCode(key.encoded(in: group)) { ItemHash($0) }
  }

  /// Returns the keyed hash of an attribute, by which the index finds items.
  func term(
    _ itemClass: ItemClass, _ attribute: ItemAttribute, _ value: ItemAttributeValue
  ) throws -> UInt64 {
    var writer = ByteWriter(capacity: 64)
    writer.integer(itemClass.number | 0x80)
    writer.integer(attribute.code)
    value.withComparisonBytes { writer.fixed($0) }
    return UInt64(bitPattern: try keyedNumber(writer.bytes))
  }

  /// Returns the keyed hash of an access group.
  func scope(_ group: String) throws -> Int64 {
    // Cached by its bytes: Swift regards two spellings of one text as equal, but they are two
    // groups.
    let bytes = Array(group.utf8)
    if let known = scopes[bytes] { return known }
    let scope = try keyedNumber([0xff] + bytes)
    scopes[bytes] = scope
    return scope
  }

  /// Returns the first eight bytes of the keyed hash as a number.
  func keyedNumber(_ message: [UInt8]) throws -> Int64 {
    try withAuthenticationCode(message) {
      Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
    }
  }

  private func withAuthenticationCode<Result>(
    _ message: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    guard let authenticator = lookup.withLock({ $0 }) else {
      throw AtRestError(.locked, "The keychain \(path) is closed.", remedy: "Open it again.")
    }
    return message.withUnsafeBytes { authenticator.authenticationCode(for: $0) }
      .withUnsafeBytes(body)
  }
}
