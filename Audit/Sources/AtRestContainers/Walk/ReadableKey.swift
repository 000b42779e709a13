import AtRestFormats

/// A key of a store, for reports. Many keys are numbers and texts, one after the other.
struct ReadableKey {
  let text: String
  /// The last word of the key, such as the name of an entry of Local Storage.
  let name: String
  let isText: Bool

  private static let shortestName = 2
  /// The maximum number of bytes of a key without text that are shown.
  private static let longestNumber = 16

  init(_ key: [UInt8]) {
    if let record = IndexedDBKey(key) {
      text = "\(record.database)/\(record.store) \(record.text)"
      (name, isText) = (record.text, true)
      return
    }
    isText = key.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    let parts = key.split { $0 < 0x20 || $0 == 0x7F }.map { String(decoding: $0, as: UTF8.self) }
    text =
      isText
      ? String(decoding: key, as: UTF8.self)
      : parts.isEmpty ? Self.hex(key) : parts.joined(separator: " ")
    name = parts.last { $0.utf8.count >= Self.shortestName } ?? text
  }

  private static func hex(_ key: [UInt8]) -> String {
    key.prefix(longestNumber).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
