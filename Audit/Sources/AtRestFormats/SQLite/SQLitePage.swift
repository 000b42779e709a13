/// One page, in bytes that may hold others around it.
struct SQLitePage {
  let number: Int
  let bytes: [UInt8]
  /// Where the page begins in the bytes; all of it is there.
  let start: Int
  /// Without what is reserved at the end of each page.
  let usable: Int
  let file: SQLiteRemnant.File
  /// Where the page begins in its file.
  let offset: Int

  /// Where the usable part ends in the bytes.
  var end: Int { start + usable }
  var content: ArraySlice<UInt8> { bytes[start..<end] }
}
