@_spi(Tools) import AtRestCrypto
import AtRestTPM
import Foundation

/// A record of a device as it is stored beside a TPM: the value that the counter had when it was
/// written, the data, and a tag over both and the name.
struct AnchoredRecord {
  /// The cause of the error for a record that was modified, removed or put back.
  struct Invalid: Error {}

  /// An AES-256-CMAC.
  static let tagCount = 16

  private enum Kind: UInt8 {
    case forgotten = 0
    case plain = 1
    case sealed = 2
  }

  let value: UInt64
  private let kind: Kind
  /// True for a record that was forgotten since the last step of the counter.
  var isForgotten: Bool { kind == .forgotten }
  /// True if the data is a ``SealedRecord``.
  var isSealed: Bool { kind == .sealed }
  let tag: Data

  /// - Parameter data: The data, or nil for a record that is forgotten.
  static func encoded(
    _ data: Data?, isSealed: Bool = false, name: String, value: UInt64,
    _ authenticator: MessageAuthenticator
  ) -> Data {
    var writer = ByteWriter(capacity: 9 + (data?.count ?? 0) + tagCount)
    defer { writer.erase() }
    writer.integer(value)
    writer.integer((data == nil ? Kind.forgotten : isSealed ? .sealed : .plain).rawValue)
    if let data { writer.fixed(data) }
    writer.fixed(tag(of: writer.bytes[...], name: name, authenticator))
    return writer.data
  }

  /// Returns the counter of a record that may be sealed. Nothing is authenticated.
  static func counter(in stored: Data, name: String) -> TPMCounter? {
    guard stored.count >= 9 + tagCount, stored.dropFirst(8).first == Kind.sealed.rawValue else {
      return nil
    }
    return try? SealedRecord(data(in: stored), name: name).counter
  }

  /// Returns nil if the bytes have no valid tag.
  init?(_ stored: Data, name: String, _ authenticator: MessageAuthenticator) {
    guard stored.count >= 9 + Self.tagCount else { return nil }
    let covered = stored.dropLast(Self.tagCount)
    tag = Data(stored.suffix(Self.tagCount))
    guard Self.tag(of: covered, name: name, authenticator) == tag else { return nil }
    value = covered.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    guard let kind = covered.dropFirst(8).first.flatMap(Kind.init) else { return nil }
    self.kind = kind
  }

  /// Returns the data of a stored record that is valid.
  static func data(in stored: Data) -> Data { Data(stored.dropFirst(9).dropLast(tagCount)) }

  private static func tag(
    of covered: some Collection<UInt8> & ContiguousBytes, name: String,
    _ authenticator: MessageAuthenticator
  ) -> Data {
    var message = ByteWriter(capacity: covered.count + 64)
    defer { message.erase() }
    message.counted(utf8: name)
    message.fixed(covered)
    return message.bytes.withUnsafeBytes { authenticator.authenticationCode(for: $0) }
      .withUnsafeBytes { Data($0) }
  }
}
