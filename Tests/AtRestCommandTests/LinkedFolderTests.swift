import Foundation
import Testing

/// A path through a link to a folder, and then up: the system goes to the folder above the target of the link.
@Suite struct LinkedFolderTests {
  private let run: CommandRun

  init() throws {
    run = try CommandRun()
    try run.makeFolder("real/inner")
    try FileManager.default.createSymbolicLink(
      atPath: run.folder.appendingPathComponent("link").path, withDestinationPath: "real/inner")
  }

  @Test func aDatabaseAndItsKeyFile() throws {
    let phrase = try run.file("real/phrase", "wren under 7 kettles\n")
    let made = try run(
      "database", "shell", "--new", "--key-file", "link/../notes.key", "--passphrase-file", phrase,
      "./link/.././notes.db", "CREATE TABLE t AS SELECT 7 AS a")
    #expect(made.status == 0, "\(made.notes)")
    #expect(try run.names("real") == ["inner", "notes.db", "notes.key", "phrase"])
    #expect(try run.names("").filter { $0.hasPrefix("notes") } == [])
  }

  @Test func aStoreAndAProtectedFile() throws {
    let places = ["--store", "link/../store", "--device", "link/../device"]
    #expect(try run.run(["init", "--no-passcode"] + places, input: nil).status == 0)
    _ = try run.file("real/text", "walrus")
    _ = try run.file("text", "otter")
    let protected = try run.run(
      ["protect"] + places + ["link/../text", "-o", "link/../copy"], input: nil)
    #expect(protected.status == 0, "\(protected.notes)")
    #expect(try run.names("real") == ["copy", "device", "inner", "store", "text"])
    // Control: the whole path leads to the same store and file.
    let real = run.folder.appendingPathComponent("real").path
    let read = try run.run(
      [
        "unprotect", "--store", "\(real)/store", "--device", "\(real)/device", "\(real)/copy", "-o",
        "-",
      ], input: nil)
    #expect(read.text == "walrus")
  }
}
