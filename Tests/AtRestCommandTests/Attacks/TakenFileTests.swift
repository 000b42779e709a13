import Foundation
import Testing

/// The view of an attacker who has a protected or a stamped file, or can write to its folder.
@Suite struct TakenFileTests {
  private static let text = "the contents of the diary"

  private func refused(_ result: CommandRun.Result, _ comment: String) {
    #expect(result.status == 5 || result.status == 6, "\(comment): \(result.notes)")
    #expect(result.data.isEmpty, "\(comment)")
  }

  @Test(arguments: ["complete", "complete-unless-open", "none"])
  func aFileOfAStoreShowsItsHeaderAlone(_ name: String) throws {
    let run = try CommandRun.withStore()
    _ = try run.file("diary", Self.text)
    #expect(try run("protect", "--class", name, "--remove", "diary").status == 0)
    let stored = try #require(run.contents("diary.protected"))
    for word in [Self.text, "contents", "diary"] {
      #expect(stored.range(of: Data(word.utf8)) == nil, "\(word)")
    }
    // What the header shows.
    let identity = try #require(try run("status", "--json").json["identity"] as? String)
    let shown = try CommandRun()("inspect", run.folder.path + "/diary.protected").text
    for word in [name, identity, "\(Self.text.utf8.count) bytes"] {
      #expect(shown.contains(word), "\(word)")
    }
    let other = try CommandRun.withStore()
    let file = run.folder.path + "/diary.protected"
    refused(try other("unprotect", "-o", "-", file), "another store")
    // The folder of the store, with the device folder of another one, and the reverse.
    for part in ["STORE", "DEVICE"] {
      refused(
        try other.run(
          ["unprotect", "-o", "-", file], input: nil,
          with: ["ATREST_\(part)": run.folder.path + "/\(part.lowercased())"]), part)
    }
    // Control: with both folders it opens.
    #expect(try run("unprotect", "-o", "-", file).text == Self.text)
  }

  @Test func aFileUnderAPassphraseOrForRecipientsShowsNoContents() throws {
    let run = try CommandRun.withStore()
    let other = try CommandRun.withStore()
    _ = try run.file("diary", Self.text)
    let phrase = try run.file("phrase", "wren under 7 copper kettles")
    let wrong = try run.file("wrong", "wren under 8 copper kettles")
    let key = try run.file("me.pub", run("keygen", "--tag", "me", "--algorithm", "x25519").text)
    _ = try other("keygen", "--tag", "me", "--algorithm", "x25519")
    #expect(try run("protect", "--passphrase-file", phrase, "-o", "p", "diary").status == 0)
    #expect(try run("protect", "--recipient", key, "-o", "r", "diary").status == 0)
    for name in ["p", "r"] {
      let stored = try #require(run.contents(name))
      #expect(stored.range(of: Data("contents".utf8)) == nil)
    }
    refused(try run("unprotect", "--passphrase-file", wrong, "-o", "-", "p"), "wrong passphrase")
    refused(
      try other("unprotect", "--key-tag", "me", "-o", "-", run.folder.path + "/r"), "other key")
    // Control.
    #expect(try run("unprotect", "--passphrase-file", phrase, "-o", "-", "p").text == Self.text)
    #expect(try run("unprotect", "--key-tag", "me", "-o", "-", "r").text == Self.text)
  }

  @Test func wholeFilesCanBeExchanged() throws {
    let run = try CommandRun.withStore()
    for (name, text) in [("older", "older"), ("newer", "newer"), ("other", "other")] {
      _ = try run.file("diary", text)
      #expect(try run("protect", "--class", "complete", "-o", name, "diary").status == 0)
    }
    try run.replace("diary.protected", by: "newer")
    for name in ["older", "other"] {
      try run.replace("diary.protected", by: name)
      #expect(
        try run("unprotect", "--class", "complete", "-o", "-", "diary.protected").text == name)
    }
    // Control: no part of another version is accepted.
    var mixed = try #require(run.contents("newer"))
    mixed.replaceSubrange(mixed.count - 20..<mixed.count, with: run.contents("older")!.suffix(20))
    try mixed.write(to: run.folder.appendingPathComponent("diary.protected"))
    refused(try run("unprotect", "-o", "-", "diary.protected"), "mixed")
  }

  @Test func anyoneCanWriteANewFileForRecipients() throws {
    let run = try CommandRun.withStore()
    let key = try run.file("me.pub", run("keygen", "--tag", "me", "--algorithm", "x25519").text)
    _ = try run.file("diary", Self.text)
    #expect(try run("protect", "--recipient", key, "diary").status == 0)
    // The attacker has the public key alone, and no store.
    let attacker = try CommandRun()
    _ = try attacker.file("forged", "forged")
    let place = run.folder.path + "/diary.protected"
    #expect(
      try attacker("protect", "--recipient", key, "--force", "-o", place, "forged").status == 0)
    let opened = try run("unprotect", "--key-tag", "me", "-o", "-", "diary.protected")
    #expect(opened.status == 0 && opened.text == "forged")
    // Control: a reader that requires a class of the store refuses it.
    refused(
      try run("unprotect", "--class", "complete", "--key-tag", "me", "-o", "-", "diary.protected"),
      "class")
  }

  @Test func aStampedFileIsReadableAndAnOlderOnePasses() throws {
    let run = try CommandRun.withStore()
    for (name, text) in [("older", "one"), ("newer", "two")] {
      _ = try run.file("notes", text)
      #expect(try run("stamp", "--force", "notes").status == 0)
      try run.replace(name, by: "notes")
      try run.replace("\(name).stamp", by: "notes.stamp")
    }
    #expect(run.text("notes") == "two", "The contents stay readable.")
    for name in ["notes", "renamed"] {
      try run.replace(name, by: "older")
      try run.replace("\(name).stamp", by: "older.stamp")
      #expect(try run("check", name).text == "unchanged \(name)\n")
    }
    // Control: an older file beside the present stamp is detected.
    try run.replace("notes.stamp", by: "newer.stamp")
    #expect(try run("check", "notes").status == 6)
  }
}
