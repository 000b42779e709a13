import AtRestFormats
import Testing

@Suite struct ProtobufMessageTests {
  /// A message with the fields 1: 150, 2: "testing", 3: {1: "inner text", 2: -1}, and 4: 1.0 in 32
  /// bits.
  private static let sample: [UInt8] =
    [0x08, 0x96, 0x01, 0x12, 0x07] + Array("testing".utf8) + [0x1A, 0x17, 0x0A, 0x0A]
    + Array("inner text".utf8) + [0x10] + [UInt8](repeating: 0xFF, count: 9) + [
      0x01, 0x25, 0, 0, 0x80, 0x3F,
    ]

  @Test func fieldsAreRead() throws {
    let message = try #require(ProtobufMessage(Self.sample))
    #expect(message.fields.map(\.number) == [1, 2, 3, 4])
    #expect(message.fields[0].value == .varint(150))
    #expect(message.fields[1].value == .text("testing"))
    #expect(message.fields[3].value == .fixed32(0x3F80_0000))
    #expect(message.fields.map(\.offset) == [1, 5, 14, 38])
    guard case .message(let inner) = message.fields[2].value else {
      throw FormatError("The field is no message.")
    }
    #expect(inner.fields.map(\.value) == [.text("inner text"), .varint(.max)])
    #expect(message.confidence > 0.5)
  }

  @Test func otherBytesAreNoMessage() {
    #expect(ProtobufMessage(Array("plain text of some length".utf8)) == nil)
    #expect(ProtobufMessage([]) == nil)
  }

  @Test func nestingIsBounded() {
    var bytes: [UInt8] = [0x08, 1]
    for _ in 0..<40 { bytes = [0x0A, UInt8(bytes.count)] + bytes }
    #expect(ProtobufMessage(bytes) != nil)
  }

  @Test func brokenMessagesAreSurvived() {
    Hostile.forms(of: Self.sample) { _ = ProtobufMessage($0) }
  }
}
