@_spi(Tools) import AtRestCrypto
import Foundation

/// A request to the agent to wrap or unwrap the key of a protected file. `docs/Agent.md` describes its
/// bytes.
///
/// Only the file's own key is sent, never a class key.
@_spi(Tools) public struct FileKeyRequest: Sendable {
  /// The work of a request.
  package enum Work: Sendable {
    /// Wraps the key of a new file.
    case wrap(SecretBox)
    /// Unwraps the key of a stored file, which the store `from` wrapped.
    case unwrap(Data, from: StoreIdentity)
  }

  /// The store whose class keys the file needs.
  package let store: StoreIdentity
  /// The protection class of the file.
  package let keyClass: KeyClass
  /// The name of the file, which the client claims.
  package let file: String
  package let work: Work

  static let keyCount = 32
  /// The size of the longest wrapped key, which has an ephemeral public key before it.
  private static let longestWrapped = 72
  /// A longer name is cut, so that the request is not refused.
  private static let longestName = 1024

  /// Returns a request to wrap the key of a new file, 32 bytes.
  public static func wrap(
    _ key: borrowing SecretBytes, under keyClass: KeyClass, file: String, store: StoreIdentity
  ) -> FileKeyRequest {
    FileKeyRequest(store, keyClass, file, .wrap(SecretBox(key.duplicate())))
  }

  /// Returns a request to unwrap the key of a stored file.
  ///
  /// - Parameter origin: The store that wrapped the key, if it is another one, whose backup was
  ///   restored into the agent's.
  public static func unwrap(
    _ wrapped: Data, under keyClass: KeyClass, file: String, store: StoreIdentity,
    origin: StoreIdentity? = nil
  ) -> FileKeyRequest {
    FileKeyRequest(store, keyClass, file, .unwrap(wrapped, from: origin ?? store))
  }

  private init(_ store: StoreIdentity, _ keyClass: KeyClass, _ file: String, _ work: Work) {
    self.store = store
    self.keyClass = keyClass
    self.file = String(decoding: file.utf8.prefix(Self.longestName), as: UTF8.self)
    self.work = work
  }

  /// The name of the operation, as the audit log has it.
  public var operation: String { isWriting ? "wrap-file-key" : "unwrap-file-key" }

  /// True if the request is about a file that is written.
  public var isWriting: Bool { if case .wrap = work { true } else { false } }

  /// The file and its class in words, without secrets. The name is the client's claim.
  public var subject: String { "class \(keyClass.name), file \(file)" }

  // MARK: As bytes

  package func encode(into writer: inout ByteWriter) {
    writer.head(isWriting ? .wrapFileKey : .unwrapFileKey, for: store)
    writer.integer(keyClass.rawValue)
    writer.counted(utf8: file)
    switch work {
    case .wrap(let key): key.bytes.withUnsafeBytes { writer.counted($0) }
    case .unwrap(let wrapped, let origin):
      writer.fixed(origin.bytes)
      writer.counted(wrapped)
    }
  }

  /// Reads a request after its head.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` for other bytes.
  package init(
    isWriting: Bool, for store: StoreIdentity, from reader: inout ByteReader
  ) throws {
    self.store = store
    guard let keyClass = KeyClass(rawValue: try reader.integer()), keyClass.isForFiles else {
      throw AgentLimits.malformed
    }
    self.keyClass = keyClass
    file = try reader.text()
    guard isWriting else {
      let origin = StoreIdentity(Data(try reader.fixed(StoreIdentity.count)))
      work = .unwrap(Data(try reader.counted(limit: Self.longestWrapped)), from: origin)
      return
    }
    let key = try reader.counted(limit: Self.keyCount)
    guard key.count == Self.keyCount else { throw AgentLimits.malformed }
    work = .wrap(SecretBox(SecretBytes(copying: key)))
  }

  /// Returns the bytes of the message, without its length.
  var message: SecretBytes {
    var writer = ByteWriter()
    defer { writer.erase() }
    encode(into: &writer)
    return SecretBytes(writer.bytes)
  }

  /// Returns the result in an answer.
  ///
  /// - Throws: The agent's refusal; ``AtRestError/Code/damaged`` for another answer.
  func result(in answer: borrowing SecretBytes) throws -> SecretBytes {
    try answer.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The agent's answer")
      let kind = try reader.answerKind()
      if kind == .refused { throw try reader.error() }
      guard kind == (isWriting ? .data : .secret) else { throw AgentLimits.unexpectedAnswer }
      return SecretBytes(copying: try reader.fixed(reader.remaining))
    }
  }
}
