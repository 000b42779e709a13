/// A value of a row, as it is stored.
///
/// Texts are in UTF-8, whatever encoding the database has. Texts and blobs are mostly slices of the
/// bytes read last: who keeps one keeps up to 64 KiB around it, and copies what is to stay.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(ArraySlice<UInt8>)
  case blob(ArraySlice<UInt8>)

  /// The text, where it is one; what is not valid becomes U+FFFD.
  package var string: String? {
    guard case .text(let bytes) = self else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
