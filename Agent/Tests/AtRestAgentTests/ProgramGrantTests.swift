import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Grants for programs, as an ordinary user needs them.
struct ProgramGrantTests {
  /// `atrest` makes itself unreadable, and is identified all the same.
  @Test func theCommandIsIdentified() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    let atrest = try CommandLineProgram(run)
    #expect(try atrest.withPasscode("unlock").status == 0)
    let refused = try atrest.script("$ATREST get --service mail --account eva --group mail")
    #expect(refused.status == 5)
    // The refusal names the command that helps.
    #expect(
      refused.text.contains("atrest grant add --program \(atrest.path) --group mail"),
      "\(refused.text)")
    #expect(
      try atrest.withPasscode("grant", "add", "--program", atrest.path, "--group", "mail").status
        == 0)
    let given = try atrest.script("$ATREST get --service mail --account eva --group mail")
    #expect(given.text == "mail secret" && given.status == 0, "\(given)")
    #expect(try atrest.script("$ATREST get --service bank --account eva --group bank").status == 5)
    // Grants and the log are for programs without a sandbox, and a program that was not seen counts as one.
    for words in [["grant", "list"], ["log"], ["agent", "status"]] {
      let answer = try atrest.script("$ATREST \(words.joined(separator: " "))")
      #expect(answer.status == 0 && answer.text.contains(atrest.path), "\(answer.text)")
    }
    // Control: another program is not given it.
    #expect(throws: AtRestError.self) { try run.text(AgentRun.mail, over: agent.connect()) }
  }

  /// When it has a secret, other programs of the user cannot read its memory.
  @Test(
    .enabled(
      if: geteuid() != 0 && FileManager.default.fileExists(atPath: "/proc/self/status"),
      "Linux only, and root reads everything"))
  func theCommandStaysUnreadable() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    let atrest = try CommandLineProgram(run)
    try atrest.withPasscode("unlock")
    func start(_ words: [String]) throws -> (Process, Pipe) {
      let (process, input) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: words[0])
      process.arguments = Array(words.dropFirst())
      process.environment = ProcessInfo.processInfo.environment.merging(atrest.values) { $1 }
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.launchInTurn()
      return (process, input)
    }
    func isReadable(_ process: Process) -> Bool {
      let file = open("/proc/\(process.processIdentifier)/mem", O_RDONLY | O_CLOEXEC)
      if file >= 0 { close(file) }
      return file >= 0
    }
    // Both wait for their standard input.
    let (command, input) = try start(
      [atrest.path, "add", "--service", "s", "--account", "a", "--secret-file", "-"])
    let (other, otherInput) = try start(["/bin/cat"])
    defer {
      for process in [command, other] {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
      }
      withExtendedLifetime((agent, input, otherInput)) {}
    }
    eventually { !isReadable(command) }
    #expect(!isReadable(command) && command.isRunning)
    #expect(isReadable(other))
  }

  /// A copy of a program at another path, and another file at its path, have no grant. A grant for a path
  /// that only root can change, or for any version, holds for its next version.
  @Test(.enabled(if: AgentRun.isInstalled("python3"), "needs python3"))
  func versionsOfPrograms() throws {
    let run = try AgentRun()
    try run.unlock()
    let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
    let own = run.folder.appendingPathComponent("own").path
    try FileManager.default.copyItem(atPath: python, toPath: own)
    let script = AgentRun.pythonHead + Self.get
    func get(_ program: String) throws -> Bool {
      try run.execute(program, ["-c", script, run.socket], with: ["PYTHONHOME": "/usr"])
        .text.contains("mail secret")
    }
    func change() throws {
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: own))
      try file.seekToEnd()
      try file.write(contentsOf: Data([0]))
      try file.close()
    }
    let atrest = try CommandLineProgram(run)
    let claim = try AgentClaim(
      store: run.location.store, socket: run.socket, identity: run.service.identity)
    defer { withExtendedLifetime(claim) {} }
    func grant(_ options: String...) throws -> String {
      let result = try run.execute(
        atrest.path, ["grant", "add", "--group", "mail"] + options + atrest.passcode,
        with: atrest.values)
      #expect(result.status == 0, "\(result.text)")
      return String(result.text.split(separator: "\n").last ?? "")
    }
    // A program of the system: the path counts, and no digest is taken.
    #expect(try !get(python))
    var id = try grant("--program", python)
    #expect(try get(python))
    #expect(try !get(own))
    let grants: [AgentGrant] = try run.connect().document(.grants)
    #expect(grants.map(\.evidence) == [AgentEvidence(.systemProgram, python)])
    try run.connect().send(.removeGrant(id, passcode: AgentRun.secret(AgentRun.passcode)))
    #expect(try !get(python))
    // A program of the user: the digest counts.
    id = try grant("--program", own)
    #expect(try get(own))
    try change()
    #expect(try !get(own))
    // Every version of it.
    _ = try grant("--program", own, "--any-version")
    #expect(try get(own))
    try change()
    #expect(try get(own))
    #expect(try !get(python))
  }

  /// Reads the item `mail` over the socket in the first argument.
  static let get = """
    import socket, struct, sys
    def text(value): return struct.pack(">I", len(value)) + value
    get = head(4) + b"\\0\\0\\0" + text(b"") + b"\\0\\1\\0" + text(b"genp") + b"\\0" + text(b"mail")
    get += struct.pack(">H", 2) + text(b"svce") + b"\\1" + text(b"mail")
    get += text(b"acct") + b"\\1" + text(b"eva")
    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
    s.sendall(struct.pack(">I", len(get)) + get)
    size = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
    print(s.recv(size, socket.MSG_WAITALL))
    """

  /// The file of a program whose path root alone can change.
  @Test func pathsOfTheSystem() throws {
    let run = try AgentRun()
    #expect(ProgramFile.isReplaceableByRootOnly("/usr/bin/env") || geteuid() != 0)
    for path in ["/tmp/x", run.folder.path, "relative", "/no/such/file"] {
      #expect(!ProgramFile.isReplaceableByRootOnly(path), "\(path)")
    }
    // A link is no program, and a file that others can write is not root's alone.
    let link = run.folder.appendingPathComponent("link").path
    symlink("/usr/bin/env", link)
    #expect(!ProgramFile.isReplaceableByRootOnly(link))
  }

  /// git over https needs no ssh.
  @Test func gitNeedsNoSSH() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    var atrest = try CommandLineProgram(run)
    atrest.values["PATH"] = run.folder.path
    try atrest.withPasscode("unlock")
    #expect(try atrest.withPasscode("grant", "add", "--for", "git").status == 0)
    #expect(try atrest.withPasscode("grant", "add", "--for", "ssh").status == 3)
    let grants: [AgentGrant] = try agent.connect().document(.grants)
    #expect(grants.map(\.groups) == [["atrest"]])
  }

  /// The process of a script is its interpreter, so a grant for the script would fit nothing. Nor does one for a
  /// folder, and a pipe has no end.
  @Test func aScriptIsNoProgram() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    let atrest = try CommandLineProgram(run)
    try atrest.withPasscode("unlock")
    let script = run.folder.appendingPathComponent("backup")
    try Data("#!/bin/sh\ntrue\n".utf8).write(to: script)
    let refused = try atrest.withPasscode(
      "grant", "add", "--program", script.path, "--group", "mail")
    #expect(refused.status != 0 && refused.text.contains("is a script"), "\(refused.text)")
    let pipe = run.folder.appendingPathComponent("pipe").path
    mkfifo(pipe, 0o600)
    for place in [pipe, run.folder.path] {
      let refused = try atrest.withPasscode("grant", "add", "--program", place, "--group", "mail")
      #expect(refused.status != 0 && refused.text.contains("is no file"), "\(refused.text)")
    }
    #expect(try (agent.connect().document(.grants) as [AgentGrant]).isEmpty)
  }

  /// One question gives a tool what it needs.
  @Test(
    .enabled(if: AgentRun.isInstalled("ssh") && AgentRun.isInstalled("git"), "needs ssh and git"))
  func aToolGetsAllItsGrants() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    let atrest = try CommandLineProgram(run)
    try atrest.withPasscode("unlock")
    let given = try atrest.withPasscode("grant", "add", "--for", "git")
    #expect(given.status == 0)
    var grants: [AgentGrant] = try agent.connect().document(.grants)
    #expect(grants.map(\.groups) == [["atrest"], ["ssh"], ["ssh"]])
    #expect(grants.map(\.mayWrite) == [true, false, false])
    // Each line says what a grant is for.
    let lines = given.text.split(separator: "\n").filter { !$0.hasPrefix("atrest: ") }
    #expect(
      zip(lines, grants).allSatisfy { line, grant in
        line.hasPrefix("\(grant.id)  read") && line.contains(" \(grant.groups[0]): ")
          && line.contains(grant.evidence.value.prefix { $0 != " " })
      } && lines.count == 3, "\(given.text)")
    // The helper of git works, without a terminal.
    let stored = try atrest.script(
      """
      ln -s $ATREST git-credential-atrest
      printf 'protocol=https\\nhost=example.org\\nusername=eva\\npassword=p1\\n\\n' | ./git-credential-atrest store &&
      printf 'protocol=https\\nhost=example.org\\n\\n' | ./git-credential-atrest get
      """)
    #expect(stored.text.contains("password=p1"), "\(stored.text)")
    #expect(try atrest.withPasscode("grant", "add", "--for", "ssh").status == 0)
    grants = try agent.connect().document(.grants)
    // Those that git got already are not given twice.
    #expect(grants.count == 4)
    #expect(try atrest.withPasscode("grant", "add", "--for", "docker").status == 0)
    #expect(try (agent.connect().document(.grants) as [AgentGrant]).count == 5)
    let docker = try atrest.script(
      """
      ln -s $ATREST docker-credential-atrest
      printf '{"ServerURL":"https://example.org","Username":"eva","Secret":"p2"}' | \
        ./docker-credential-atrest store &&
      printf 'https://example.org' | ./docker-credential-atrest get && ./docker-credential-atrest list
      """)
    #expect(docker.text.contains("p2") && docker.text.contains(#""https://example.org":"eva""#))
    #expect(try atrest("grant", "add", "--for", "mail").status == 2)
    #expect(try atrest("grant", "add", "--for", "git", "--group", "a").status == 2)
    // After a lock, git is told to stop, and its user what helps.
    #expect(try atrest("lock").status == 0)
    let locked = try atrest.script(
      "printf 'protocol=https\\nhost=example.org\\n\\n' | ./git-credential-atrest get")
    #expect(
      locked.status == 4 && locked.text.contains("quit=1")
        && locked.text.contains("Unlock it with atrest unlock"), "\(locked)")
  }

  /// The list of grants is whole, and on a terminal of usual width it still says who has a grant.
  @Test func theListShowsThePrograms() throws {
    let run = try AgentRun()
    let agent = try AgentProgram(run.location, in: run.folder)
    let atrest = try CommandLineProgram(run)
    let long = "/usr/lib/" + String(repeating: "long/", count: 20) + "program"
    for path in ["/usr/bin/ssh-keygen", long] {
      try agent.connect().send(
        .addGrant(
          AgentGrant(AgentEvidence(.systemProgram, path), groups: ["ssh"], mayWrite: true),
          passcode: AgentRun.secret(AgentRun.passcode)))
    }
    // Without a terminal, and on one that does not say how wide it is, nothing is cut.
    for text in [
      try atrest("grant", "list").text, try atrest.onTerminal("$ATREST grant list"),
    ] {
      #expect(text.contains("/usr/bin/ssh-keygen") && text.contains(long), "\(text)")
    }
    let narrow = try atrest.onTerminal("stty cols 80; $ATREST grant list")
      .split(whereSeparator: \.isNewline)
    #expect(narrow.count == 3 && narrow.allSatisfy { $0.count <= 80 }, "\(narrow)")
    #expect(narrow.first?.contains("HOLDS") == true && narrow.first?.contains("EVIDENCE") == true)
    #expect(narrow.contains { $0.contains("=/usr/bin/ssh-keygen") }, "\(narrow)")
  }
}
