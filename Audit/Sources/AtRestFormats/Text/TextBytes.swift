import Foundation

/// Converts text in any Unicode encoding to UTF-8.
package enum TextBytes {
  /// Converts text to UTF-8. UTF-16 and UTF-32 are recognised by their byte order mark, and UTF-16
  /// also by zeros in its first characters. Invalid characters become U+FFFD.
  package static func utf8(of data: Data) -> [UInt8] {
    let bytes = [UInt8](data)
    let first = bytes.prefix(4)
    if first.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    if first.elementsEqual([0xFF, 0xFE, 0, 0]) {
      return utf32(bytes.dropFirst(4), bigEndian: false)
    }
    if first.elementsEqual([0, 0, 0xFE, 0xFF]) {
      return utf32(bytes.dropFirst(4), bigEndian: true)
    }
    if first.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), bigEndian: false) }
    if first.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), bigEndian: true) }
    guard first.count == 4 else { return bytes }
    if first[0] != 0, first[1] == 0, first[3] == 0 { return utf16(bytes[...], bigEndian: false) }
    if first[0] == 0, first[1] != 0, first[2] == 0 { return utf16(bytes[...], bigEndian: true) }
    return bytes
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map { index in
      let first = UInt16(bytes[index])
      let second = UInt16(bytes[index + 1])
      return bigEndian ? first << 8 | second : second << 8 | first
    }
    return Array(String(decoding: Array(units), as: UTF16.self).utf8)
  }

  private static func utf32(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 3, by: 4).lazy.map { index in
      bytes[index..<index + 4].enumerated().reduce(UInt32(0)) { unit, next in
        unit | UInt32(next.element) << (bigEndian ? 24 - 8 * next.offset : 8 * next.offset)
      }
    }
    return Array(String(decoding: Array(units), as: UTF32.self).utf8)
  }
}
