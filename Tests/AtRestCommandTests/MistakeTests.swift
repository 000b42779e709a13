import Foundation
import Testing

/// What people type by mistake, and the answer that helps.
@Suite struct MistakeTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    var input: String?
    let status: Int32
    let answer: [String]
    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let usage: [Mistake] = [
    Mistake(
      arguments: ["get", "--service", "mail", "--acount", "eva"], status: 2,
      answer: ["Unknown option '--acount'. Did you mean '--account'?", "atrest get --help"]),
    Mistake(
      arguments: ["get", "mail"], status: 2,
      answer: ["Unexpected argument 'mail'. An item is named by --service and --account."]),
    Mistake(
      arguments: ["add", "--service", "m", "--account", "a", "--secret", "hunter2"], status: 2,
      answer: ["Secrets are never arguments", "change it"]),
    Mistake(
      arguments: ["add", "--service", "m", "--account", "a", "--password=hunter2"], status: 2,
      answer: ["Secrets are never arguments"]),
    Mistake(
      arguments: ["statsu"], status: 2,
      answer: ["There is no command 'statsu'. Did you mean 'status'?"]),
    Mistake(
      arguments: ["help", "nothing"], status: 2, answer: ["There is no command 'nothing'."]),
    Mistake(
      arguments: ["help", "device", "mvoe"], status: 2,
      answer: ["There is no command 'mvoe'. Did you mean 'move'?"]),
    Mistake(
      arguments: ["device", "mvoe"], status: 2,
      answer: ["There is no command 'mvoe'. Did you mean 'move'?", "atrest device --help"]),
    Mistake(
      arguments: ["list", "-x"], status: 2, answer: ["Unknown option '-x'."]),
    Mistake(
      arguments: ["add", "--server", "https://example.org/login", "--account", "eva"], input: "x",
      status: 2, answer: ["--server is the name of a host", "--protocol"]),
    Mistake(
      arguments: ["run", "--", "./no-such-program"], status: 127,
      answer: ["Could not run ./no-such-program"]),
    Mistake(arguments: ["run", "--", "/etc/passwd"], status: 126, answer: ["Permission denied"]),
    Mistake(
      arguments: ["backup", "b"], status: 2,
      answer: ["no terminal to ask for the passphrase", "--passphrase-file"]),
    Mistake(
      arguments: ["add", "--service", "m", "--account", "a", "--passcode-file", "-"], input: "x",
      status: 2, answer: ["only one secret", "--secret-file"]),
  ]

  @Test(arguments: usage)
  func theAnswerSaysWhatToDo(_ mistake: Mistake) throws {
    let run = try CommandRun.withStore()
    let result = try run.run(mistake.arguments, input: mistake.input)
    #expect(result.status == mistake.status)
    for part in mistake.answer { #expect(result.notes.contains(part), "\(result.notes)") }
    #expect(!result.notes.contains("hunter2"))
  }

  @Test func helpOfACommandIsAResult() throws {
    let run = try CommandRun()
    #expect(try run("help", "device", "move").status == 0)
    #expect(try run("help", "device", "move").text.contains("USAGE: atrest device move"))
  }

  @Test func aFileOfSeveralLinesIsNoPasscodeAndNoAttempt() throws {
    let run = try CommandRun()
    let passcode = try run.file("passcode", "a-long-passcode\n")
    #expect(try run("init", "--passcode-file", passcode).status == 0)
    let lines = try run.file("lines", "one\ntwo\n")
    let refused = try run("list", "--passcode-file", lines)
    #expect(refused.status == 2)
    #expect(refused.notes.contains("several lines"))
    #expect(try run("status", "--json").json["failedAttempts"] as? Int == 0)
    // A wrong passcode of one line counts.
    let wrong = try run.file("wrong", "another-passcode\n")
    #expect(try run("list", "--passcode-file", wrong).status == 5)
    #expect(try run("status", "--json").json["failedAttempts"] as? Int == 1)
  }

  /// What could not be given later is not taken as a new passcode either.
  @Test func aFileOfSeveralLinesIsNoNewPasscode() throws {
    let run = try CommandRun()
    let lines = try run.file("lines", "one long line\nand another\n")
    #expect(try run("init", "--passcode-file", lines).status == 2)
    #expect(try run("status").status == 3)
    #expect(try run("init", "--no-passcode").status == 0)
    #expect(try run("passcode", "set", "--passcode-file", lines).status == 2)
    let passcode = try run.file("passcode", "one long line\n")
    #expect(try run("passcode", "set", "--passcode-file", passcode).status == 0)
    #expect(
      try run("passcode", "change", "--passcode-file", passcode, "--new-passcode-file", lines)
        .status
        == 2)
    #expect(try run("list", "--passcode-file", passcode).status == 0)
  }

  @Test func bytesThatAreNoTextAreAPasscode() throws {
    let run = try CommandRun()
    let file = run.folder.appendingPathComponent("bytes")
    try Data([0xFF, 0x0A, 0x81, 0x0A, 0xFE, 0x00, 0x99, 0x0A]).write(to: file)
    #expect(try run("init", "--passcode-file", file.path).status == 0)
    #expect(try run("list", "--passcode-file", file.path).status == 0)
  }

  @Test func aNewlineThatIsStoredIsNamed() throws {
    let run = try CommandRun.withStore()
    let noted = try run("add", "--service", "s", "--account", "a", input: "secret\n")
    #expect(noted.status == 0)
    #expect(noted.notes.contains("--strip-newline"))
    let silent = try run(
      "add", "--service", "s", "--account", "b", "--strip-newline", input: "secret\n")
    #expect(!silent.notes.contains("newline"))
    #expect(try run("get", "--service", "s", "--account", "a").text == "secret\n")
    #expect(try run("get", "--service", "s", "--account", "b").text == "secret")
  }

  @Test func aConflictOfARestoreNamesTheOption() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "nine unlikely words of a lamp and a river")
    _ = try run("add", "--service", "s", "--account", "a", input: "x")
    #expect(try run("backup", "b", "--passphrase-file", phrase).status == 0)
    let refused = try run("restore", "b", "--passphrase-file", phrase)
    #expect(refused.status == 1)
    #expect(refused.notes.contains("Use --on-conflict keep or --on-conflict replace."))
  }

  @Test func aWeakPasscodeAndAWeakPassphraseAreUsage() throws {
    let run = try CommandRun()
    let weak = try run.file("weak", "1234")
    let passcode = try run("init", "--passcode-file", weak)
    #expect(passcode.status == 2)
    #expect(passcode.notes.contains("--weak-passcode"))
    #expect(!passcode.notes.contains("allowsWeakPasscode"))
    #expect(try run("init", "--no-passcode").status == 0)
    let passphrase = try run("backup", "b", "--passphrase-file", weak)
    #expect(passphrase.status == 2)
    #expect(passphrase.notes.contains("--accept-weak-passphrase"))
  }

  @Test func aReaderThatHasSeenEnoughIsNoFault() throws {
    let run = try CommandRun()
    let program = try CommandRun.binary().path
    // The pipe has no reader when the command starts.
    let shown = try run.execute(
      "/usr/bin/python3",
      [
        "-c",
        """
        import os, signal, subprocess, sys
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
        read, write = os.pipe()
        os.close(read)
        sys.exit(subprocess.run([sys.argv[1], "help", "add"], stdout=write).returncode)
        """, program,
      ])
    #expect(shown.status == 1)
    #expect(shown.notes == "")
  }
}
