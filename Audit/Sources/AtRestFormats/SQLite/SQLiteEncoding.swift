/// The encoding of a database's strings.
package enum SQLiteEncoding: UInt32, Sendable {
  case utf8 = 1
  case utf16LittleEndian = 2
  case utf16BigEndian = 3

  /// Converts a string in this encoding to UTF-8. Half a UTF-16 code unit at the end is dropped.
  func utf8(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard self != .utf8 else { return bytes }
    let high = self == .utf16BigEndian ? 0 : 1
    let end = bytes.endIndex - bytes.count % 2
    let units = stride(from: bytes.startIndex, to: end, by: 2).lazy.map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    _ = transcode(
      units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false
    ) { result.append($0) }
    return result[...]
  }
}
