import AtRestDatabase
import Foundation
import GRDB
import Testing

/// The settings that an application makes before the first page is written.
struct NewDatabaseSettingsTests {
  private let scratch = try! Scratch()

  private func setting(_ name: String, _ queue: DatabaseQueue) throws -> String? {
    try queue.read { try String.fetchOne($0, sql: "PRAGMA \(name)") }
  }

  @Test func theEncodingHolds() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA encoding = 'UTF-16le'") }
    let queue = try scratch.openQueue(.sqlcipher4, configuration)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
    try queue.close()
    #expect(try setting("encoding", scratch.openQueue()) == "UTF-16le")
  }

  /// The size of the reserve is fixed before this setting, so it needs a `VACUUM`, as in a database that exists.
  @Test func theVacuumModeNeedsAVacuum() throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
    let queue = try scratch.openQueue(.sqlcipher4, configuration)
    #expect(try setting("auto_vacuum", queue) == "0")
    try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
    try queue.close()
    #expect(try setting("auto_vacuum", scratch.openQueue()) == "2")
  }
}
