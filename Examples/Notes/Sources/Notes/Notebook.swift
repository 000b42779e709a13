import AtRestDatabase
import AtRestKeychain
import Foundation
import GRDB

/// A notebook in one encrypted file. The key is an item of the keychain, so without the passcode nobody
/// reads the notes, nor the words that can be searched for.
public final class Notebook {
  private let file: URL
  private let keychain: Keychain
  private var connections: DatabasePool?

  /// A notebook in a file, which is made by the first note. A locked keychain refuses all calls.
  public init(_ file: URL, keychain: Keychain) {
    self.file = file
    self.keychain = keychain
  }

  public func add(_ text: String) throws -> Note {
    try database().write { db in
      var note = Note(id: nil, text: text, written: Date())
      try note.insert(db)
      return note
    }
  }

  /// The notes, the latest one first.
  public func notes() throws -> [Note] {
    try database().read { try Note.order(Column("id").desc).fetchAll($0) }
  }

  /// The notes that contain all words of a text, or words that begin with them.
  public func notes(with words: String) throws -> [Note] {
    guard let pattern = FTS5Pattern(matchingAllPrefixesIn: words) else { return [] }
    return try database().read { db in
      let sql = """
        SELECT note.* FROM note JOIN noteWords ON noteWords.rowid = note.id
        WHERE noteWords MATCH ? ORDER BY note.id DESC
        """
      return try Note.fetchAll(db, sql: sql, arguments: [pattern])
    }
  }

  /// Locks the keychain, and closes the file: an open database would stay readable.
  public func lock() throws {
    try connections?.close()
    connections = nil
    keychain.keybag.lock()
  }

  private func database() throws -> DatabasePool {
    if let connections { return connections }
    let opened = try EncryptedDatabase.open(
      at: file, key: .item("notes", in: keychain), creating: true)
    try DatabaseMigrator.notes.migrate(opened)
    connections = opened
    return opened
  }
}
