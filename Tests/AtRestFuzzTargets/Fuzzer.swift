import AtRestCrypto
import AtRestFiles
import Foundation

/// Passes inputs to one target. Not safe to use from several threads: inputs share a folder.
package final class Fuzzer {
  /// A wrong result of a read that succeeded.
  package struct Finding: Error, CustomStringConvertible {
    package let description: String
  }

  package let target: FuzzTarget
  /// The number of reads that succeeded so far.
  package private(set) var acceptedCount = 0
  let folder: URL

  /// - Throws: An error if no temporary folder can be created.
  package init(_ target: FuzzTarget) throws {
    self.target = target
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Reads one input.
  ///
  /// - Throws: Any error except `AtRestError`, with which malformed bytes are refused.
  package func run(_ input: Data) throws {
    switch target {
    case .file: try readFile(input)
    case .forgedFile: try readForgedFile(FuzzInput(input))
    case .journal: try readJournal(FuzzInput(input))
    case .seals: try readStamps(FuzzInput(input))
    case .legacy: try readLegacy(FuzzInput(input))
    case .keys: try readKeys(FuzzInput(input))
    case .certificates: try readCertificates(FuzzInput(input))
    case .keybag: try readKeybag(FuzzInput(input))
    case .vault: try readVault(FuzzInput(input))
    case .databaseKeys: try readDatabaseKeys(FuzzInput(input))
    case .database: try readDatabase(FuzzInput(input))
    case .agent: try readAgentMessage(FuzzInput(input))
    case .credentials: try readCredential(FuzzInput(input))
    }
  }

  /// Returns honest inputs, with which mutations begin.
  package func seeds() throws -> [Data] {
    switch target {
    case .file: try fileSeeds()
    case .forgedFile: forgedFileSeeds()
    case .journal: try journalSeeds()
    case .seals: try stampSeeds()
    case .legacy: try legacySeeds()
    case .keys: try keySeeds()
    case .certificates: certificateSeeds()
    case .keybag: try keybagSeeds()
    case .vault: try vaultSeeds()
    case .databaseKeys: try databaseKeysSeeds()
    case .database: try databaseSeeds()
    case .agent: try agentSeeds()
    case .credentials: credentialSeeds()
    }
  }

  /// Runs a closure that may throw `AtRestError`, and returns true if it did not.
  @discardableResult
  func isAccepted(_ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      acceptedCount += 1
      return true
    } catch is AtRestError {
      return false
    }
  }

  func expect(_ condition: Bool, _ finding: @autoclosure () -> String) throws {
    guard condition else { throw Finding(description: finding()) }
  }
}
