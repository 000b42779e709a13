import Foundation
import Testing

/// The view of an attacker who has copies of the store's folder and of the device folder, and runs
/// the program on them.
@Suite struct CopiedFoldersTests {
  private static let classes = ["when-unlocked", "after-first-unlock", "always"]
  private static let fileClasses = [
    "complete", "complete-unless-open", "complete-until-first-authentication", "none",
  ]

  @Test func withoutAPasscodeBothOpenEverything() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "secret")
    _ = try run.file("plain", "contents")
    #expect(try run("protect", "--class", "complete", "plain").status == 0)
    let both = try run.copied(to: "both")
    #expect(try both("get", "--service", "s", "--account", "a").text == "secret")
    #expect(try both("unprotect", "-o", "-", "plain.protected").text == "contents")
    // Control: neither folder alone opens anything.
    for (part, status) in [("store", Int32(6)), ("device", 3)] {
      let alone = try run.copied([part], to: "\(part)-alone")
      for arguments in [
        ["get", "--service", "s", "--account", "a"], ["unprotect", "-o", "-", "plain.protected"],
      ] {
        let refused = try run.run(
          arguments, input: nil,
          with: ["ATREST_STORE": alone.path("store"), "ATREST_DEVICE": alone.path("device")])
        #expect(refused.status == status && refused.data.isEmpty, "\(part) \(arguments)")
      }
    }
  }

  @Test func withAPasscodeTheyOpenWhatIsAlwaysReadable() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    for name in Self.classes {
      #expect(
        try run(
          "add", "--service", "s", "--account", name, "--accessible", name, "--passcode-file",
          passcode, input: "secret \(name)"
        ).status == 0)
    }
    _ = try run.file("plain", "contents")
    for name in Self.fileClasses {
      #expect(
        try run("protect", "--class", name, "--passcode-file", passcode, "-o", name, "plain")
          .status == 0)
    }
    let both = try run.copied(to: "both")
    func get(_ account: String) throws -> CommandRun.Result {
      try both("get", "--service", "s", "--account", account, "--no-unlock")
    }
    #expect(try Self.classes.map { try get($0).status } == [4, 4, 0])
    #expect(try get("always").text == "secret always")
    #expect(
      try Self.fileClasses.map { try both("unprotect", "--no-unlock", "-o", "-", $0).status }
        == [4, 4, 4, 0])
    #expect(try both("unprotect", "--no-unlock", "-o", "-", "none").text == "contents")
    // The list names no item of a locked class.
    let list = try both("list", "--no-unlock")
    #expect(list.text.contains("always") && !list.text.contains("when-unlocked"))
    // A guess of the attributes is confirmed by the refusal, and a wrong one is not found.
    #expect(try get("when-unlocked").status == 4)
    #expect(try get("when-locked").status == 3)
    // Control: with the passcode, everything is read.
    #expect(
      try both(
        "get", "--service", "s", "--account", "when-unlocked", "--passcode-file", passcode
      ).text == "secret when-unlocked")
  }

  /// Each fresh copy of both folders has all attempts again.
  @Test func nothingLimitsGuessesOnCopies() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "let me in\n")
    let wrong = try run.file("wrong", "let me out\n")
    #expect(
      try run(
        "init", "--passcode-file", passcode, "--kdf-time", "1", "--attempt-limit", "1"
      ).status == 0)
    #expect(
      try run("add", "--service", "s", "--account", "a", "--passcode-file", passcode, input: "x")
        .status == 0)
    let copies = try (0..<2).map { try run.copied(to: "copy-\($0)") }
    let guess = try copies[0]("list", "--passcode-file", wrong)
    #expect(guess.status == 1 && guess.notes.contains("was wiped"))
    // Control: on the copy whose attempts are used up, the right passcode opens nothing.
    #expect(
      try copies[0]("get", "--service", "s", "--account", "a", "--passcode-file", passcode)
        .status != 0)
    #expect(
      try copies[1]("get", "--service", "s", "--account", "a", "--passcode-file", passcode).text
        == "x")
  }

  /// The passcode is known, and the device key is missing.
  @Test func thePasscodeOpensNothingOnAnotherDevice() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    #expect(
      try run("add", "--service", "s", "--account", "a", "--passcode-file", passcode, input: "x")
        .status == 0)
    _ = try run.file("plain", "contents")
    #expect(
      try run("protect", "--class", "none", "--passcode-file", passcode, "plain").status == 0)
    let other = try CommandRun.withStore()
    for arguments in [
      ["get", "--service", "s", "--account", "a"], ["list"],
      ["unprotect", "-o", "-", "plain.protected"],
    ] {
      func refusal(_ device: String) throws -> CommandRun.Result {
        try run.run(
          arguments + ["--passcode-file", passcode], input: nil, with: ["ATREST_DEVICE": device])
      }
      let refused = try refusal(other.folder.appendingPathComponent("device").path)
      #expect(refused.status == 6 && refused.data.isEmpty, "\(arguments)")
      #expect(refused.notes.contains("another device"))
      // Control.
      #expect(try refusal(run.folder.appendingPathComponent("device").path).status == 0)
    }
  }
}
