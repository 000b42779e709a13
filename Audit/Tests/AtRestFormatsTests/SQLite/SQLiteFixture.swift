import AtRestFormats
import Foundation

/// Databases in an archive of the fixtures, with the rows that SQLite reads from them.
struct SQLiteFixture {
  struct Table: Decodable {
    let columns: [String]
    let rows: [[String]]
  }

  private let archive: ZipArchive

  init(_ name: String) throws {
    let url = Bundle.module.bundleURL.appending(path: "Fixtures/SQLite/\(name)")
    archive = try ZipArchive(Data(contentsOf: url))
  }

  var databases: [String] { archive.entries.map(\.name).filter { $0.hasSuffix(".db") } }

  func data(_ name: String) throws -> Data? {
    guard let entry = archive.entries.first(where: { $0.name == name }) else { return nil }
    return try archive.read(entry, limit: 1 << 26)
  }

  func bytes(_ name: String) throws -> [UInt8]? { try data(name).map(Array.init) }

  func open(_ name: String) throws -> SQLiteFile {
    try SQLiteFile(
      ByteSource(bytes(name) ?? []), wal: bytes(name + "-wal").map(ByteSource.init),
      journal: bytes(name + "-journal").map(ByteSource.init), path: name)
  }

  func expected() throws -> [String: [String: Table]] {
    try JSONDecoder().decode(
      [String: [String: Table]].self, from: data("expected.json") ?? Data())
  }

  static func json(_ name: String) throws -> [String: Any]? {
    let url = Bundle.module.bundleURL.appending(path: "Fixtures/SQLite/\(name)")
    return try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any]
  }
}

extension SQLiteFile {
  /// Returns all rows of a table, and what could not be read.
  func rows(_ name: String) throws -> (rows: [[SQLiteValue]], skipped: [Skip]) {
    guard let table = table(name) else { return ([], []) }
    var rows: [[SQLiteValue]] = []
    let skipped = forEachRow(of: table) { rows.append($0.values) }
    return (rows, skipped)
  }

  func remnants() -> [SQLiteRemnant] {
    var remnants: [SQLiteRemnant] = []
    _ = forEachRemnant { remnants.append($0) }
    return remnants
  }
}

extension SQLiteValue {
  /// The value as the fixtures write it, exact to the last bit.
  var spelled: String {
    switch self {
    case .null: "n"
    case .integer(let number): "i:\(number)"
    case .real(let number): "r:" + hex(number.bitPattern)
    case .text: "t:" + (string ?? "")
    case .blob(let bytes): "b:" + bytes.map(hex).joined()
    }
  }
}

private func hex(_ number: some FixedWidthInteger) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
}
