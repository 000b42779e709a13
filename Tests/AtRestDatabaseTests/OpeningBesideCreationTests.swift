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
    try await withThrowingTaskGroup(of: Set<AtRestError.Code>.self) { group in
      for _ in 0..<3 {
        group.addTask {
          var refusals: Set<AtRestError.Code> = []
          while !Task.isCancelled {
            do {
              try EncryptedDatabase.open(at: file, key: key).close()
              break
            } catch let error as AtRestError {
              refusals.insert(error.code)
            }
          }
          return refusals
        }
      }
      let pool = try EncryptedDatabase.open(at: file, key: key, creating: true)
      try await pool.write { try $0.execute(sql: "CREATE TABLE t(a)") }
      for try await refusals in group { #expect(refusals.isSubset(of: [.notFound])) }
      try pool.close()
    }
  }
}
