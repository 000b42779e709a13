import AtRest
import AtRestDatabase
import Foundation
import GRDB

/// Uses a database in transactions in which it ends: `interrupted FOLDER MOMENT`. It prints the results of SQLite
/// with which they end, and `alive`.
struct InterruptedTransaction {
  private let folder: URL
  private let place: FolderVault

  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2 else {
      throw AtRestError(.invalidArgument, "interrupted FOLDER MOMENT", remedy: "Name both.")
    }
    let folder = URL(fileURLWithPath: arguments[0])
    let transaction = InterruptedTransaction(folder: folder, place: try FolderVault(folder))
    if arguments[1] == "wiped" {
      try transaction.wiped()
    } else {
      try transaction.locked(arguments[1])
    }
    print("alive")
  }

  private func note(_ body: () throws -> Void) {
    do {
      try body()
      print("done")
    } catch let error as DatabaseError {
      print("sqlite-\(error.resultCode.rawValue)")
    } catch let error as AtRestError {
      print(error.code.rawValue)
    } catch {
      print("\(error)")
    }
  }

  /// The store is locked while the connection is in use, so it is closed only afterwards.
  private func locked(_ moment: String) throws {
    let record = VaultRecord<Data>(
      "archive", DataKind("attachment", .consumerGrade, place: .file))
    let database = try place.vault.logIn("eva").database(in: record)
    let pool = try database.pool
    try pool.write { try $0.execute(sql: "CREATE TABLE note AS SELECT 'walrus' AS text") }
    // An object that is released closes its connections.
    defer { withExtendedLifetime(database) {} }
    note {
      try pool.writeWithoutTransaction { db in
        switch moment {
        case "begin":
          place.keybag.lock()
          try db.inTransaction(.immediate) {
            try db.execute(sql: "DELETE FROM note")
            return .commit
          }
        case "statement":
          try db.inTransaction(.immediate) {
            try db.execute(sql: "DELETE FROM note")
            place.keybag.lock()
            _ = try String.fetchAll(db, sql: "SELECT text FROM note")
            return .commit
          }
        case "savepoint":
          try db.inTransaction(.immediate) {
            place.keybag.lock()
            try db.inSavepoint {
              try db.execute(sql: "DELETE FROM note")
              return .commit
            }
            return .commit
          }
        default:
          // A statement that is used again has taken steps before.
          let rollback = try db.makeStatement(sql: "ROLLBACK")
          for isLast in [false, false, true] {
            try db.beginTransaction(.immediate)
            if isLast { place.keybag.lock() }
            try rollback.execute()
          }
        }
      }
    }
  }

  /// Another process wipes the store in the middle of a transaction.
  private func wiped() throws {
    let keychain = try Keychain.open(place.keybag, identity: ApplicationIdentity("torture"))
    let (file, key) = (
      folder.appendingPathComponent("notes.db"), DatabaseKey.item("notes", in: keychain)
    )
    let queue = try EncryptedDatabase.openQueue(at: file, key: key, creating: true)
    try queue.write { try $0.execute(sql: "CREATE TABLE note AS SELECT 'walrus' AS text") }
    note {
      try queue.write { db in
        try db.execute(sql: "DELETE FROM note")
        try Data().write(to: folder.appendingPathComponent("ready"))
        while true { _ = try String.fetchAll(db, sql: "SELECT text FROM note") }
      }
    }
    note { try queue.write { try $0.execute(sql: "DELETE FROM note") } }
    note { _ = try EncryptedDatabase.openQueue(at: file, key: key) }
  }
}
