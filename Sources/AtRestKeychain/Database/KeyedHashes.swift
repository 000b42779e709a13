import AtRestCrypto
import Foundation
import Synchronization

/// The keyed hashes that the database stores in place of names.
///
/// Except for ``hash(_:in:)``, the methods are called with the connection's lock held.
final class KeyedHashes {
  private let path: String
  // Unlike the groups, this is also used without the lock.
  private let authenticator = Mutex<MessageAuthenticator?>(nil)
  /// The hashes of the groups seen so far. There are few groups, and every item has one.
  private var scopes: [[UInt8]: Int64] = [:]

  /// - Parameter path: The database's path, for error messages.
  init(path: String) { self.path = path }

  /// Starts to hash under the lookup key.
  func open(_ lookupKey: consuming SecretBytes) throws {
    let keyed = try MessageAuthenticator(lookupKey)
    authenticator.withLock { $0 = keyed }
  }

  /// Erases the key. Later calls throw.
  func close() {
    authenticator.withLock { $0 = nil }
    scopes = [:]
  }

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

  /// Returns the keyed hashes of all indexed attributes of an item.
  func terms(_ itemClass: ItemClass, _ attributes: ItemAttributes) throws -> [UInt64] {
    try itemClass.indexedAttributes.compactMap { attribute in
      guard let value = attributes[attribute], !value.isEmpty(for: attribute) else { return nil }
      return try term(itemClass, attribute, value)
    }
  }

  /// Returns the keyed hash that no attribute has, for items whose terms are unknown.
  func unknownTerm() throws -> UInt64 { UInt64(bitPattern: try keyedNumber([0xfe])) }

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
  private func keyedNumber(_ message: [UInt8]) throws -> Int64 {
    try withAuthenticationCode(message) {
      Int64(bigEndian: $0.loadUnaligned(as: Int64.self))
    }
  }

  private func withAuthenticationCode<Result>(
    _ message: [UInt8], _ body: (UnsafeRawBufferPointer) -> Result
  ) throws -> Result {
    guard let authenticator = authenticator.withLock({ $0 }) else {
      throw AtRestError(.locked, "The keychain \(path) is closed.", remedy: "Open it again.")
    }
    return message.withUnsafeBytes { authenticator.authenticationCode(for: $0) }
      .withUnsafeBytes(body)
  }
}
