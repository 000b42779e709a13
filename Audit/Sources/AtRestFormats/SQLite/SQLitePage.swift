/// A page, in bytes that may include its neighbours.
struct SQLitePage {
  let number: Int
  let bytes: [UInt8]
  /// The index of the page's first byte in `bytes`, which contain the whole page.
  let start: Int
  /// The size of the page without the bytes reserved at its end.
  let usable: Int
  let file: SQLiteRemnant.File
  /// The offset of the page in its file.
  let offset: Int

  /// The end of the usable part in `bytes`.
  var end: Int { start + usable }
  var content: ArraySlice<UInt8> { bytes[start..<end] }
}
