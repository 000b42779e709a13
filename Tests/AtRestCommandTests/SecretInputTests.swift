import Foundation
import Testing

@Suite struct SecretInputTests {
  @Test func aPipeIsTakenByteForByte() throws {
    let run = try CommandRun.withStore()
    #expect(try run("add", "--service", "s", "--account", "a", input: "one\n").status == 0)
    let got = try run("get", "--service", "s", "--account", "a")
    #expect(got.status == 0)
    #expect(got.text == "one\n")
    #expect(got.notes == "")
  }

  @Test func aFinalNewlineIsLeftOutOnRequest() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", "--strip-newline", input: "one\n\n")
    #expect(try run("get", "--service", "s", "--account", "a").text == "one\n")
  }

  @Test func aFileIsTakenByteForByte() throws {
    let run = try CommandRun.withStore()
    let file = try run.file("secret", String(repeating: "0123456789\n", count: 9000))
    #expect(
      try run("add", "--service", "s", "--account", "a", "--secret-file", file).status == 0)
    let got = try run("get", "--service", "s", "--account", "a")
    #expect(try got.data == Data(contentsOf: URL(fileURLWithPath: file)))
  }

  @Test func aClosedPipeIsNoSecret() throws {
    let run = try CommandRun.withStore()
    let refused = try run("add", "--service", "s", "--account", "a")
    #expect(refused.status == 2)
    #expect(try run("get", "--service", "s", "--account", "a").status == 3)
  }

  @Test func aSecretIsNoArgument() throws {
    let run = try CommandRun.withStore()
    let refused = try run("add", "--service", "s", "--account", "a", "hunter2")
    #expect(refused.status == 2)
    for option in ["--secret", "--password", "--passcode", "--passphrase"] {
      #expect(
        try run("add", "--service", "s", "--account", "a", option, "hunter2").status == 2)
    }
  }

  @Test func standardInputGivesOneSecretOnly() throws {
    let run = try CommandRun.withStore()
    let refused = try run(
      "add", "--service", "s", "--account", "a", "--passcode-file", "-", "--secret-file", "-",
      input: "x")
    #expect(refused.status == 2)
  }
}
