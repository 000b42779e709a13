import AtRestFormats
@_spi(Tools) import AtRestSecrets
import Foundation

/// The format of the value that a string contains.
enum TextForm {
  case json
  case xml, xmlPropertyList
  case percent
  /// Base64, with the decoded bytes, which are text or a known format.
  case base64([UInt8])

  /// The minimum length. Shorter strings may look like Base64 by chance.
  private static let base64Minimum = 16

  /// Determines the format by the first and last characters. Base64 is decoded only if its first
  /// bytes are meaningful.
  ///
  /// - Parameter limit: The maximum size of the decoded value, in bytes.
  init?(_ text: UnsafeBufferPointer<UInt8>, limit: Int) {
    guard text.count >= 2, let start = text.firstIndex(where: { !Self.isBlank($0) }),
      let end = text.lastIndex(where: { !Self.isBlank($0) }), end > start
    else { return nil }
    let body = UnsafeBufferPointer(rebasing: text[start...end])
    let last = body[body.count - 1]
    switch body[0] {
    case UInt8(ascii: "{"):
      guard last == UInt8(ascii: "}"),
        let next = body.dropFirst().first(where: { !Self.isBlank($0) }),
        next == UInt8(ascii: "\"") || next == UInt8(ascii: "}")
      else { return nil }
      self = .json
    case UInt8(ascii: "["):
      guard last == UInt8(ascii: "]"),
        let next = body.dropFirst().first(where: { !Self.isBlank($0) }),
        "{[\"]-0123456789tfn".utf8.contains(next)
      else { return nil }
      self = .json
    case UInt8(ascii: "<"):
      guard last == UInt8(ascii: ">") else { return nil }
      if body.starts(with: "<plist".utf8) || body.starts(with: "<!DOCTYPE plist".utf8) {
        self = .xmlPropertyList
      } else if body.starts(with: "<?xml".utf8) {
        let head = String(decoding: body.prefix(512), as: UTF8.self)
        self = head.contains("<plist") || head.contains("<!DOCTYPE plist") ? .xmlPropertyList : .xml
      } else {
        return nil
      }
    case UInt8(ascii: "%"):
      guard ["%7B", "%7b", "%5B", "%5b"].contains(where: { body.starts(with: $0.utf8) }) else {
        return nil
      }
      self = .percent
    default:
      guard body.count >= Self.base64Minimum, body.count / 4 * 3 <= limit,
        let bytes = Self.base64(body)
      else { return nil }
      self = .base64(bytes)
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Returns true if the first line is a complete value and another one follows, as in logs.
  static func isLinesOfJSON(_ bytes: [UInt8]) -> Bool {
    guard let end = bytes.firstIndex(of: 0x0A),
      let last = bytes[..<end].last(where: { !isBlank($0) }),
      let next = bytes[end...].first(where: { !isBlank($0) })
    else { return false }
    let isWhole = last == UInt8(ascii: "}") || last == UInt8(ascii: "]")
    return isWhole && bytes.first == next
  }

  // MARK: Base64

  private static func base64(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var body = text
    while body.count > text.count - 2, body.last == UInt8(ascii: "=") {
      body = UnsafeBufferPointer(rebasing: body.dropLast())
    }
    // Most texts are rejected here: words with a blank or a period, or bytes that mean nothing.
    let head = UnsafeBufferPointer(rebasing: body.prefix(24))
    guard !head.contains(UInt8(ascii: " ")), let first = ByteRun.base64.bytes(of: head),
      isPromising(first), let bytes = ByteRun.base64.bytes(of: body)
    else { return nil }
    return FileType.read(Array(bytes.prefix(FileType.headLength)), isWhole: isHead(bytes))
      == .unknown ? nil : bytes
  }

  private static func isHead(_ bytes: [UInt8]) -> Bool { bytes.count <= FileType.headLength }

  private static func isPromising(_ head: [UInt8]) -> Bool {
    if head.starts(with: [0x1F, 0x8B]) || head.starts(with: [0xFF, 0xFE]) { return true }
    return head.prefix(8).allSatisfy { $0 >= 0x20 && $0 != 0x7F || isBlank($0) }
  }

  // MARK: UTF-16

  /// Decodes UTF-16 without a byte order mark: one half of most units is zero, and there are no
  /// controls.
  static func utf16(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
    let isBigEndian = bytes[bytes.startIndex] == 0
    let high = bytes.startIndex + (isBigEndian ? 0 : 1)
    let sample = stride(from: high, to: min(bytes.endIndex, high + 512), by: 2)
    var narrow = 0
    var total = 0
    for index in sample {
      let low = bytes[isBigEndian ? index + 1 : index - 1]
      total += 1
      if bytes[index] == 0 {
        guard low >= 0x20 || isBlank(low) else { return nil }
        narrow += 1
      }
    }
    guard narrow * 4 >= total * 3 else { return nil }
    return utf16(bytes, isBigEndian: isBigEndian)
  }

  static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> String {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    return String(decoding: Array(units), as: UTF16.self)
  }
}
