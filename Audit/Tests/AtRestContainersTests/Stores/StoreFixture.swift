import AtRestContainers
import AtRestFormats
import Crypto
import Foundation

/// The stores that the scripts `make-mmkv-fixtures.py`, `make-lmdb-fixtures.py`, `make-hive-fixtures.py` and
/// `make-indexeddb-fixtures.py` wrote.
enum StoreFixture {
  /// A canary, and the place at which it must be found.
  struct Place: Sendable {
    let canary: String
    let locator: String
    let isDeleted: Bool

    /// Creates the place of a canary of a store.
    ///
    /// - Parameter steps: The path of the file within `Stores`, and what follows it.
    init(_ store: String, _ number: Int, _ steps: String, isDeleted: Bool = false) {
      self.init(StoreFixture.canary(store, number), steps, isDeleted: isDeleted)
    }

    init(_ canary: String, _ steps: String, isDeleted: Bool = false) {
      self.canary = canary
      locator = "Documents/" + steps
      self.isDeleted = isDeleted
    }
  }

  /// Returns a text that occurs nowhere else, as `store_canaries.py` computes it.
  static func canary(_ store: String, _ number: Int) -> String {
    let hash = SHA256.hash(data: Data("\(store) \(number)".utf8)).prefix(5)
    return "\(store)-\(number)-" + hash.map { String(format: "%02x", $0) }.joined()
  }

  /// Returns ten digits that occur nowhere else.
  static func digits(_ store: String, _ number: Int) -> String {
    let hash = SHA256.hash(data: Data("\(store) \(number)".utf8)).prefix(6)
    return String(2_000_000_000 + hash.reduce(0) { $0 << 8 | Int($1) } % 7_000_000_000)
  }

  /// The files of the stores, by their paths in a container.
  static func files(isClean: Bool = false) throws -> [String: [UInt8]] {
    let folder = "Fixtures/Stores/\(isClean ? "clean" : "typed")"
    guard let url = Bundle.module.url(forResource: folder, withExtension: nil) else {
      throw FormatError("The stores are missing.")
    }
    var files: [String: [UInt8]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: url.path) {
      guard path.contains("/"),
        let data = FileManager.default.contents(atPath: "\(url.path)/\(path)")
      else { continue }
      files["Documents/\(path)"] = [UInt8](data)
    }
    return files
  }

  static func file(_ path: String) throws -> [UInt8] {
    guard let bytes = try files()["Documents/\(path)"] else {
      throw FormatError("\(path) is missing.")
    }
    return bytes
  }
}

extension StoreFixture {
  static let mmkv = [
    Place("mmkv", 1, "mmkv/settings › session", isDeleted: true),
    Place("mmkv", 2, "mmkv/settings › session"),
    Place("mmkv", 3, "mmkv/settings › draft", isDeleted: true),
    Place(digits("mmkv", 4), "mmkv/settings › height"),
    Place(digits("mmkv", 5).prefix(6) + ".25", "mmkv/settings › balance"),
    Place("mmkv", 6, "mmkv/settings › user › json › note"),
    Place("mmkv", 7, "mmkv/settings › photo"),
    Place("mmkv", 8, "mmkv/settings › recent › [1]"),
    Place("mmkv", 9, "mmkv/settings › long"),
    Place("mmkv", 10, "mmkv/rewritten › removed", isDeleted: true),
    Place("mmkv", 11, "mmkv/rewritten › replaced", isDeleted: true),
    Place("mmkv", 12, "mmkv/rewritten › kept"),
    Place("mmkv", 13, "mmkv/expiring › session"),
    Place(digits("mmkv", 14), "mmkv/expiring › code"),
  ]

  static let hive = [
    Place("hive", 1, "hive/settings.hive › session", isDeleted: true),
    Place("hive", 2, "hive/settings.hive › session"),
    Place("hive", 3, "hive/settings.hive › draft", isDeleted: true),
    Place(digits("hive", 4), "hive/settings.hive › height"),
    Place("hive", 5, "hive/settings.hive › 7 › user.note"),
    Place("hive", 6, "hive/settings.hive › recent › [1]"),
    Place("hive", 7, "hive/settings.hive › photo"),
    Place("hive", 8, "hive/settings.hive › profile › field 1.field 1"),
    Place("hive", 9, "hive/settings.hive › own"),
    Place("hive", 10, "hive/settings.hive › codes › integers"),
  ]

  private static func pages(_ store: String, _ file: String, _ deleted: [String]) -> [Place] {
    [
      Place(store, 1, "\(file) › session"),
      Place(store, 2, "\(file) › user › json › note"),
      Place(store, 3, "\(file) › notes › long"),
      Place(store, 4, "\(file) › notes › 0000000000000007"),
      Place(store, 5, "\(file) › rows › row 0050b"),
      Place(store, 10, "\(file) › tags › colours"),
      Place(store, 11, "\(file) › tags › many"),
    ]
      + zip(6..., deleted).map { number, steps in
        Place(store, number, "\(file) › \(steps)", isDeleted: true)
      }
  }

  static let lmdb = pages(
    "lmdb", "lmdb/data.mdb",
    [
      "deleted, page 3, byte 16264 › removed", "deleted, page 19, byte 81566 › replaced",
      "deleted, page 3, byte 16232 › long and removed", "deleted, page 2, byte 12258 › draft",
    ])
  static let mdbx = pages(
    "mdbx", "mdbx/default.isar",
    [
      "deleted, page 18, byte 77708 › removed", "deleted, page 6, byte 28318 › replaced",
      "deleted, page 18, byte 77680 › long and removed", "deleted, page 4, byte 20450 › draft",
    ])

  static let indexedDB = [
    (1, "1/1 draft › structured clone › note", false),
    (2, "1/1 draft › structured clone › list[1]", false),
    (3, "1/1 draft › structured clone › wide", false),
    (4, "1/1 draft › structured clone › map.key", false),
    (5, "1/1 draft › structured clone › data", false),
    (6, "1/1 7 › structured clone", false),
    (7, "1/2 Jane › structured clone › mail[0]", false),
    (8, "1/1 replaced › structured clone", true),
    (9, "1/1 removed, 1 › structured clone", true),
  ].map { Place("indexeddb", $0, "indexeddb/000003.log › \($1)", isDeleted: $2) }

  /// The places of copies of live canaries. A change of LMDB copies a page, and the former one stays.
  static let copies = [
    "Documents/lmdb/data.mdb › session": "deleted, page 17, byte 73651",
    "Documents/lmdb/data.mdb › user › json › note": "deleted, page 17, byte 73616",
    "Documents/lmdb/data.mdb › rows › row 0050b": "deleted, page 2, byte 8407",
  ]

  static let all = mmkv + hive + lmdb + mdbx + indexedDB
}
