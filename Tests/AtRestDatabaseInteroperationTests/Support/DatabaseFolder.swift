import Foundation

/// A folder with a database, removed with this object.
final class DatabaseFolder: Sendable {
  let url: URL
  var database: URL { url.appendingPathComponent("app.db") }
  var log: URL { url.appendingPathComponent("app.db-wal") }
  var journal: URL { url.appendingPathComponent("app.db-journal") }

  init() throws {
    url = Self.place.appendingPathComponent("atrest-database-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// A folder in memory, if the system offers one.
  private static let place: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    return FileManager.default.isWritableFile(atPath: memory.path)
      ? memory : FileManager.default.temporaryDirectory
  }()

  /// Copies the database, its log and its journal as they are.
  func copy() throws -> DatabaseFolder {
    let copy = try DatabaseFolder()
    for (from, to) in [(database, copy.database), (log, copy.log), (journal, copy.journal)]
    where FileManager.default.fileExists(atPath: from.path) {
      try FileManager.default.copyItem(at: from, to: to)
    }
    return copy
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}
