import Foundation
import Testing

/// A program that reads and writes databases in SQLCipher's format.
enum Implementation: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case atRest = "AtRest"
  case sqlcipher = "SQLCipher"
  case sqlite3mc = "SQLite3MultipleCiphers"

  var testDescription: String { rawValue }

  /// True if `make setup` could install SQLCipher and SQLite3MultipleCiphers for Python.
  static let peersAreInstalled = FileManager.default.isExecutableFile(atPath: python.path)

  /// All pairs of two different programs, in both orders, one of which is AtRest.
  static let pairs: [Pair] =
    [.sqlcipher, .sqlite3mc].flatMap { [Pair(.atRest, $0), Pair($0, .atRest)] }

  /// The path and the arguments of the program.
  var command: [String] {
    get throws {
      switch self {
      case .atRest: [try Self.worker.path]
      case .sqlcipher: [Self.python.path, Self.peer.path, "sqlcipher"]
      case .sqlite3mc: [Self.python.path, Self.peer.path, "sqlite3mc"]
      }
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let python = root.appendingPathComponent(".build/python/bin/python3")
  private static let peer = root.appendingPathComponent("Tests/database-peer/peer.py")

  /// The worker is in the folder of the test bundle, whatever the configuration is called.
  private static var worker: URL {
    get throws {
      var starts = [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0])]
      if let executable = Bundle.main.executableURL { starts.append(executable) }
      starts += Bundle.allBundles.map(\.bundleURL)
      for start in starts {
        var folder = start.resolvingSymlinksInPath()
        for _ in 0..<5 {
          let binary = folder.appendingPathComponent("atrest-database-program")
          if FileManager.default.isExecutableFile(atPath: binary.path) { return binary }
          folder = folder.deletingLastPathComponent()
        }
      }
      throw CocoaError(.fileNoSuchFile)
    }
  }
}

/// A program that writes, and another one that continues.
struct Pair: Hashable, Sendable, CustomTestStringConvertible {
  let first: Implementation
  let second: Implementation

  init(_ first: Implementation, _ second: Implementation) {
    self.first = first
    self.second = second
  }

  var testDescription: String { "\(first.rawValue), then \(second.rawValue)" }
}
