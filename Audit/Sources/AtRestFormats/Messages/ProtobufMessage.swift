/// Bytes read as a message of Protocol Buffers without its schema.
///
/// The wire format tells numbers and kinds of fields but not whether bytes with a length are a text, a
/// message or bytes; that is guessed. Groups, long deprecated, are not read.
package struct ProtobufMessage: Hashable, Sendable {
  /// Messages nested deeper are given as bytes.
  package static let depthLimit = 32
  /// Bytes with more fields are taken for no message.
  package static let fieldLimit = 100_000

  package let fields: [Field]
  /// How sure it is that this is a message, between 0 and 1; what few bytes show is little.
  package let confidence: Double

  package struct Field: Hashable, Sendable {
    package let number: Int
    package let value: Value
    /// Where its value begins, behind the length if it has one, in bytes from the start of the outermost
    /// message.
    package let offset: Int
  }

  package enum Value: Hashable, Sendable {
    case varint(UInt64)
    case fixed32(UInt32)
    case fixed64(UInt64)
    case text(String)
    case bytes([UInt8])
    case message(ProtobufMessage)
  }

  /// Reads bytes all of which must be fields; nothing if they are not.
  package init?(_ bytes: [UInt8]) {
    var reader = ProtobufReader(bytes: bytes)
    guard !bytes.isEmpty, let message = reader.message(in: 0..<bytes.count, depth: 0) else {
      return nil
    }
    self = message
  }

  init(fields: [Field], confidence: Double) {
    self.fields = fields
    self.confidence = confidence
  }
}
