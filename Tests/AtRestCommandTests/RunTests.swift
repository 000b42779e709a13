import Foundation
import Testing

/// `atrest run` gives a program secrets in place of references.
struct RunTests {
  private static let secret = "p\"ä$$ w%rd-4711"

  private func withSecret() throws -> CommandRun {
    let run = try CommandRun.withStore()
    #expect(try run("add", "--service", "db", "--account", "eva", input: Self.secret).status == 0)
    return run
  }

  @Test func aReferenceInTheEnvironmentIsReplaced() throws {
    let run = try withSecret()
    let words = ["run", "--no-masking", "--", "sh", "-c", "printf %s \"$A/$B\""]
    let values = ["A": "atrest://db/eva", "B": "http://db/eva"]
    let result = try run.run(words, input: nil, with: values)
    #expect(result.status == 0, "\(result.notes)")
    #expect(result.text == Self.secret + "/http://db/eva")
  }

  @Test func aFileTakesPrecedenceOverTheEnvironment() throws {
    let run = try withSecret()
    let file = try run.file(
      "env", "# comment\n\nexport A='atrest://db/eva'\nB=\"two words\"\nC=x=y\r\n")
    let words = [
      "run", "--no-masking", "--env-file", file, "--", "sh", "-c", "printf '%s|' \"$A\" \"$B\" $C",
    ]
    let result = try run.run(words, input: nil, with: ["A": "no"])
    #expect(result.text == "\(Self.secret)|two words|x=y|")
    let wrong = try run.file("wrong", "A=1\nsecret text\n")
    let refused = try run("run", "--env-file", wrong, "--", "true")
    #expect(refused.status == 2)
    #expect(refused.notes.contains("Line 2") && !refused.notes.contains("secret text"))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "Linux only"))
  func aFileInMemoryHoldsWhatTheEnvironmentDoesNot() throws {
    let run = try withSecret()
    let script = "cat \"$T\"; cat \"$T\" | wc -c; echo x >>\"$T\"; env | grep -c 4711"
    let result = try run(
      "run", "--no-masking", "--file", "T=atrest://db/eva", "--", "sh", "-c", script)
    #expect(result.text == "\(Self.secret)\(Self.secret.utf8.count)\n0\n")
    #expect(result.status == 1)
  }

  @Test func theExitCodeIsPassedOn() throws {
    let run = try withSecret()
    for options in [[], ["--no-masking"]] {
      let words = ["run"] + options + ["--", "sh", "-c"]
      let values = ["A": "atrest://db/eva"]
      #expect(try run.run(words + ["exit 42"], input: nil, with: values).status == 42)
      #expect(try run.run(words + ["kill -9 $$"], input: nil, with: values).status == 137)
      #expect(try run.run(words + ["exit 0"], input: nil, with: values).status == 0)
    }
    #expect(try run("run", "--", "/no/such/program").status == 127)
    #expect(try run("run").status == 2)
  }

  /// A signal that this command receives reaches the program, whose own exit code is kept.
  @Test func aSignalIsPassedOn() throws {
    let run = try withSecret()
    let script = """
      trap 'echo caught; exit 7' TERM; kill -TERM $PPID
      for i in $(seq 2000); do sleep 0.01; done
      """
    for options in [[], ["--no-masking"]] {
      let words = ["run"] + options + ["--", "sh", "-c", script]
      let result = try run.run(words, input: nil, with: ["A": "atrest://db/eva"])
      #expect(result.status == 7)
      #expect(result.text == "caught\n")
    }
  }

  @Test func refusalsStayApart() throws {
    let run = try withSecret()
    func status(_ reference: String, _ options: [String] = []) throws -> Int32 {
      try run.run(["run"] + options + ["--", "true"], input: nil, with: ["A": reference]).status
    }
    #expect(try status("atrest://db/eva") == 0)
    #expect(try status("atrest://db/adam") == 3)
    #expect(try status("atrest://db") == 2)
    #expect(try status("atrest://db/eva/x") == 2)
    #expect(try status("atrest://db/eva?other=1") == 2)
    let passcode = try run.file("passcode", "the first passcode")
    _ = try run("passcode", "set", "--passcode-file", passcode, "--kdf-time", "1")
    #expect(try status("atrest://db/eva") == 4)
    #expect(try status("atrest://db/eva", ["--passcode-file", passcode]) == 0)
  }

  @Test func aGroupAndEncodedPartsAreUnderstood() throws {
    let run = try CommandRun.withStore()
    for (group, secret) in [("one", "first"), ("two", "second")] {
      _ = try run("add", "--service", "a/b", "--account", "é ?", "--group", group, input: secret)
    }
    let values = ["A": "atrest://a%2Fb/%C3%A9%20%3F?group=two"]
    let words = ["run", "--no-masking", "--", "sh", "-c", "printf %s \"$A\""]
    #expect(try run.run(words, input: nil, with: values).text == "second")
  }
}
