import Foundation
import Testing

/// An exit code means the same whichever command ends with it.
///
/// The commands are those of the program's own description, so a new one fails here until it is in a list.
@Suite struct EveryCommandTests {
  /// The arguments of each command that opens the store, in a folder that ``Prepared`` filled. WAY stands for the
  /// place of further options, and _ for a space in an argument.
  private static let ofStore: [String: String] = [
    "passcode change": "--new-passcode-file other", "passcode remove": "--yes",
    "backup": "copy --passphrase-file other",
    "restore": "backup --passphrase-file other --on-conflict keep",
    "repair": "--yes",
    "add": "--service t --account a --secret-file plain", "get": "--service s --account a",
    "list": "", "search": "s",
    "update": "--service s --account a --label l", "delete": "--service s --account a",
    "protect": "plain -o copy", "rewrap": "--class none protected",
    "unprotect": "protected -o copy",
    "run": "--file F=atrest://s/a WAY -- /bin/true", "credential aws": "a --service s",
    "credential kubernetes": "--service s --account a", "credential git": "get",
    "credential askpass": "Password_for_'https://eva@a.b':",
    "database export": "--item d database copy", "database import": "--item e exported copy",
    "database rekey": "--item d database", "database shell": "--item d database SELECT_1",
    "database verify": "--item d database", "database keys": "--item d",
    "database open": "WAY --item d database SELECT_1",
    "keygen": "--tag j", "public-key": "--tag k", "sign": "--tag k plain",
    "verify": "--tag k --signature-file signature plain", "stamp": "--tag k plain -o copy",
    "check": "--tag k --stamp stamp plain",
  ]

  /// Commands that need an agent, which does not run here.
  private static let ofAgent: [String: String] = [
    "unlock": "", "lock": "", "agent status": "", "agent stop": "", "grant list": "",
    "grant remove": "1",
    "grant add": "--for git", "log": "", "import secret-service": "",
  ]

  /// Commands to which no passcode is given, or that need no store. Tests of their own have their codes.
  private static let others: Set<String> = [
    "init", "status", "passcode set", "wipe", "device status", "device counters", "device remove",
    "device reseal", "device forget", "device move", "agent start", "inspect",
    "database passphrase", "credential docker",
    "obfuscate", "audit", "generate",
  ]

  @Test func everyCommandIsHere() throws {
    let listed = Self.others.union(Self.ofStore.keys).union(Self.ofAgent.keys)
    #expect(try Set(Self.commands().map { $0.joined(separator: " ") }) == listed)
  }

  @Test func helpAndWrongOptions() throws {
    let run = try CommandRun()
    // The auditor has options of its own, and another program answers.
    for command in try Self.commands() where command != ["audit"] {
      #expect(try run.run(command + ["--help"], input: nil).status == 0, "\(command)")
      // Also where arguments are missing.
      let wrong = try run.run(command + ["--no-such-option"], input: nil)
      #expect(wrong.status == 2, "\(command)")
      #expect(
        wrong.notes.contains("Unknown option '--no-such-option'"), "\(command): \(wrong.notes)")
    }
  }

  @Test(arguments: ofStore.keys.sorted())
  func theStoreDecides(_ command: String) throws {
    let prepared = try Prepared.one.get()
    func status(_ options: String = "", _ change: (CommandRun) throws -> Void = { _ in }) throws
      -> Int32
    {
      let run = try prepared.copy()
      try change(run)
      return try run.run(
        Self.arguments(of: command, options), input: "protocol=https\nhost=a.b\n\n"
      ).status
    }
    #expect(try status { try FileManager.default.removeItem(at: $0.store) } == 3)
    #expect(try status() == 4)
    #expect(try status("--passcode-file other") == 5)
    #expect(try status { _ = try $0.file("store/keybag", "nonsense") } == 6)
    // Control: with the passcode none of these is the answer, but an item may be missing.
    #expect(try [0, 3].contains(status("--passcode-file passcode")))
  }

  @Test(arguments: ofAgent.keys.sorted())
  func noAgentIsNotFound(_ command: String) throws {
    let run = try Prepared.one.get().copy()
    let words = [command, Self.ofAgent[command] ?? ""].joined(separator: " ").split(separator: " ")
    let result = try run.run(words.map(String.init), input: nil)
    #expect(result.status == 3)
    #expect(result.notes.contains("atrest agent start"))
  }

  private static func arguments(of command: String, _ options: String) -> [String] {
    let given = ofStore[command] ?? ""
    let line = given.contains("WAY") ? given.replacing("WAY", with: options) : "\(options) \(given)"
    return "\(command) \(line)".split(separator: " ").map {
      String($0).replacing("_", with: " ")
    }
  }

  /// The names of all commands without subcommands.
  private static func commands() throws -> [[String]] {
    func leaves(_ command: [String: Any], _ names: [String]) -> [[String]] {
      let parts = command["subcommands"] as? [[String: Any]] ?? []
      let further = parts.filter { $0["commandName"] as? String != "help" }
      guard !further.isEmpty else { return [names] }
      return further.flatMap { leaves($0, names + [$0["commandName"] as? String ?? ""]) }
    }
    let description = try CommandRun()("--experimental-dump-help").json
    return leaves(try #require(description["command"] as? [String: Any]), [])
  }

  /// A folder with a store that has a passcode, and with what the commands need.
  private final class Prepared: @unchecked Sendable {
    static let one = Result { try Prepared() }

    // Nothing changes it once it is filled.
    private let run: CommandRun

    private init() throws {
      run = try CommandRun()
      for name in ["passcode", "other", "plain"] {
        _ = try run.file(name, "nine unlikely words of a \(name) and a river\n")
      }
      let way = ["--passcode-file", "passcode"]
      for words in [
        "init --kdf-time 1", "add --service s --account a --secret-file plain", "keygen --tag k",
        "protect plain -o protected", "backup backup --passphrase-file other",
        "stamp --tag k plain -o stamp", "database shell --new --item d database VACUUM",
        "database export --item d database exported",
      ] {
        let result = try run.run(words.split(separator: " ").map(String.init) + way, input: nil)
        #expect(result.status == 0, "\(words): \(result.notes)")
      }
      let signature = try run.run(["sign", "--tag", "k", "plain"] + way, input: nil)
      _ = try run.file("signature", signature.text)
    }

    /// Returns a copy, which a command may change.
    func copy() throws -> CommandRun {
      let copy = try CommandRun()
      for name in try FileManager.default.contentsOfDirectory(atPath: run.folder.path)
      where !name.hasPrefix(".") {
        try FileManager.default.copyItem(
          at: run.folder.appendingPathComponent(name), to: copy.folder.appendingPathComponent(name))
      }
      return copy
    }
  }
}

extension CommandRun {
  fileprivate var store: URL { folder.appendingPathComponent("store") }
}
