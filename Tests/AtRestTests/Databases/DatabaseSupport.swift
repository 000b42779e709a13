import AtRest
import Foundation
import GRDB
import Testing

extension VaultRecord where Value == Data {
  /// A database of a kind that is always stored in a file.
  static var archive: VaultRecord { VaultRecord("archive", .attachment) }
}

extension VaultDatabase {
  /// Makes the table of the tests.
  func makeNotes() throws {
    try write { try $0.execute(sql: "CREATE TABLE note (text TEXT)") }
  }

  func add(_ text: String) throws {
    try write { try $0.execute(sql: "INSERT INTO note VALUES (?)", arguments: [text]) }
  }

  /// The texts of all notes.
  var notes: [String] {
    get throws { try read { try String.fetchAll($0, sql: "SELECT text FROM note") } }
  }
}

extension Compartment {
  /// Returns a new database with one note.
  func databaseWithNote(
    _ text: String = "walrus", in record: VaultRecord<Data> = .archive
  ) throws -> VaultDatabase {
    let database = try database(in: record)
    try database.makeNotes()
    try database.add(text)
    return database
  }
}
