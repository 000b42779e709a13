import Foundation
import Synchronization

/// The databases of a vault that this process holds.
final class OpenDatabases: Sendable {
  private struct WeakDatabase { weak var database: VaultDatabase? }
  private let known = Mutex<[WeakDatabase]>([])

  /// Returns the database that is held, or a new one.
  func database(_ file: Data, else make: () -> VaultDatabase) -> VaultDatabase {
    known.withLock { known in
      known.removeAll { $0.database == nil }
      if let database = known.lazy.compactMap(\.database).first(where: { $0.file == file }) {
        return database
      }
      let new = make()
      known.append(WeakDatabase(database: new))
      return new
    }
  }

  /// Closes the connections of databases. They are opened again when they are next used, if that is
  /// allowed then.
  func close(where shallClose: (VaultDatabase) -> Bool) {
    let held = known.withLock { $0.compactMap(\.database) }
    for database in held where shallClose(database) { database.close() }
  }
}
