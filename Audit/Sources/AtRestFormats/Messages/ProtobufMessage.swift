/// Bytes that are read as a Protocol Buffers message without its schema.
///
/// The wire format gives the numbers and kinds of fields, but does not say whether bytes with a
/// length are a string, a message or bytes, so this is guessed. Groups, which are deprecated, are
/// not read.
package struct ProtobufMessage: Hashable, Sendable {
  /// The maximum depth of nested messages. Deeper ones are returned as bytes.
  package static let depthLimit = 32
  /// The maximum number of fields. Bytes with more are not taken for a message.
  package static let fieldLimit = 100_000

  package let fields: [Field]
  /// The confidence that this is a message, between 0 and 1. Few bytes give a low confidence.
  package let confidence: Double

  package struct Field: Hashable, Sendable {
    package let number: Int
    package let value: Value
    /// The offset of the value in the outermost message, in bytes. A length prefix is not part of
    /// the value.
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

  /// Reads a message. Returns nil unless all bytes are fields.
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
