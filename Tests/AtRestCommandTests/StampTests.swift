import Foundation
import Testing

@Suite struct StampTests {
  private func text(_ run: CommandRun, _ name: String) throws -> String {
    String(
      decoding: try Data(contentsOf: run.folder.appendingPathComponent(name)), as: UTF8.self)
  }

  private func exists(_ run: CommandRun, _ name: String) -> Bool {
    FileManager.default.fileExists(atPath: run.folder.appendingPathComponent(name).path)
  }

  private func tree(_ run: CommandRun) throws {
    for folder in ["tree", "tree/bin"] {
      try FileManager.default.createDirectory(
        at: run.folder.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    _ = try run.file("tree/bin/tool", "tool")
    _ = try run.file("tree/notes", "notes")
  }

  @Test func aFileIsStampedAndChecked() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    let stamped = try run("stamp", "notes")
    #expect(stamped.status == 0)
    #expect(stamped.text == "notes.stamp\n")
    #expect(stamped.notes.contains("The key stamp was created."))
    let mode = try FileManager.default.attributesOfItem(
      atPath: run.folder.appendingPathComponent("notes.stamp").path)[.posixPermissions]
    #expect(mode as? Int == 0o644)
    let checked = try run("check", "notes")
    #expect(checked.status == 0)
    #expect(checked.text == "unchanged notes\n")
    #expect(checked.notes == "")

    _ = try run.file("notes", "hullo")
    let changed = try run("check", "notes")
    #expect(changed.status == 6)
    #expect(changed.text == "")
    #expect(changed.notes.contains("notes was changed after it was stamped"))
    #expect(try run("stamp", "notes").status == 1)
    #expect(try run("check", "notes").status == 6)
    let again = try run("stamp", "--force", "notes")
    #expect(again.notes == "")
    #expect(try run("check", "notes").status == 0)
  }

  @Test func aStampCanBeInTheFile() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    #expect(try run("stamp", "--append", "notes").text == "notes\n")
    #expect(try text(run, "notes").hasPrefix("hello"))
    #expect(!exists(run, "notes.stamp"))
    #expect(try run("check", "notes").text == "unchanged notes\n")
    #expect(try run("stamp", "--append", "notes").status == 0)
    #expect(try run("check", "notes").status == 0)
    let whole = try Data(contentsOf: run.folder.appendingPathComponent("notes"))
    try (Data("H".utf8) + whole.dropFirst()).write(
      to: run.folder.appendingPathComponent("notes"))
    #expect(try run("check", "notes").status == 6)
    #expect(try run("stamp", "--append", ".").status == 2)
    // A stamp beside the file would be checked first, and would no longer match.
    _ = try run.file("other", "hello")
    #expect(try run("stamp", "other").status == 0)
    #expect(try run("stamp", "--append", "other").status == 1)
    #expect(try run("stamp", "--append", "--force", "other").status == 0)
    #expect(!exists(run, "other.stamp"))
    #expect(try run("check", "other").status == 0)
  }

  @Test(arguments: ["p256", "ed25519"]) func aPublicKeyChecksWithoutAStore(
    _ algorithm: String
  ) throws {
    let run = try CommandRun.withStore()
    _ = try run.file("key.pem", run("keygen", "--tag", "t", "--algorithm", algorithm).text)
    _ = try run.file("other.pem", run("keygen", "--tag", "u", "--algorithm", algorithm).text)
    _ = try run.file("notes", "hello")
    #expect(try run("stamp", "--tag", "t", "notes").status == 0)
    #expect(try run("check", "--tag", "t", "notes").status == 0)
    #expect(try run("check", "--tag", "u", "notes").status == 5)
    #expect(try run("check", "notes").status == 2)
    let nowhere = run.folder.appendingPathComponent("nowhere").path
    #expect(
      try run("check", "--store", nowhere, "--public-key-file", "key.pem", "notes").status == 0)
    let other = try run("check", "--public-key-file", "other.pem", "notes")
    #expect(other.status == 5)
    #expect(other.notes.contains("another key"))
    _ = try run.file("notes", "hullo")
    #expect(try run("check", "--public-key-file", "key.pem", "notes").status == 6)
  }

  @Test func aFolderIsCompared() throws {
    let run = try CommandRun.withStore()
    try tree(run)
    #expect(try run("stamp", "tree/").text == "tree.manifest\n")
    #expect(try run("check", "tree").text == "unchanged tree\n")
    _ = try run.file("tree/notes", "changed")
    _ = try run.file("tree/new", "new")
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("tree/bin/tool"))
    let changed = try run("check", "tree")
    #expect(changed.status == 6)
    #expect(changed.text == "A tree/new\nR tree/bin/tool\nM tree/notes\tcontents, size\n")
    #expect(changed.notes.contains("3 of its entries differ"))
    let json = try #require(try run("check", "--json", "tree").json["checked"] as? [[String: Any]])
    #expect(json.first?["status"] as? String == "changed")
    #expect(json.first?["added"] as? [String] == ["new"])
  }

  @Test func aManifestInTheFolderIsLeftOut() throws {
    let run = try CommandRun.withStore()
    try tree(run)
    #expect(try run("stamp", "tree", "-o", "tree/list").status == 0)
    #expect(try run("check", "--stamp", "tree/list", "tree").status == 0)
    _ = try run.file("tree/other", "other")
    #expect(try run("check", "--stamp", "tree/list", "tree").status == 6)
  }

  @Test func pipesAreStampedAndChecked() throws {
    let run = try CommandRun.withStore()
    let stamp = try run("stamp", "-", input: "hello")
    #expect(stamp.status == 0)
    try stamp.data.write(to: run.folder.appendingPathComponent("s"))
    #expect(try run("check", "--stamp", "s", "-", input: "hello").text == "unchanged -\n")
    #expect(try run("check", "--stamp", "s", "-", input: "hullo").status == 6)
    #expect(try run("stamp", "-o", "s2", "-", input: "hello").text == "s2\n")
    _ = try run.file("notes", "hello")
    #expect(try run("check", "--stamp", "s2", "notes").status == 0)
    #expect(try run("check", "-", input: "hello").status == 2)
  }

  @Test func whatCannotBeCheckedSaysWhy() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    let unstamped = try run("check", "notes")
    #expect(unstamped.status == 1)
    #expect(unstamped.notes.contains("notes has no stamp"))
    #expect(try run("check", "missing").status == 3)
    #expect(try run("stamp", "missing").status == 3)
    // No unnecessary key was created.
    #expect(try run("list").text == "")
    #expect(try run("stamp", "notes").status == 0)
    _ = try run("init", "--no-passcode", "--store", "store2", "--device", "device2")
    let keyless = try run("check", "--store", "store2", "--device", "device2", "notes")
    #expect(keyless.status == 3)
    #expect(keyless.notes.contains("There is no key stamp"))
    #expect(try run("list", "--store", "store2", "--device", "device2").text == "")
    #expect(try run("stamp", "--key-name", "other", "--force", "notes").status == 0)
    #expect(try run("check", "notes").status == 5)
    #expect(try run("check", "--key-name", "other", "notes").status == 0)
    _ = try run.file("notes.stamp", "no stamp")
    #expect(try run("check", "notes").status == 1)
  }

  @Test func everyFileIsLookedAt() throws {
    let run = try CommandRun.withStore()
    for name in ["one", "two", "three", "four"] { _ = try run.file(name, name) }
    #expect(try run("stamp", "one", "two", "three").text == "one.stamp\ntwo.stamp\nthree.stamp\n")
    _ = try run.file("two", "TWO")
    let checked = try run("check", "one", "two", "three", "four")
    #expect(checked.status == 6)
    #expect(checked.text == "unchanged one\nunchanged three\n")
    #expect(checked.notes.contains("two was changed after it was stamped"))
    #expect(checked.notes.contains("four has no stamp"))
  }

  @Test func aWrongPasscodeIsTriedOnce() throws {
    let run = try CommandRun()
    let right = try run.file("right", "passcode")
    let wrong = try run.file("wrong", "nonsense")
    #expect(
      try run("init", "--passcode-file", right).status == 0)
    for name in ["one", "two"] { _ = try run.file(name, name) }
    #expect(try run("stamp", "--passcode-file", right, "one", "two").status == 0)
    #expect(try run("check", "--passcode-file", wrong, "one", "two").status == 5)
    #expect(try run("status", "--json").json["failedAttempts"] as? Int == 1)
    #expect(try run("check", "--no-unlock", "one").status == 4)
    #expect(try run("check", "--passcode-file", right, "one", "two").status == 0)
  }

  @Test func usage() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    #expect(try run("stamp", "--append", "-o", "s", "notes").status == 2)
    #expect(try run("stamp", "--append", "-").status == 2)
    #expect(try run("stamp", "-o", "s", "notes", "store").status == 2)
    #expect(try run("stamp", "--scheme", "ed25519", "notes").status == 2)
    #expect(try run("stamp", "--tag", "t", "--key-name", "k", "notes").status == 2)
    #expect(try run("check", "--public-key-file", "k", "--tag", "t", "notes").status == 2)
  }
}
