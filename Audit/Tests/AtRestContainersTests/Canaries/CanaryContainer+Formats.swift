import Foundation

/// The formats of which a canary container has one small file each.
extension CanaryContainer {
  /// Returns a keyed archive of a dictionary with one note.
  static func archive(_ text: String) -> BinaryList {
    .archive(
      .dictionary([
        ("NS.keys", .array([.uid(2)])), ("NS.objects", .array([.uid(3)])), ("$class", .uid(4)),
      ]),
      others: [
        .string("note"), .string(text),
        .dictionary([
          ("$classname", .string("NSDictionary")),
          ("$classes", .array([.string("NSDictionary"), .string("NSObject")])),
        ]),
      ])
  }

  /// Returns a document of Couchbase Lite with one note. Texts of up to 14 bytes have another form
  /// than longer ones.
  static func fleece(_ text: String) -> Data {
    func string(_ text: String) -> [UInt8] {
      let count = UInt8(text.utf8.count)
      let bytes = (count < 15 ? [0x40 | count] : [0x4F, count]) + Array(text.utf8)
      return bytes.count % 2 == 0 ? bytes : bytes + [0]
    }
    let (key, value) = (string("note"), string(text))
    let dictionary = key.count + value.count
    func pointer(from place: Int, to target: Int) -> [UInt8] {
      [0x80, UInt8((place - target) / 2)]
    }
    return Data(
      key + value + [0x70, 1] + pointer(from: dictionary + 2, to: 0)
        + pointer(from: dictionary + 4, to: key.count)
        + pointer(from: dictionary + 6, to: dictionary))
  }

  /// Returns a file with one cookie: domain, name, path and value.
  static func cookies(_ texts: [String]) -> [UInt8] {
    var record = [UInt8](repeating: 0, count: 56)
    for (field, text) in zip([16, 20, 24, 28], texts) {
      record[field] = UInt8(record.count)
      record += Array(text.utf8) + [0]
    }
    record[0] = UInt8(record.count)
    let page: [UInt8] = [0, 0, 1, 0, 1, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0] + record
    return Array("cook".utf8) + [0, 0, 0, 1, 0, 0, 0, UInt8(page.count)] + page
  }

  /// Returns a field of a Protocol Buffers message, of at most 127 bytes.
  static func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    [number << 3 | 2, UInt8(bytes.count)] + bytes
  }

  static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix(state: UInt64(count))
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  static func forAddresses(_ base64: String) -> String {
    base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }
}
