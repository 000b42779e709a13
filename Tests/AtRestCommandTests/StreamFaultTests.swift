import Foundation
import Testing

/// A standard stream that is closed or full, or whose reader has ended, never ends the command with
/// a signal and changes no exit code, except that a result that cannot be written turns 0 into 1.
@Suite struct StreamFaultTests {
  /// One command of a sequence. Each command shows that those before it did their work.
  private struct Step: Sendable {
    let arguments: [String]
    let status: Int32
    let hasResult: Bool
    var input: String?
    var prepare: (@Sendable (CommandRun) throws -> Void)?

    init(
      _ line: String, _ status: Int32 = 0, result: Bool = false, input: String? = nil,
      prepare: (@Sendable (CommandRun) throws -> Void)? = nil
    ) {
      arguments = line.split(separator: " ").map(String.init)
      self.status = status
      hasResult = result
      self.input = input
      self.prepare = prepare
    }
  }

  private static let steps: [Step] = [
    Step("--help", result: true),
    Step("--version", result: true),
    Step("passcode", result: true),
    Step("bogus", 2),
    Step("status", 3),
    Step("init --no-passcode"),
    Step("init --no-passcode", 1),
    Step("status", result: true),
    Step("status --verify --json", result: true),
    Step("add --service s --account a", input: "secret"),
    Step("add --service s --account a", 1, input: "secret"),
    Step("get --service s --account a", result: true),
    Step("get --service s --account none", 3),
    Step("list", result: true),
    Step("list --json", result: true),
    Step("update --service s --account a --to-account b"),
    Step("get --service s --account b", result: true),
    Step("delete --service s --account b"),
    Step("delete --service s --account b", 3),
    Step("keygen --tag t --extractable", result: true),
    Step("keygen --tag t", 1),
    Step("public-key --tag t", result: true),
    Step("get --tag t", result: true),
    Step("sign --tag t notes", result: true),
    Step(
      "verify --tag t --signature-file signature notes", result: true,
      prepare: { _ = try $0.file("signature", $0("sign", "--tag", "t", "notes").text) }),
    Step("verify --tag t --signature-file signature other", 6),
    Step("protect notes"),
    Step("protect notes", 1),
    Step("protect --json other", result: true),
    Step("protect -o - other", result: true),
    Step("inspect notes.protected", result: true),
    Step("inspect --json notes.protected", result: true),
    Step("rewrap --class complete notes.protected"),
    Step("unprotect -o - notes.protected", result: true),
    Step("unprotect -o out notes.protected"),
    Step("unprotect -o out notes.protected", 1),
    Step("stamp notes", result: true),
    Step("check notes", result: true),
    Step("check --json notes", result: true),
    Step("check notes other", 1, result: true),
    Step("check notes", 6, prepare: { _ = try $0.file("notes", "changed") }),
    Step("backup bk --passphrase-file passphrase"),
    Step("restore bk --passphrase-file passphrase --on-conflict replace"),
    Step("restore bk --passphrase-file passcode", 5),
    Step("repair --yes"),
    Step("passcode set --passcode-file passcode --kdf-time 1"),
    Step("list --passcode-file other", 5),
    Step("get --tag t --no-unlock", 4),
    Step("passcode change --passcode-file passcode --new-passcode-file passphrase"),
    Step("get --tag t --passcode-file passphrase", result: true),
    Step("passcode remove --passcode-file passphrase"),
    Step("get --tag t", result: true),
    Step("obfuscate --secret-file passphrase", result: true),
    Step("audit .", 3),
    // The store is damaged, so the message comes before the destruction.
    Step("wipe --yes", prepare: { _ = try $0.file("store/keybag", "junk") }),
    Step("status", 3),
  ]

  private static func makeRun() throws -> CommandRun {
    let run = try CommandRun()
    for (name, contents) in [
      ("notes", "notes"), ("other", "other contents"), ("passcode", "the first passcode"),
      ("passphrase", "the second passcode"),
    ] { _ = try run.file(name, contents) }
    return run
  }

  @Test func everyCommandOnEveryFault() throws {
    let faults: [(output: StreamFault?, errors: StreamFault?)] =
      [(nil, nil)] + StreamFault.allCases.map { ($0, nil) }
      + StreamFault.allCases.map { (nil, $0) }
    var table = Self.steps.map { [$0.arguments.joined(separator: " ")] }
    for fault in faults {
      let run = try Self.makeRun()
      for (index, step) in Self.steps.enumerated() {
        try step.prepare?(run)
        let status = try run.status(
          step.arguments, input: step.input, output: fault.output, errors: fault.errors)
        let isLost = fault.output != nil && step.hasResult && step.status == 0
        #expect(
          status == (isLost ? 1 : step.status),
          "\(table[index][0]): output \(fault.output?.rawValue ?? "open"), errors \(fault.errors?.rawValue ?? "open")"
        )
        table[index].append(String(status))
      }
    }
    print("exit codes: none | output closed, full, ended | errors closed, full, ended")
    for row in table {
      print(
        row[0].padding(toLength: 66, withPad: " ", startingAt: 0), row[1...].joined(separator: "  ")
      )
    }
  }

  @Test func aProgramThatTheCommandBecomesGetsTheDefaultSignals() throws {
    let run = try CommandRun()
    // 141: the shell was ended by SIGPIPE, as it is without atrest before it.
    let program = try run.file(
      "atrest-audit", "#!/bin/bash\nkill -PIPE $$\nexit 7\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let status = try run.status(
      ["audit"], with: ["PATH": run.folder.path + ":/usr/bin:/bin"])
    #expect(status == 141)
  }

  @Test func aFileThatMayNotGrowEndsInAnExitCode() throws {
    let run = try Self.makeRun()
    #expect(try run.status(["init", "--no-passcode"]) == 0)
    _ = try run.file("large", String(repeating: "x", count: 1 << 20))
    // Blocks have 1,024 bytes, so the store itself has space.
    #expect(try run.status(["protect", "large"], limitedTo: 512) == 1)
    #expect(!run.exists("large.protected"))
    // Control: without the limit, the command succeeds.
    #expect(try run.status(["protect", "large"]) == 0)
  }

  /// If standard error is closed, the first file that is opened must not become standard error,
  /// because a message would be written into it.
  @Test func noFileTakesTheNumberOfAClosedStream() throws {
    let run = try Self.makeRun()
    #expect(try run.status(["init", "--no-passcode"]) == 0)
    let device = try #require(run.contents("device/device.key"))
    let keybag = try #require(run.contents("store/keybag"))
    let script = """
      '\(try CommandRun.binary().path)' get --service s --account none <&- >&- 2>&-; echo $? > status
      '\(try CommandRun.binary().path)' add --service s --account a <&-; echo $? >> status
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = run.folder
    process.environment = run.environment()
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    // Closed standard input provides no secret: the store's own file is not read as one.
    #expect(run.text("status") == "3\n2\n")
    #expect(run.contents("device/device.key") == device)
    #expect(run.contents("store/keybag") == keybag)
    #expect(try run("status", "--verify").status == 0)
  }
}
