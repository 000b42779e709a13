@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
import Foundation
import Testing

/// Messages of D-Bus read back, in both byte orders, and everything that the specification does not allow is
/// refused.
struct BusMessageTests {
  private static func decode(_ bytes: some Sequence<UInt8>, most: Int = 1 << 16) throws
    -> BusMessage
  {
    try Array(bytes).withUnsafeBytes { try BusMessage(decoding: $0, mostValues: most) }
  }

  private static func bytes(_ message: BusMessage) -> [UInt8] {
    message.encoded().withUnsafeBytes { Array($0) }
  }

  /// A call with a value of each type.
  private static let whole = BusMessage(
    .call, serial: 7, path: "/org/freedesktop/secrets", interface: "a.b", member: "M",
    destination: "c.d",
    [
      .byte(1), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6),
      .uint64(7), .double(8.5), .text("nine é"), .path("/ten"), .signature("a{sv}"),
      .descriptor(0), .variant(.texts(["a", ""])), .bytes([1, 2, 3]),
      .properties(["Label": .text("x"), "Locked": .boolean(false)]),
      .array(.structure([.uint64, .byte]), []),
      .structure([.path("/"), .bytes([]), .array(.int64, [.int64(1)])]),
    ])

  @Test func valuesOfEveryTypeReadBack() throws {
    let message = try Self.decode(Self.bytes(Self.whole))
    #expect(message == Self.whole)
    let signature = message.body.map(\.type.letters).joined()
    #expect(signature == "ybnqiuxtdsoghvaya{sv}a(ty)(oayax)")
  }

  /// The bytes are those that libdbus writes: a call of `Hello`, as dbus-daemon receives it.
  @Test func theBytesAreThoseOfOtherPrograms() {
    let call = BusMessage(
      .call, serial: 1, path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "Hello", destination: "org.freedesktop.DBus")
    var expected: [UInt8] = [0x6c, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0x6d, 0, 0, 0]
    func field(_ code: UInt8, _ type: String, _ text: String) {
      while expected.count % 8 != 0 { expected.append(0) }
      expected += [code, 1] + Array(type.utf8) + [0]
      expected += [UInt8(text.utf8.count), 0, 0, 0] + Array(text.utf8) + [0]
    }
    field(1, "o", "/org/freedesktop/DBus")
    field(2, "s", "org.freedesktop.DBus")
    field(3, "s", "Hello")
    field(6, "s", "org.freedesktop.DBus")
    while expected.count % 8 != 0 { expected.append(0) }
    #expect(Self.bytes(call) == expected)
  }

  @Test func bigEndianBytesAreRead() throws {
    // A signal with one number, written by hand.
    var bytes: [UInt8] = [UInt8(ascii: "B"), 4, 0, 1, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 0]
    func field(_ code: UInt8, _ type: String, _ text: String) {
      while bytes.count % 8 != 0 { bytes.append(0) }
      bytes += [code, 1] + Array(type.utf8) + [0]
      if type == "g" {
        bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
      } else {
        bytes += [0, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8) + [0]
      }
    }
    field(1, "o", "/a")
    field(2, "s", "b.c")
    field(3, "s", "D")
    field(8, "g", "u")
    bytes[15] = UInt8(bytes.count - 16)
    while bytes.count % 8 != 0 { bytes.append(0) }
    bytes += [1, 2, 3, 4]
    let message = try Self.decode(bytes)
    #expect(message.kind == .signal && message.serial == 9 && message.interface == "b.c")
    #expect(message.body == [.uint32(0x0102_0304)])
  }

  /// Bytes that are cut or changed are another valid message or an error, and never anything else.
  @Test func otherBytesDoNoHarm() throws {
    let bytes = Self.bytes(Self.whole)
    for count in 0..<bytes.count {
      #expect(throws: AtRestError.self) { try Self.decode(bytes[..<count]) }
    }
    for index in bytes.indices {
      for value in [UInt8(0), 1, 0x7f, 0xff, UInt8(ascii: "B"), bytes[index] ^ 1] {
        var changed = bytes
        changed[index] = value
        do { _ = try Self.decode(changed) } catch { #expect(error is AtRestError) }
      }
    }
  }

  @Test(arguments: [
    "a", "(", "()", ")", "{sv}", "a{vs}", "a{s}", "a{svs}", "z", "(s", "a{sv", "s)",
    String(repeating: "a", count: 33) + "y", String(repeating: "y", count: 256),
    String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33),
  ])
  func signaturesThatAreNoneAreRefused(signature: String) {
    #expect(throws: AtRestError.self) { try BusType.types(of: signature) }
  }

  @Test func deepSignaturesAreRead() throws {
    let deep =
      String(repeating: "a", count: 32) + String(repeating: "(", count: 32) + "y"
      + String(repeating: ")", count: 32)
    #expect(try BusType.types(of: deep).map(\.letters) == [deep])
  }

  @Test(arguments: [
    BusValue.text("a\0b"), .path("no slash"), .path("/a/"), .path("//a"), .path("/ä"), .path(""),
    .signature("("),
  ])
  func valuesThatAreNoneAreRefused(value: BusValue) {
    var message = Self.whole
    message.body = [value]
    #expect(throws: AtRestError.self) { try Self.decode(Self.bytes(message)) }
  }

  /// A variant in a variant takes 4 bytes. Without a bound, a message of a megabyte would use up the stack.
  @Test func nestedVariantsAreBounded() {
    func message(_ depth: Int) -> [UInt8] {
      var value = BusValue.byte(1)
      for _ in 0..<depth { value = .variant(value) }
      var message = Self.whole
      message.body = [value]
      return Self.bytes(message)
    }
    #expect(throws: Never.self) { try Self.decode(message(60)) }
    #expect(throws: AtRestError.self) { try Self.decode(message(70)) }
  }

  @Test func theNumberOfValuesIsBounded() {
    var message = Self.whole
    message.body = [.array(.uint16, (0..<100).map { .uint16($0) })]
    let bytes = Self.bytes(message)
    #expect(throws: Never.self) { try Self.decode(bytes, most: 200) }
    #expect(throws: AtRestError.self) { try Self.decode(bytes, most: 50) }
  }

  @Test func theSizeIsKnownFromSixteenBytes() throws {
    let bytes = Self.bytes(Self.whole)
    #expect(try bytes.withUnsafeBytes { try BusMessage.size(prefix: $0) } == bytes.count)
    for change in [(0, UInt8(ascii: "x")), (3, 2), (7, 0xff), (15, 0xff)] {
      var changed = bytes
      changed[change.0] = change.1
      #expect(throws: AtRestError.self) {
        try changed.withUnsafeBytes { try BusMessage.size(prefix: $0) }
      }
    }
  }
}
