import Foundation
import Testing

/// What the module of PAM does with a password, and to whom it gives it.
@Suite(.enabled(if: LoginRun.isInstalled, "pamtester, libpam-wrapper or libpam0g-dev is missing"))
struct LoginModuleTests {
  private static let password = "nine copper kettles"
  private let run: AgentRun

  init() throws { run = try AgentRun() }

  /// A program in the place of `atrest`, which writes what it was given into a file.
  private func recorder() throws -> (program: String, record: String) {
    let folder = run.folder.appendingPathComponent("record")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let program = folder.appendingPathComponent("recorder")
    let script = """
      #!/bin/sh
      for f in /proc/$$/fd/*; do echo "descriptor $(readlink "$f")"; done >\(folder.path)/record
      exec >>\(folder.path)/record
      echo "arguments $*"
      echo "user $(id -u) groups $(id -G)"
      env | sed 's/^/variable /'
      echo "mask $(umask) folder $(pwd) core $(ulimit -c) terminal $(tty </dev/tty 2>&1)"
      echo "input $(cat)"
      """
    try Script.write(script, to: program.path)
    // Another user runs it, if root runs the tests.
    chmod(folder.path, 0o777)
    chmod(run.folder.path, 0o755)
    return (program.path, folder.path + "/record")
  }

  private func lines(_ path: String) -> [String] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(
      String.init)
  }

  @Test func theUserGetsThePasswordAndNothingElse() throws {
    let (program, record) = try recorder()
    var login = try LoginRun(run, password: Self.password, options: "program=\(program)")
    if geteuid() == 0 { login.user = "nobody" }
    let user = try #require(getpwnam(login.user)).pointee
    login.session = [
      "ATREST_STORE": "/a store", "LD_PRELOAD": "/a library", "ATREST_AGENT": "/a socket",
      "BASH_ENV": "/a script", "PATH": "/a folder", "XDG_RUNTIME_DIR": "/a runtime",
    ]
    let result = try login(Self.password)
    #expect(result.status == 0, "\(result.text)")
    let lines = lines(record)
    #expect(lines.contains("arguments unlock --at-login --passcode-file -"))
    #expect(
      lines.contains { $0.hasPrefix("user \(user.pw_uid) groups \(user.pw_gid)") }, "\(lines)")
    #expect(lines.contains("input \(Self.password)"))
    #expect(lines.contains { $0.hasPrefix("mask 0077 folder / core 0 terminal") }, "\(lines)")
    #expect(lines.filter { $0.contains(Self.password) }.count == 1)
    // The shell adds PWD.
    let names = lines.filter { $0.hasPrefix("variable ") }
      .map { String($0.dropFirst(9).prefix { $0 != "=" }) }
    #expect(
      Set(names).subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == [
        "HOME", "USER", "LOGNAME", "PATH", "LANG", "XDG_RUNTIME_DIR", "ATREST_STORE",
      ], "\(names)")
    #expect(lines.contains("variable PATH=/usr/local/bin:/usr/bin:/bin"))
    // A pipe, twice nothing, and what the script itself opens. `pamtester` has another file open (`LoginRun`).
    let descriptors = lines.filter { $0.hasPrefix("descriptor ") }
    #expect(
      descriptors.allSatisfy {
        $0.contains("pipe:") || $0.contains("/dev/null") || $0.contains("/record/")
      }, "\(descriptors)")
  }

  /// `sudo` asks for the password of one user, and opens a session for another one.
  @Test func aSessionOfAnotherUserGetsNothing() throws {
    let (program, record) = try recorder()
    let login = try LoginRun(run, password: Self.password, options: "program=\(program)")
    #expect(try login(Self.password, sessionUser: "nobody").status == 0)
    #expect(lines(record).isEmpty)
    // Control: the same user.
    #expect(try login(Self.password, sessionUser: login.user).status == 0)
    #expect(!lines(record).isEmpty)
  }

  /// The session of a second login on the same terminal of PAM has no password.
  @Test func thePasswordIsGivenOnce() throws {
    let (program, record) = try recorder()
    let login = try LoginRun(run, password: Self.password, options: "program=\(program)")
    let steps = ["authenticate", "open_session"]
    #expect(try login(Self.password, steps: steps).status == 0)
    let first = lines(record)
    try FileManager.default.removeItem(atPath: record)
    #expect(try login(Self.password, steps: steps + ["open_session"]).status == 0)
    #expect(lines(record).count == first.count)
    // A login without a password, as with a key of ssh.
    try FileManager.default.removeItem(atPath: record)
    #expect(try login("", steps: ["open_session"]).status == 0)
    #expect(lines(record).isEmpty)
  }

  @Test(arguments: ["sufficient", "required", "optional"])
  func itLetsNobodyIn(_ control: String) throws {
    let login = try LoginRun(
      run, password: Self.password, options: "", service: "auth \(control) MODULE\n")
    #expect(try login(Self.password, steps: ["authenticate"]).status != 0)
    // Control: a module that accepts everybody.
    let open = try LoginRun(
      run, password: Self.password, options: "", service: "auth \(control) pam_permit.so\n")
    #expect(try open(Self.password, steps: ["authenticate"]).status == 0)
  }

  @Test func noCopyOfThePasswordIsLeft() throws {
    let (program, record) = try recorder()
    let login = try LoginRun(run, password: Self.password, options: "")
    let host = run.folder.appendingPathComponent("host").path
    try LoginRun.compile("Tests/PAM/host.c", ["-rdynamic"], ["-ldl"], to: host, run)
    let masked = Self.password.utf8.map { String(format: "\\%03o", $0 | 0x80) }.joined()
    let result = try run.execute(
      "/bin/sh",
      ["-c", "exec \"$1\" \"$(printf '\(masked)')\" \"$2\" \"$3\" \"program=$4\"", "sh", host]
        + [login.user, login.module, program])
    #expect(
      result.text.split(separator: "\n") == [
        "before 0", "typed 1", "authenticate 1",
        // The copy of the module is in pages that are not swapped, dumped or copied to child processes.
        "kept 1", "pages 1", "child 0", "child ended 0",
        "session 1", "after 0",
      ], "\(result)")
    #expect(lines(record).contains("input \(Self.password)"))
  }
}
