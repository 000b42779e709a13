import AtRest
import Foundation
import GRDB
import Synchronization

/// Makes a database in a vault, and ends with SIGKILL before one of the statements that SQLite runs
/// meanwhile: `database FOLDER STATEMENT`. Statement 0 is the opening of the first connection.
enum DatabaseCrash {
  static func run(_ arguments: [String]) throws {
    guard arguments.count == 2, let statement = Int(arguments[1]) else {
      throw AtRestError(.invalidArgument, "database FOLDER STATEMENT", remedy: "Name both.")
    }
    let place = try FolderVault(URL(fileURLWithPath: arguments[0]))
    let counter = StatementCounter(end: statement)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      counter.count()
      db.trace { _ in counter.count() }
    }
    let record = VaultRecord<Data>(
      "archive", DataKind("attachment", .consumerGrade, place: .file))
    _ = try place.vault.logIn("eva").database(in: record, configuration: configuration)
  }
}

/// Counts statements, and kills the process before one of them.
private final class StatementCounter: Sendable {
  private let end: Int
  private let seen = Mutex(0)

  init(end: Int) { self.end = end }

  func count() {
    let number = seen.withLock { seen in
      defer { seen += 1 }
      return seen
    }
    if number == end { kill(getpid(), SIGKILL) }
  }
}
