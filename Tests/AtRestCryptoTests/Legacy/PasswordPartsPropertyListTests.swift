import AtRestCrypto
import AtRestLegacy
import Foundation
import Testing

/// One property list holds the three parts, XML or binary. Any other list is refused without harm.
@Suite struct PasswordPartsPropertyListTests {
  private func fixture(_ name: String = "binary") throws -> Data {
    try Fixture.data("legacy/parts-\(name).plist")
  }

  private func expectDamaged(
    _ list: Data, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: AtRestError.self, sourceLocation: sourceLocation) {
      try PasswordEncryptedParts(propertyList: list)
    }
    #expect(error?.code == .damaged, sourceLocation: sourceLocation)
  }

  private static let parts: [String: any Sendable] = [
    "EncryptionData": Data(count: 32), "EncryptionIV": Data(count: 16),
    "EncryptionSalt": Data(count: 8),
  ]

  private func list(
    _ object: Any, _ format: PropertyListSerialization.PropertyListFormat
  ) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: object, format: format, options: 0)
  }

  @Test(arguments: [0, 1_000, 100_000])
  func roundTrip(count: Int) throws {
    let parts = try PasswordEncryptedParts.encrypt(
      RandomBytes.data(count: count), password: SecretBytes(utf8: "123456"))
    for (format, start) in [
      (PasswordEncryptedParts.PropertyListFormat.binary, "bplist00"), (.xml, "<?xml"),
    ] {
      let list = try parts.propertyList(format: format)
      #expect(list.starts(with: start.utf8))
      #expect(PasswordEncryptedParts.isPropertyList(list.prefix(64)) == true)
      #expect(try PasswordEncryptedParts(propertyList: list) == parts)
    }
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func otherKeysArePassedOver(format: PropertyListSerialization.PropertyListFormat) throws {
    var object = Self.parts
    object["Version"] = 1
    object["Größe"] = ["a": [1, 2, 3]]
    object["EncryptionDatum"] = Data(count: 3)
    for index in 0..<300 { object["Key \(index)"] = "Value \(index)" }
    let parts = try PasswordEncryptedParts(propertyList: list(object, format))
    #expect(parts.encryptedData.count == 32)
  }

  @Test(arguments: ["EncryptionData", "EncryptionIV", "EncryptionSalt"])
  func everyPartIsNeeded(key: String) throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      var object = Self.parts
      // Control: all three suffice.
      #expect(throws: Never.self) {
        try PasswordEncryptedParts(propertyList: list(object, format))
      }
      object[key] = nil
      expectDamaged(try list(object, format))
      for other: any Sendable in ["text", 7, true, [1, 2], ["a": 1], Date(), Data(count: 5)] {
        object[key] = other
        expectDamaged(try list(object, format))
      }
    }
  }

  @Test func otherListsAreRefused() throws {
    for format in [PropertyListSerialization.PropertyListFormat.binary, .xml] {
      for object: Any in ["text", 7, [Self.parts], Data(count: 32), [String: Any]()] {
        expectDamaged(try list(object, format))
      }
    }
    for text in [
      "", "bplist00", "<?xml", "<plist>", "<plist><dict>", "<plist/>", "{ EncryptionIV = <00>; }",
      "<plist><dict><key>EncryptionIV</key></dict></plist>", "((((", "{\"EncryptionIV\": 1}",
      "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict>&a;</dict></plist>",
    ] {
      expectDamaged(Data(text.utf8))
    }
  }

  @Test(arguments: [100, 4_000, 100_000])
  func deepNestingIsRefused(depth: Int) {
    let open = String(repeating: "<array>", count: depth)
    let close = String(repeating: "</array>", count: depth)
    let key = "<plist version=\"1.0\"><dict><key>EncryptionData</key>"
    expectDamaged(Data("\(key)\(open)\(close)</dict></plist>".utf8))
    expectDamaged(Data("\(key)\(open)".utf8))
    expectDamaged(BinaryList.nested(depth: depth))
  }

  // Each of 60 arrays contains the next one twice: 2^60 objects for a reader that follows
  // references.
  @Test func doublingIsRefused() {
    expectDamaged(BinaryList.doubling(depth: 60, inDictionary: false))
    expectDamaged(BinaryList.doubling(depth: 60, inDictionary: true))
  }

  @Test func cyclesAreRefused() {
    // An array that contains itself, and a dictionary that contains itself.
    expectDamaged(BinaryList.data(objects: [[0xA1, 0]]))
    expectDamaged(BinaryList.data(objects: [[0xD1, 0, 0]]))
  }

  @Test func aKeyGivenTwiceIsRefused() {
    let key = [0x5C] + Array("EncryptionIV".utf8)
    let value = [0x4F, 0x10, 0x10] + [UInt8](repeating: 0, count: 16)
    expectDamaged(BinaryList.data(objects: [[0xD2, 1, 1, 2, 2], key, value]))
  }

  @Test func claimsBeyondTheEndAreRefused() throws {
    let list = try fixture()
    // The trailer: sizes of offsets and references, counts, the top object, the table.
    for index in list.count - 32..<list.count {
      for value: UInt8 in [0x00, 0x7F, 0x80, 0xFF] where list[index] != value && index % 8 > 5 {
        var changed = list
        changed[index] = value
        expectDamaged(changed)
      }
    }
    for count: [UInt8] in [[0x4F, 0x13] + Array(repeating: 0xFF, count: 8), [0x4F, 0x12, 0xFF]] {
      expectDamaged(
        BinaryList.data(objects: [[0xD1, 1, 2], [0x5C] + Array("EncryptionIV".utf8), count]))
    }
  }

  // Not every change is detected, because the format has no integrity check. None causes harm.
  @Test func anyChangedByteIsReadOrRefused() throws {
    for name in ["binary", "xml"] {
      let list = try fixture(name)
      var read = 0
      for index in list.indices {
        for mask: UInt8 in [0x01, 0x10, 0x80, 0xFF] {
          var changed = list
          changed[index] ^= mask
          do {
            _ = try PasswordEncryptedParts(propertyList: changed)
            read += 1
          } catch { #expect(AtRestError.Code.damaged ~= error) }
        }
      }
      #expect(read > 0)
    }
  }

  @Test func everyTruncationIsRefused() throws {
    for name in ["binary", "xml"] {
      let list = try fixture(name)
      // The XML ends with a line end, which it does not need.
      for count in 0..<list.count - 1 { expectDamaged(list.prefix(count)) }
    }
  }
}

/// Binary property lists that no library writes: offsets of 4 bytes, references of 1 or 4.
private enum BinaryList {
  static func data(objects: [[UInt8]], referenceSize: UInt8 = 1) -> Data {
    var list = Data("bplist00".utf8)
    var table = Data()
    for object in objects {
      table += big(UInt32(list.count))
      list += object
    }
    let start = list.count
    list += table + Data([0, 0, 0, 0, 0, 0, 4, referenceSize])
    for value in [objects.count, 0, start] { list += big(UInt64(value)) }
    return list
  }

  static func nested(depth: Int) -> Data {
    data(objects: (1...depth).map { [0xA1] + big(UInt32($0)) } + [[0x50]], referenceSize: 4)
  }

  static func doubling(depth: UInt8, inDictionary: Bool) -> Data {
    let start: [[UInt8]] =
      inDictionary ? [[0xD1, 1, 2], [0x5E] + Array("EncryptionData".utf8)] : []
    let first = UInt8(start.count)
    return data(
      objects: start + (0..<depth).map { [0xA2, first + $0 + 1, first + $0 + 1] } + [[0x50]])
  }

  private static func big<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
