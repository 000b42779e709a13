/// A value of a row, as it is stored.
///
/// Strings are in UTF-8, whatever the encoding of the database. Strings and blobs are mostly slices
/// of the bytes that were read last. Keeping one keeps up to 64 KiB around it in memory, so copy a
/// value that you keep.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(ArraySlice<UInt8>)
  case blob(ArraySlice<UInt8>)

  /// The text, if the value is one. Invalid bytes become U+FFFD.
  package var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
