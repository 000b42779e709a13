import Foundation
import Testing

/// If a file that the command opens by itself is replaced by anything else, the command answers
/// soon and harms nothing.
///
/// Files that the user names (a passcode file, an input of `protect`) may be pipes on purpose, and
/// the command waits for them.
@Suite struct ReplacedFileTests {
  private typealias Row = ReplacedFileTable.Row

  private static func names(_ run: CommandRun, _ folder: String, _ suffix: String) throws
    -> [String]
  {
    try run.names(folder).filter { $0.hasSuffix(suffix) || $0.hasPrefix(suffix) }
      .map { "\(folder)/\($0)" }
  }

  @Test func inAStoreAndItsDevice() throws {
    let run = try CommandRun.withStore()
    let tests = try ReplacedFileTable(run)
    #expect(try run("add", "--service", "s", "--account", "a", input: "x").status == 0)
    let control = Row(file: "", arguments: ["get", "--service", "s", "--account", "a"])
    var files = [
      "store/keybag", "store/lock", "store/keychain.db", "store/keychain.db-wal",
      "store/keychain.db-shm", "device/device.key",
    ]
    files += try Self.names(run, "device", ".keybag") + Self.names(run, "device", ".counter")
    #expect(files.count == 8)
    tests.print(
      try files.map { file in
        try tests.tried(
          Row(
            file: file, arguments: ["add", "--service", "s", "--account", "NEW"],
            input: "y"), control: control)
      })
  }

  /// The files that only a passcode, a store that is created, and a place that is looked up need.
  @Test func inADeviceWithAPasscode() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let tests = try ReplacedFileTable(run)
    let add = ["add", "--service", "s", "--account", "a", "--passcode-file", passcode]
    #expect(try run.run(add, input: "x").status == 0)
    let get = Row(
      file: "",
      arguments: ["get", "--service", "s", "--account", "a", "--passcode-file", passcode])
    let files =
      try Self.names(run, "device", ".attempts") + Self.names(run, "device", ".keybag.lock")
    #expect(files.count == 2)
    tests.print(
      try files.map { try tests.tried(Row(file: $0, arguments: get.arguments), control: get) })
  }

  /// The device's record of the store in a folder is read if the store is gone.
  @Test func inADeviceWhoseStoreIsGone() throws {
    let run = try CommandRun.withStore()
    let tests = try ReplacedFileTable(run)
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("store"))
    let status = Row(file: "", arguments: ["list"], status: 6)
    let files = try Self.names(run, "device", "place-")
    #expect(files.count == 1)
    tests.print(
      try files.map { try tests.tried(Row(file: $0, arguments: ["list"]), control: status) })
  }

  @Test func inAVault() throws {
    let run = try CommandRun()
    let tests = try ReplacedFileTable(run)
    func row(_ file: String, _ part: String) -> Row {
      Row(
        file: file, program: "atrest-vault-worker", arguments: ["use", run.folder.path, part])
    }
    for _ in 0..<2 {
      #expect(try tests.limited(row("", "store")).status == 0)
    }
    let folder = try #require(try run.names("vault/values").first)
    let value = try #require(try run.names("vault/values/\(folder)").first)
    let rows = [
      // First, since the store below gives the value another file.
      row("vault/values/\(folder)/\(value)", "read"), row("vault/installation", "read"),
      row("vault/lock", "read"), row("vault/writing", "store"),
    ]
    tests.print(try rows.map { try tests.tried($0, control: row("", "read")) })
  }

  @Test func besideFiles() throws {
    let run = try CommandRun.withStore()
    let tests = try ReplacedFileTable(run)
    try run.makeFolder("f")
    for name in ["f/doc", "doc"] { _ = try run.file(name, "text") }
    #expect(try run("protect", "--class", "none", "f/doc").status == 0)
    #expect(try run("stamp", "doc", "f").status == 0)
    let unprotect = ["unprotect", "--force", "f"]
    let rewrap = ["rewrap", "--class", "none", "f"]
    let rows = [
      Row(file: "f/doc.protected", arguments: unprotect, isPrivate: false),
      Row(file: "f/doc.protected", arguments: rewrap, isPrivate: false),
      Row(file: "f/doc.protected.atrest-journal", arguments: unprotect, isPrivate: false),
      Row(file: "f/doc.protected.atrest-journal", arguments: rewrap, isPrivate: false),
      Row(file: "doc.stamp", arguments: ["check", "doc"], isPrivate: false),
      Row(file: "doc", arguments: ["check", "doc"], isPrivate: false),
      Row(file: "f.manifest", arguments: ["check", "f"], isPrivate: false),
    ]
    tests.print(
      try rows.map { row in
        try tests.tried(row, control: Row(file: "", arguments: ["check", "doc"]))
      })
  }
}
