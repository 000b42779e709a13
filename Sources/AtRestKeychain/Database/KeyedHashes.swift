@_spi(Tools) import AtRestCrypto
import Foundation
import Synchronization

/// The keyed hashes that the database stores in place of names.
///
/// Call the methods, except ``hash(_:in:)``, only while holding the connection's lock.
final class KeyedHashes {
  private let refusal: @Sendable () -> AtRestError
  // Unlike the scopes, the authenticator is also used without the connection's lock.
  private let authenticator = Mutex<MessageAuthenticator?>(nil)
  /// The hashes of the groups seen so far. There are few groups, and every item belongs to a group.
  private var scopes: [[UInt8]: Int64] = [:]

  /// - Parameter refusal: Returns the error of a call after ``close()``.
  init(refusal: @escaping @Sendable () -> AtRestError) { self.refusal = refusal }

  /// Sets the lookup key, under which all names are hashed.
  func open(_ lookupKey: consuming SecretBytes) throws {
    let keyed = try MessageAuthenticator(lookupKey)
    authenticator.withLock { $0 = keyed }
  }

  /// Erases the lookup key. Later calls throw the error for a closed keychain.
  func close() {
    authenticator.withLock { $0 = nil }
    scopes = [:]
  }

  /// Returns the keyed hash of a primary key in a group, 16 bytes.
  func hash(_ key: PrimaryKey, in group: String) throws -> ItemHash {
    try withAuthenticationCode(key.encoded(in: group)) { ItemHash($0) }
  }

  /// Returns the term of an attribute: its keyed hash, by which the index finds items.
  func term(
    _ itemClass: ItemClass, _ attribute: ItemAttribute, _ value: ItemAttributeValue
  ) throws -> UInt64 {
    var writer = ByteWriter(capacity: 64)
    writer.integer(itemClass.number | 0x80)
    writer.integer(attribute.code)
    if let name = attribute.customName { writer.counted(utf8: name) }
    value.withComparisonBytes { writer.fixed($0) }
    return UInt64(bitPattern: try keyedNumber(writer.bytes))
  }

  /// Returns the terms of the indexed attributes in a query.
  func indexedTerms(_ itemClass: ItemClass, _ attributes: ItemAttributes) throws -> [UInt64] {
    try attributes.compactMap { attribute, value in
      guard itemClass.indexes(attribute), !value.isEmpty(for: attribute) else { return nil }
      return try term(itemClass, attribute, value)
    }
  }

  /// Returns the terms of all attributes of an item, including those that have a default value. The
  /// dates have no terms, because their few possible values could be computed.
  func terms(_ itemClass: ItemClass, _ attributes: ItemAttributes) throws -> ItemTerms {
    var terms = ItemTerms()
    for (attribute, value) in itemClass.defaults.merging(attributes) where !attribute.isDateOfItem {
      terms.append(
        try term(itemClass, attribute, value),
        isIndexed: itemClass.indexes(attribute) && !value.isEmpty(for: attribute))
    }
    return terms
  }

  /// Returns the term of items whose own terms are unknown. No attribute has this term.
  func unknownTerm() throws -> UInt64 { UInt64(bitPattern: try keyedNumber([0xfe])) }

  /// Returns the keyed hash of an access group.
  func scope(_ group: String) throws -> Int64 {
    // The bytes are the cache's key: Swift regards two Unicode spellings of one text as equal, but
    // they name two groups.
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
    guard let authenticator = authenticator.withLock({ $0 }) else { throw refusal() }
    return message.withUnsafeBytes { authenticator.authenticationCode(for: $0) }
      .withUnsafeBytes(body)
  }
}
