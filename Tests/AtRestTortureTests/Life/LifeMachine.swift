import Foundation

/// What is known of one machine: its store, its device and its user's data.
struct LifeMachine {
  enum Root: String { case file, tpm }

  let name: String
  let folder: URL
  /// False before the store is created, and after it was wiped.
  var isAlive = false
  /// nil if the store has none.
  var passcode: String?
  /// Passcodes that opened this store earlier.
  var formerPasscodes: [String] = []
  var root = Root.file
  var entries: LifeEntries = [:]
  /// Effects of steps that were killed, and that were not there when they were looked for.
  ///
  /// SQLite keeps a transaction in its log whose writer was killed just before it told other
  /// connections. They do not see it, and the first connection after them does, unless another
  /// transaction has taken its place.
  var doubts: [String: LifeEntry?] = [:]

  init(_ name: String, in life: URL) throws {
    self.name = name
    folder = life.appendingPathComponent(name)
    for path in ["data/files", "data/envelopes", "data/stamped"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(path), withIntermediateDirectories: true)
    }
  }

  var store: URL { folder.appendingPathComponent("store") }
  var device: URL { folder.appendingPathComponent("device") }
  var data: URL { folder.appendingPathComponent("data") }
  func file(_ name: String) -> String { data.appendingPathComponent("files/\(name)").path }
  func stamped(_ name: String) -> URL { data.appendingPathComponent("stamped/\(name)") }
  func database(_ name: String) -> String { data.appendingPathComponent("\(name).db").path }

  func hasDatabase(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: database(name))
  }

  /// Returns the last parts of the names of a kind of entries, sorted.
  func names(_ prefix: String) -> [String] {
    entries.keys.filter { $0.hasPrefix(prefix) }.sorted().map { String($0.dropFirst(prefix.count)) }
  }
}
