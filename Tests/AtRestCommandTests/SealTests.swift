import Foundation
import Testing

@Suite struct SealTests {
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

  @Test func aFileIsSealedAndChecked() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    let sealed = try run("seal", "notes")
    #expect(sealed.status == 0)
    #expect(sealed.text == "notes.seal\n")
    #expect(sealed.notes.contains("The key seal was created."))
    let mode = try FileManager.default.attributesOfItem(
      atPath: run.folder.appendingPathComponent("notes.seal").path)[.posixPermissions]
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
    #expect(try run("seal", "notes").status == 1)
    #expect(try run("check", "notes").status == 6)
    let again = try run("seal", "--force", "notes")
    #expect(again.notes == "")
    #expect(try run("check", "notes").status == 0)
  }

  @Test func aSealCanBeInTheFile() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    #expect(try run("seal", "--append", "notes").text == "notes\n")
    #expect(try text(run, "notes").hasPrefix("hello"))
    #expect(!exists(run, "notes.seal"))
    #expect(try run("check", "notes").text == "unchanged notes\n")
    #expect(try run("seal", "--append", "notes").status == 0)
    #expect(try run("check", "notes").status == 0)
    let whole = try Data(contentsOf: run.folder.appendingPathComponent("notes"))
    try (Data("H".utf8) + whole.dropFirst()).write(
      to: run.folder.appendingPathComponent("notes"))
    #expect(try run("check", "notes").status == 6)
    #expect(try run("seal", "--append", ".").status == 2)
    // A stamp beside the file would be checked first, and would no longer match.
    _ = try run.file("other", "hello")
    #expect(try run("seal", "other").status == 0)
    #expect(try run("seal", "--append", "other").status == 1)
    #expect(try run("seal", "--append", "--force", "other").status == 0)
    #expect(!exists(run, "other.seal"))
    #expect(try run("check", "other").status == 0)
  }

  @Test(arguments: ["p256", "ed25519"]) func aPublicKeyChecksWithoutAStore(
    _ algorithm: String
  ) throws {
    let run = try CommandRun.withStore()
    _ = try run.file("key.pem", run("keygen", "--tag", "t", "--algorithm", algorithm).text)
    _ = try run.file("other.pem", run("keygen", "--tag", "u", "--algorithm", algorithm).text)
    _ = try run.file("notes", "hello")
    #expect(try run("seal", "--tag", "t", "notes").status == 0)
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
    #expect(try run("seal", "tree/").text == "tree.manifest\n")
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
    #expect(try run("seal", "tree", "-o", "tree/list").status == 0)
    #expect(try run("check", "--seal", "tree/list", "tree").status == 0)
    _ = try run.file("tree/other", "other")
    #expect(try run("check", "--seal", "tree/list", "tree").status == 6)
  }

  @Test func pipesAreSealedAndChecked() throws {
    let run = try CommandRun.withStore()
    let seal = try run("seal", "-", input: "hello")
    #expect(seal.status == 0)
    try seal.data.write(to: run.folder.appendingPathComponent("s"))
    #expect(try run("check", "--seal", "s", "-", input: "hello").text == "unchanged -\n")
    #expect(try run("check", "--seal", "s", "-", input: "hullo").status == 6)
    #expect(try run("seal", "-o", "s2", "-", input: "hello").text == "s2\n")
    _ = try run.file("notes", "hello")
    #expect(try run("check", "--seal", "s2", "notes").status == 0)
    #expect(try run("check", "-", input: "hello").status == 2)
  }

  @Test func whatCannotBeCheckedSaysWhy() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    let unsealed = try run("check", "notes")
    #expect(unsealed.status == 1)
    #expect(unsealed.notes.contains("notes has no stamp"))
    #expect(try run("check", "missing").status == 3)
    #expect(try run("seal", "missing").status == 3)
    // No unnecessary key was created.
    #expect(try run("list").text == "")
    #expect(try run("seal", "notes").status == 0)
    _ = try run("init", "--no-passcode", "--store", "store2", "--device", "device2")
    let keyless = try run("check", "--store", "store2", "--device", "device2", "notes")
    #expect(keyless.status == 3)
    #expect(keyless.notes.contains("There is no key seal"))
    #expect(try run("list", "--store", "store2", "--device", "device2").text == "")
    #expect(try run("seal", "--key-name", "other", "--force", "notes").status == 0)
    #expect(try run("check", "notes").status == 5)
    #expect(try run("check", "--key-name", "other", "notes").status == 0)
    _ = try run.file("notes.seal", "no seal")
    #expect(try run("check", "notes").status == 1)
  }

  @Test func everyFileIsLookedAt() throws {
    let run = try CommandRun.withStore()
    for name in ["one", "two", "three", "four"] { _ = try run.file(name, name) }
    #expect(try run("seal", "one", "two", "three").text == "one.seal\ntwo.seal\nthree.seal\n")
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
    #expect(try run("seal", "--passcode-file", right, "one", "two").status == 0)
    #expect(try run("check", "--passcode-file", wrong, "one", "two").status == 5)
    #expect(try run("status", "--json").json["failedAttempts"] as? Int == 1)
    #expect(try run("check", "--no-unlock", "one").status == 4)
    #expect(try run("check", "--passcode-file", right, "one", "two").status == 0)
  }

  @Test func usage() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("notes", "hello")
    #expect(try run("seal", "--append", "-o", "s", "notes").status == 2)
    #expect(try run("seal", "--append", "-").status == 2)
    #expect(try run("seal", "-o", "s", "notes", "store").status == 2)
    #expect(try run("seal", "--scheme", "ed25519", "notes").status == 2)
    #expect(try run("seal", "--tag", "t", "--key-name", "k", "notes").status == 2)
    #expect(try run("check", "--public-key-file", "k", "--tag", "t", "notes").status == 2)
  }
}
