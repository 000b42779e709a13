import AtRestContainers
import AtRestFormats
import Crypto
import Foundation

/// A container with canaries, each in its own format or encoding, and the place of each one.
///
/// A clean container has the same files, with harmless text in place of the canaries.
struct CanaryContainer {
  /// The contents of each file, by its path.
  private(set) var files: [String: [UInt8]] = [:]
  /// The place at which each canary must be found, by the number of the canary.
  private(set) var places: [Int: String] = [:]
  /// The numbers of the canaries that are in deleted rows.
  static let deleted = 51...60

  /// Returns true for a canary that is in space that its format treats as free.
  static func isDeleted(_ number: Int) -> Bool {
    deleted.contains(number) || [82, 86, 94].contains(number)
  }

  let isClean: Bool

  init(isClean: Bool = false) throws {
    self.isClean = isClean
    addPropertyLists()
    addDatabases()
    addArchives()
    addRecords()
    addWritings()
    try addPrograms()
    try addMadeDatabases()
    try addToolFiles()
    addStores()
    addMessages()
    addImages()
    addLayouts()
    addCharsets()
    addNumbers()
    addNests()
    addHarmlessFiles()
  }

  /// Returns the text of a canary. The script that makes the databases computes it in the same way.
  static func value(_ number: Int) -> String {
    if let value = special[number] { return value }
    let letters = (0..<6).map { step in
      Unicode.Scalar(UInt8(97 + (number * 7 + step * step * 11 + step * number * 3 + 5) % 26))
    }
    return "vq\(number)-" + String(String.UnicodeScalarView(letters))
  }

  /// Canaries of a form that the others do not have: letters outside ASCII, cards, telephones.
  private static let special: [Int: String] = [
    119: "Zoë-Mündel-119", 120: "Zoë-Mündel-120", 121: "Zoë-Mündel-121", 122: "Zoë-Mündel-122",
    123: "Zoë-Mündel-123", 124: "“Zoë”-Mündel-124", 127: "4539 1488 0343 6467",
    128: "+49 30 5550123", 129: "+44 20 7946 0958", 130: "DE89 3704 0044 0532 0130 00",
  ]

  func canaries() throws -> [Canary] {
    try places.keys.sorted().map { try Canary(name: "\($0)", value: Self.value($0)) }
  }

  func write(to folder: ScratchFolder) throws {
    for (path, bytes) in files { try folder.write(path, bytes) }
  }

  // MARK: Adding

  func text(_ number: Int) -> String {
    isClean ? "harmless text \(number)" : Self.value(number)
  }

  mutating func add(_ path: String, _ bytes: some Sequence<UInt8>) {
    files[path] = Array(bytes)
  }

  mutating func place(_ number: Int, _ path: String, _ steps: String...) {
    places[number] = ([path] + steps).joined(separator: " › ")
  }

  /// Adds a file that contains one canary.
  mutating func add<Bytes: Sequence<UInt8>>(
    _ number: Int, _ path: String, at steps: String, _ make: (String) -> Bytes
  ) {
    add(path, make(text(number)))
    place(number, path, steps)
  }

  private mutating func addPropertyLists() {
    add(1, "Library/Preferences/binary.plist", at: "profile.note") { text in
      BinaryList.dictionary([("profile", .dictionary([("note", .string(text))]))]).encoded
    }
    add(2, "Library/Preferences/markup.plist", at: "notes[1]") { text in
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>notes</key><array><string>first</string>
      <string>\(text)</string></array></dict></plist>
      """.utf8
    }
    add(3, "Library/Preferences/old.plist", at: "pages[0].note") { text in
      "{ pages = ( { note = \"\(text)\"; shown = YES; } ); }\n".utf8
    }
    add(4, "Documents/state.json", at: "pages[1].note") { text in
      "{\"pages\": [{}, {\"note\": \"\(text)\"}]}".utf8
    }
    add(5, "Documents/archive.bin", at: "archive › note") { Self.archive($0).encoded }
    add(6, "Library/Preferences/nested.plist", at: "state › plist › archive › note") { text in
      BinaryList.dictionary([("state", .data(Self.archive(text).encoded))]).encoded
    }
  }

  private mutating func addDatabases() {
    let notes = "CREATE TABLE notes (title TEXT, body TEXT)"
    var database = DatabaseFile()
    database.add(
      table: "notes", notes,
      rows: [
        [.text("first"), .text("A line with \(text(7)) in it.")],
        [
          .text("second"), .blob(Data([0, 1, 2, 0xFF, 0xFE, 3]) + Data(text(8).utf8) + [0, 0xF8]),
        ],
        [.text("third"), .text("{\"page\": {\"note\": \"\(text(11))\"}}")],
      ])
    add("Documents/notes.sqlite", database.bytes)
    place(7, "Documents/notes.sqlite", "notes, row 1, body")
    place(8, "Documents/notes.sqlite", "notes, row 2, body")
    place(11, "Documents/notes.sqlite", "notes, row 3, body", "json", "page.note")
    addCache()

    var storage = DatabaseFile()
    let utf16 = Data(text(42).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    storage.add(
      table: "ItemTable", "CREATE TABLE ItemTable (key TEXT, value BLOB)",
      rows: [[.text("draft"), .blob(utf16)]])
    add("Library/WebKit/LocalStorage/page.localstorage", storage.bytes)
    place(
      42, "Library/WebKit/LocalStorage/page.localstorage", "ItemTable, row 1, value", "utf-16")

    var documents = DatabaseFile()
    documents.add(
      table: "kv_default", "CREATE TABLE kv_default (key TEXT, sequence INTEGER, body BLOB)",
      rows: [[.text("page-1"), .integer(1), .blob(Self.fleece(text(18)))]])
    add("Library/notes.cblite2/db.sqlite3", documents.bytes)
    place(18, "Library/notes.cblite2/db.sqlite3", "kv_default, row 1, body", "fleece", "note")

    var objects = DatabaseFile()
    objects.add(
      table: "database2", "CREATE TABLE database2 (collection CHAR, key CHAR, data BLOB)",
      rows: [[.text("pages"), .text("page"), .blob(Self.archive(text(44)).encoded)]])
    add("Documents/yap.sqlite", objects.bytes)
    place(
      44, "Documents/yap.sqlite", "database2, row 1, data", "plist", "archive", "note")
  }

  private mutating func addCache() {
    let folder = "Library/Caches/org.example"
    let name = "6F0E1A4C-1111-4222-8333-444455556666"
    let (first, second) = ("https://example.org/a", "https://example.org/b")
    var database = DatabaseFile()
    database.add(
      table: "cfurl_cache_response",
      "CREATE TABLE cfurl_cache_response (entry_ID INTEGER PRIMARY KEY, request_key TEXT)",
      rows: [[.null, .text(first)], [.null, .text(second)]])
    let hidden = BinaryList.dictionary([("X-Page", .string(text(12)))]).encoded
    database.add(
      table: "cfurl_cache_blob_data",
      "CREATE TABLE cfurl_cache_blob_data (entry_ID INTEGER PRIMARY KEY, request_object BLOB)",
      rows: [
        [
          .null,
          .blob(
            BinaryList.dictionary([
              (
                "Array",
                .array([
                  .dictionary([
                    ("X-Page", .string(text(12))),
                    ("__hhaa__", .string(hidden.base64EncodedString())),
                  ])
                ])
              )
            ]).encoded),
        ]
      ])
    database.add(
      table: "cfurl_cache_receiver_data",
      """
      CREATE TABLE cfurl_cache_receiver_data (entry_ID INTEGER PRIMARY KEY, isDataOnFS INTEGER, \
      receiver_data BLOB)
      """,
      rows: [[.null, .integer(0), .blob(Data("{}".utf8))], [.null, .integer(1), .text(name)]])
    add("\(folder)/Cache.db", database.bytes)
    place(
      12, "\(folder)/Cache.db", "cfurl_cache_blob_data, row 1, request_object", first, "plist",
      "Array[0].X-Page")
    add(13, "\(folder)/fsCachedData/\(name)", at: "\(second) › note") {
      "{\"note\": \"\($0)\"}".utf8
    }
  }

  private mutating func addArchives() {
    add(20, "Documents/outer.zip", at: "inner.zip › page/note.txt › line 2") { text in
      let inner = Packing.zip("page/note.txt", Array("first\n\(text)\n".utf8))
      return Packing.zip("inner.zip", inner)
    }
    add(21, "Documents/pages.tar.gz", at: "gzip › page/note.json › note") { text in
      Packing.gzip(Packing.tar("page/note.json", Array("{\"note\": \"\(text)\"}".utf8)))
    }
    add(22, "Documents/packed.json", at: "page › base64 › gzip › line 1") { text in
      let packed = Data(Packing.gzip(Array("A page with \(text) in it.".utf8)))
      return "{\"page\": \"\(packed.base64EncodedString())\"}".utf8
    }
    add(41, "Documents/page.lz4", at: "lz4 › line 1") { Packing.lz4(Array("A \($0).".utf8)) }
  }

  private mutating func addRecords() {
    add(14, "Library/Cookies/Cookies.binarycookies", at: "example.org/ shown") { text in
      Self.cookies(["example.org", "shown", "/", text])
    }
    add(15, "Library/Keyboard/dynamic-lexicon.dat", at: "byte 36") { text in
      Array("DynamicDictionary-9\0".utf8) + [0, 0, 0, 1, 0xC0, 0xC0, 0, 1]
        + [UInt8](repeating: 1, count: 8) + Array(text.utf8) + [0]
    }
    add(16, "Documents/default.realm", at: "byte 32") { text in
      [24] + [UInt8](repeating: 0, count: 15) + Array("T-DB".utf8) + [9, 9, 0, 0]
        + Array("AAAA".utf8) + [0x11, 0, 0, UInt8(text.utf8.count)] + Array(text.utf8)
        + [UInt8](repeating: 0, count: 16 - text.utf8.count % 8)
    }
    add(17, "Documents/message.pb", at: "protobuf › 3.1") { text in
      let inner = Self.field(1, Array(text.utf8)) + [0x10, 5]
      return [0x08, 0x96, 0x01] + Self.field(2, Array("a page of notes".utf8))
        + Self.field(3, inner) + Self.field(4, Array("shown on the first screen".utf8))
    }
    for name in ["first.txt", "second.txt"] {
      add("Documents/\(text(46))/\(name)", "Nothing of note.".utf8)
    }
    place(46, "Documents/\(text(46))")
    add(43, "Documents/unknown.bin", at: "byte 300") { Self.noise(300) + $0.utf8 + Self.noise(80) }
    add(33, "Documents/masked.bin", at: "byte 300") { text in
      Self.noise(300) + text.utf8.map { $0 ^ 0x5A } + Self.noise(80)
    }
  }

  /// Adds a log, each line of which has a canary in another encoding, and two files in UTF-16.
  private mutating func addWritings() {
    let path = "Library/Logs/app.log"
    var lines = ["It began."]
    func digits(_ bytes: some Sequence<UInt8>) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    let writings: [(number: Int, write: (String) -> String)] = [
      (19, { $0 }),
      (23, { $0.utf8.map { "%" + digits([$0]) }.joined() }),
      (24, { $0.unicodeScalars.map { "&#\($0.value);" }.joined() }),
      (25, { digits($0.utf8) }),
      (26, { base64("the " + $0 + " page") }),
      (27, { base64("a " + $0 + " page") }),
      (28, { base64("an " + $0 + " page") }),
      (29, { Self.forAddresses(base64("???" + $0 + "???")) }),
      (32, { String($0.reversed()) }),
      (34, { digits(Insecure.MD5.hash(data: Data($0.utf8))) }),
      (35, { digits(Insecure.SHA1.hash(data: Data($0.utf8))) }),
      (36, { digits(SHA256.hash(data: Data($0.utf8))) }),
      (37, { $0.utf16.map { "\\u00" + digits([UInt8($0)]) }.joined() }),
      (38, { base64(base64($0)) }),
      (45, { $0.utf8.map { "=" + digits([$0]).uppercased() }.joined() }),
    ]
    for (number, write) in writings {
      lines.append("A page: \(write(text(number))) was shown.")
      place(number, path, "line \(lines.count)")
    }
    add(path, (lines.joined(separator: "\n") + "\n").utf8)
    add(30, "Documents/little.txt", at: "utf-16 › line 2") { text in
      "\u{FEFF}first\n\(text)\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    add(31, "Documents/big", at: "utf-16") { text in
      "A page with \(text).".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
  }

  /// Adds files that other tools wrote, in which a canary replaces a text.
  private mutating func addPrograms() throws {
    let made = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../AtRestFormatsTests/Fixtures/Made")
    func add(_ number: Int, _ name: String, _ path: String, over old: String) throws -> Int {
      var data = try Data(contentsOf: made.appending(path: name))
      guard let range = data.range(of: Data(old.utf8)) else {
        throw FormatError("The fixture \(name) has changed.")
      }
      let new = text(number).padding(toLength: old.utf8.count, withPad: ".", startingAt: 0)
      data.replaceSubrange(range, with: Data(new.utf8))
      self.add(path, data)
      return range.lowerBound
    }
    let offset = try add(
      39, "program.macho", "Example.app/Example", over: "api-key-0123456789abcdef")
    place(39, "Example.app/Example", "arm64", "byte \(offset)")
    let profile = "Example.app/embedded.mobileprovision"
    _ = try add(40, "profile.mobileprovision", profile, over: "Sample Development")
    place(40, profile, "Name")
  }

  /// Adds the databases that `make-canary-databases.py` made.
  private mutating func addMadeDatabases() throws {
    let folder = "Fixtures/Canaries/\(isClean ? "clean" : "typed")"
    guard let url = Bundle.module.url(forResource: folder, withExtension: nil) else {
      throw FormatError("The databases of canaries are missing.")
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
      add("Documents/\(name)", try Data(contentsOf: url.appending(path: name)))
    }
    place(9, "Documents/wide.sqlite", "notes, row 2, body")
    place(10, "Documents/log.sqlite", "notes, row 2, body")
    place(90, "Documents/words.sqlite", "pages_content, row 1, c1")
    place(91, "Documents/words.sqlite", "notes_content, row 1, c1body")
    place(92, "Documents/words.sqlite", "drafts_data, row 137438953473, block", "word")
    place(93, "Documents/words.sqlite", "letters_segdir, row 1, root", "word")
    place(94, "Documents/words.sqlite", "deleted, page 4, byte 4024")
    // The script knows which rows it deleted. A test checks that they are at these places.
    let pages: [(Int, String, String)] = [
      (51, "deleted.sqlite", "deleted, page 2, byte 1953"),
      (52, "deleted.sqlite", "deleted, page 2, byte 1787 › notes.body"),
      (53, "deleted.sqlite", "deleted, page 2, byte 1608 › notes.body"),
      (54, "deleted.sqlite", "deleted, page 3, byte 3048 › notes.body"),
      (55, "deleted.sqlite", "deleted, page 3, byte 3024 › notes.body"),
      (56, "deleted.sqlite", "deleted, page 3, byte 3000 › notes.body"),
      (57, "deleted.sqlite", "deleted, page 6, byte 6133"),
      (58, "older.sqlite", "write-ahead log › deleted, page 2, byte 5250 › notes.body"),
      (59, "older.sqlite", "write-ahead log › deleted, page 2, byte 6275 › notes.body"),
      (60, "journal.sqlite", "rollback journal › deleted, page 2, byte 1498 › notes.body"),
    ]
    for (number, name, steps) in pages { place(number, "Documents/\(name)", steps) }
  }
}
