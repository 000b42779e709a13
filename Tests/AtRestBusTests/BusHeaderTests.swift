@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
import Testing

/// The header of a message is read without its body, so a message that is too large can be refused by name.
struct BusHeaderTests {
  private static let call = BusMessage(
    .call, serial: 9, path: "/a", interface: "b.c", member: "D", destination: "e.f",
    [.bytes(Array(repeating: 7, count: 1000))])

  private static func encoded() -> [UInt8] { call.encoded().withUnsafeBytes { Array($0) } }

  private static func sizes(_ bytes: [UInt8]) throws -> (header: Int, whole: Int) {
    try bytes.withUnsafeBytes { try BusMessage.sizes(prefix: $0) }
  }

  private static func header(_ bytes: some Sequence<UInt8>) throws -> BusMessage {
    try Array(bytes).withUnsafeBytes { try BusMessage(decodingHeader: $0) }
  }

  @Test func theHeaderIsEnough() throws {
    let bytes = Self.encoded()
    let (size, whole) = try Self.sizes(bytes)
    #expect(whole == bytes.count && size == whole - 1004)
    for count in [size, size + 1, whole] {
      var header = try Self.header(bytes.prefix(count))
      #expect(header.body.isEmpty)
      header.body = Self.call.body
      #expect(header == Self.call)
    }
  }

  @Test func aHeaderThatIsNotCompleteIsRefused() throws {
    let bytes = Self.encoded()
    for count in 0..<(try Self.sizes(bytes).header) {
      #expect(throws: AtRestError.self) { try Self.header(bytes.prefix(count)) }
    }
  }

  /// The lengths in a header are those of others, and are never trusted.
  @Test func aChangedHeaderEndsNothing() throws {
    let bytes = Self.encoded()
    for index in 0..<(try Self.sizes(bytes).header) {
      for value: UInt8 in [0, 1, 0x7f, 0xff] {
        var changed = bytes
        changed[index] = value
        do { _ = try Self.header(changed) } catch let error as AtRestError {
          #expect(error.code == .damaged)
        }
      }
    }
  }
}
