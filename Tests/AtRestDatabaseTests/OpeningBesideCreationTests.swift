import AtRestCrypto
import AtRestDatabase
import Foundation
import GRDB
import Testing

/// A database that is opened while another thread or process makes it is missing or whole.
struct OpeningBesideCreationTests {
  private let scratch = try! Scratch()

  @Test(arguments: 0..<20) func isMissingOrWhole(_: Int) async throws {
    let key = DatabaseKey.item("notes", in: try Scratch.keychain())
    let file = scratch.file
    // SQLite does not wait when it changes the journal mode, so a pool may find the file busy.
    var configuration = Configuration()
    configuration.busyMode = .timeout(30)
    let waiting = configuration
    try await withThrowingTaskGroup(of: Set<AtRestError.Code>.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var refusals: Set<AtRestError.Code> = []
          while !Task.isCancelled {
            do {
              try EncryptedDatabase.openQueue(at: file, key: key, configuration: waiting).close()
              break
            } catch let error as AtRestError {
              refusals.insert(error.code)
            }
          }
          return refusals
        }
      }
      let queue = try EncryptedDatabase.openQueue(
        at: file, key: key, creating: true, configuration: waiting)
      try await queue.write { try $0.execute(sql: "CREATE TABLE t(a)") }
      for try await refusals in group { #expect(refusals.isSubset(of: [.notFound])) }
      try queue.close()
    }
  }
}
