import AtRestFormats
import Foundation
import Testing

/// Values of WebKit's IndexedDB, written as its `SerializedScriptValue.cpp` describes them.
@Suite struct StructuredCloneTests {
  private static let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  private static func word(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func narrow(_ text: String) -> [UInt8] {
    word(UInt32(text.unicodeScalars.count) | 1 << 31)
      + text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
  }

  private static func wide(_ text: String) -> [UInt8] {
    word(UInt32(text.utf16.count)) + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  /// `{"name": "Zoë", "näme": "鍵", "again": "Zoë", "list": ["Zoë", 1, true, {}], "map": {"pin": 1234}}`
  private static let sample: [UInt8] =
    word(15) + [2]
    + narrow("name") + [16] + narrow("Zoë")
    + narrow("näme") + [16] + wide("鍵")
    + narrow("again") + [16] + word(0xFFFF_FFFE) + [1]
    + narrow("list") + [1] + word(4)
    + word(0) + [16] + word(0xFFFF_FFFE) + [1] + word(1) + [7] + word(2) + [9]
    + word(3) + [2] + end + end + end
    + narrow("map") + [30, 16] + narrow("pin") + [5] + word(1234) + [31] + end
    + end

  @Test func anObjectIsATree() throws {
    let root = try #require(StructuredClone.read(Self.sample))
    #expect(root.entries?.map(\.key) == ["name", "näme", "again", "list", "map"])
    #expect(root["name"]?.string == "Zoë")
    #expect(root["näme"]?.string == "鍵")
    #expect(root["again"]?.string == "Zoë")
    #expect(root["list"]?.array?.count == 4)
    #expect(root["list"]?.array?.first?.string == "Zoë")
    guard case .integer(1234) = root["map"]?["pin"]?.value else {
      throw FormatError("The map has no number.")
    }
  }

  @Test func anArrayOfAnOlderVersionHasOneMark() throws {
    let bytes =
      Self.word(11) + [1] + Self.word(1) + Self.word(0) + [16] + Self.narrow("a") + Self.end
    #expect(StructuredClone.read(bytes)?.array?.map(\.string) == ["a"])
    #expect(StructuredClone.read(Self.word(15) + bytes.dropFirst(4)) == nil)
  }

  @Test func bytesOfABufferAreData() throws {
    // A view of eight bytes and its buffer.
    let size = Self.word(8) + Self.word(0)
    let bytes =
      Self.word(15) + [2] + Self.narrow("key") + [22, 2] + [UInt8](repeating: 0, count: 8) + size
      + [21] + size + Array("violet48".utf8) + Self.end
    guard case .data(let data) = StructuredClone.read(bytes)?["key"]?.value else {
      throw FormatError("The buffer is no data.")
    }
    #expect(data == Data("violet48".utf8))
  }

  @Test func aCutValueIsNone() {
    for count in 0..<Self.sample.count {
      #expect(StructuredClone.read(Array(Self.sample[..<count])) == nil, "\(count)")
    }
    #expect(StructuredClone.read(Self.sample + [0]) == nil)
  }

  @Test func aReferenceBeyondTheStringsIsNone() {
    let bytes = Self.word(15) + [2] + Self.word(0xFFFF_FFFE) + [0, 3] + Self.end
    #expect(StructuredClone.read(bytes) == nil)
  }
}
