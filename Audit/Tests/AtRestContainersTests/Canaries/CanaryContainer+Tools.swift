import AtRestContainers
import AtRestFormats
import Foundation

/// Files that other tools wrote, and stores of keys and values.
extension CanaryContainer {
  /// Adds compressed files (bzip2, xz, zstd, brotli, lz4, zlib, and Apple's reference encoder of
  /// LZFSE), a store that LevelDB 1.23 wrote, and a database that DuckDB 2.0 wrote.
  mutating func addToolFiles() throws {
    let folder = "Fixtures/Tools/\(isClean ? "clean" : "typed")"
    guard let url = Bundle.module.url(forResource: folder, withExtension: nil) else {
      throw FormatError("The files of other tools are missing.")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      add("Library/Packed/\(name)", try Data(contentsOf: url.appending(path: name)))
    }
    let packed: [(Int, String, String)] = [
      (61, "page.bz2", "bzip2 › line 2"), (62, "page.xz", "xz › line 2"),
      (63, "page.lzma", "lzma › line 2"), (64, "page.zst", "zstd › line 2"),
      (65, "page.br", "brotli"), (66, "page.deflate", "deflate"),
      (67, "page.lzfse", "lzfse › line 82"), (68, "page.lzvn", "lzfse › line 2"),
      (70, "page.zlib", "zlib"), (71, "page.lz4", "lz4 › line 2"),
    ]
    for (number, name, steps) in packed { place(number, "Library/Packed/\(name)", steps) }
    place(151, "Library/Packed/notes.duckdb", "byte 28704")
    let draft = "_https://example.org draft"
    place(81, "Library/Packed/leveldb.ldb", "notes/0150 › json › text")
    place(82, "Library/Packed/leveldb.log", draft)
    place(83, "Library/Packed/leveldb.log", "kept/\(text(83)) › key")
    place(84, "Library/Packed/leveldb.log", "big")
  }

  mutating func addStores() {
    func little(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    func event(_ number: Int) -> [UInt8] {
      [8, 1] + Self.field(2, Array("org.example.app".utf8))
        + Self.field(3, Array(text(number).utf8))
    }
    var body: [UInt8] = []
    for (state, number) in [(1, 85), (3, 86)] {
      place(
        number, "Library/Biome/first", "byte \(56 + body.count + 32)", "protobuf", "3")
      let data = event(number)
      body += little(data.count, 4) + little(state, 4) + [UInt8](repeating: 0, count: 24) + data
      while body.count % 8 != 0 { body.append(0) }
    }
    add(
      "Library/Biome/first",
      little(56 + body.count, 4) + [UInt8](repeating: 0, count: 48) + "SEGB".utf8 + body)
    let last = event(87)
    add(87, "Library/Biome/second", at: "byte 40 › protobuf › 3") { _ in
      let data = [UInt8](repeating: 0, count: 8) + last
      return Array("SEGB".utf8) + little(1, 4) + [UInt8](repeating: 0, count: 24) + data
        + little(data.count, 4) + little(1, 4) + [UInt8](repeating: 0, count: 8)
    }

    // WebKit's IndexedDB is SQLite. A string is Latin-1 or UTF-16, and its length says which.
    var indexed = DatabaseFile()
    func serialized(_ text: String, isWide: Bool) -> Data {
      let key = Array("note".utf8)
      let value = isWide ? text.utf16.flatMap { little(Int($0), 2) } : Array(text.utf8)
      let length = isWide ? text.utf16.count : text.utf8.count | 1 << 31
      return Data(
        little(15, 4) + [2] + little(key.count | 1 << 31, 4) + key + [16] + little(length, 4)
          + value
          + [0xFF, 0xFF, 0xFF, 0xFF])
    }
    indexed.add(
      table: "Records",
      "CREATE TABLE Records (objectStoreID INTEGER, key TEXT, value BLOB, recordID INTEGER)",
      rows: [
        [.integer(1), .text("a"), .blob(serialized(text(88), isWide: false)), .integer(1)],
        [.integer(1), .text("b"), .blob(serialized(text(89), isWide: true)), .integer(2)],
      ])
    let path = "Library/WebKit/IndexedDB/IndexedDB.sqlite3"
    add(path, indexed.bytes)
    place(88, path, "Records, row 1, value › structured clone › note")
    place(89, path, "Records, row 2, value › structured clone › note")
  }

  mutating func addMessages() {
    func packed(_ text: String) -> [UInt8] { [0xD9, UInt8(text.utf8.count)] + Array(text.utf8) }
    func cbor(_ text: String) -> [UInt8] { [0x78, UInt8(text.utf8.count)] + Array(text.utf8) }
    add(95, "Documents/page.msgpack", at: "msgpack › pages[1].note") { text in
      [0x81, 0xA5] + "pages".utf8 + [0x92, 0xC3, 0x81] + packed("note") + packed(text)
    }
    add(96, "Documents/page.cbor", at: "cbor › pages[1].note") { text in
      [0xD9, 0xD9, 0xF7, 0xA1] + cbor("pages") + [0x82, 0xF5, 0xA1] + cbor("note") + cbor(text)
    }
    var database = DatabaseFile()
    database.add(
      table: "pages", "CREATE TABLE pages (body BLOB)",
      rows: [
        [.blob(Data([0x81] + packed("note") + packed(text(97))))],
        [.blob(Data(Packing.gzip(Array("a page with \(text(72)) in it".utf8))))],
        [.blob(Self.archive(text(73)).encoded)],
        [.text(Self.archive(text(74)).encoded.base64EncodedString())],
      ])
    let path = "Documents/pages.sqlite"
    add(path, database.bytes)
    place(97, path, "pages, row 1, body", "msgpack", "note")
    place(72, path, "pages, row 2, body", "gzip", "line 1")
    place(73, path, "pages, row 3, body", "plist", "archive", "note")
    place(74, path, "pages, row 4, body", "base64", "plist", "archive", "note")
  }

  // MARK: Images

  mutating func addImages() {
    func png(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      for (kind, content) in [("IHDR", [UInt8](repeating: 0, count: 13)), (kind, content)] {
        bytes += [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + Array(kind.utf8)
        bytes += content + [0, 0, 0, 0]
      }
      return bytes
    }
    func jpeg(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, 0xD8, 0xFF, marker, 0, UInt8(content.count + 2)] + content + [0xFF, 0xDA, 0, 2, 1, 2]
    }
    func exif(_ text: String) -> [UInt8] {
      Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x0E, 1, 2, 0, UInt8(text.utf8.count + 1), 0, 0, 0]
        + [26, 0, 0, 0, 0, 0, 0, 0] + Array(text.utf8) + [0]
    }
    add(98, "Documents/text.png", at: "Comment") { png("tEXt", Array("Comment\0a \($0)".utf8)) }
    add(99, "Documents/packed.png", at: "Comment") { text in
      png("zTXt", Array("Comment\0\0".utf8) + Packing.zlib(Array("a \(text)".utf8)))
    }
    add(100, "Documents/wide.png", at: "Comment") { text in
      png("iTXt", Array("Comment\0\0\0en\0Note\0a \(text)".utf8))
    }
    add(101, "Documents/comment.jpg", at: "comment") { jpeg(0xFE, Array("a \($0)".utf8)) }
    add(102, "Documents/camera.jpg", at: "ImageDescription") { text in
      jpeg(0xE1, Array("Exif\0\0".utf8) + exif("a \(text)"))
    }
    let snapshots = "Library/SplashBoard/Snapshots/scene"
    add(103, "\(snapshots)/first.ktx", at: "KTXnote") { text in
      let pair = Array("KTXnote\0\(text)\0".utf8)
      let padding = [UInt8](repeating: 0, count: (4 - pair.count % 4) % 4)
      return [0xAB] + Array("KTX 11".utf8) + [0xBB, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3, 4]
        + [UInt8](repeating: 0, count: 20) + [100, 0, 0, 0, 200, 0, 0, 0]
        + [UInt8](repeating: 0, count: 16)
        + [UInt8(4 + pair.count + padding.count), 0, 0, 0, UInt8(pair.count), 0, 0, 0] + pair
        + padding
    }
    add(104, "\(snapshots)/second.ktx", at: "META › plist › note") { text in
      let list = BinaryList.dictionary([("note", .string(text))]).encoded
      return Array("AAPL\r\n\u{1A}\n".utf8) + [UInt8(list.count), 0, 0, 0] + "META".utf8 + list
    }
  }
}
