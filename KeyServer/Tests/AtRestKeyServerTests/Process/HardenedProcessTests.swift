@_spi(Tools) import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

/// What other processes of the server's user can read, and which key files the program accepts.
@Suite struct HardenedProcessTests {
  private let folder = TemporaryFile()
  private let certificate: TestCertificate

  init() throws {
    certificate = try TestCertificate()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try write("server-key", String(repeating: "0a", count: 32))
    for (name, file) in [("chain", certificate.certificate), ("key", certificate.key)] {
      try write(name, String(contentsOfFile: file, encoding: .utf8))
    }
    if getuid() == 0 { chown(folder.path, 65534, 65534) }
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func write(_ name: String, _ text: String, mode: mode_t = 0o600) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    chmod(path(name), mode)
    if getuid() == 0 { chown(path(name), 65534, 65534) }
  }

  /// The arguments that run a program as an ordinary user.
  private var user: [String] {
    getuid() == 0 ? ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] : []
  }

  private var serve: [String] {
    [
      ServerProgram.path, "serve", "--port", "0", "--certificate", path("chain"), "--private-key",
      path("key"), "--server-key", path("server-key"), "--embedded", path("keys.db"),
    ]
  }

  @Test func `Another process of its user does not read the server's memory, and it dumps no core`()
    throws
  {
    let output = TemporaryFile()
    let pid = try ChildProcess.start(user + serve, output: output.path)
    let other = try ChildProcess.start(user + ["sleep", "600"], output: "/dev/null")
    defer {
      for process in [pid, other] {
        kill(process, SIGKILL)
        ChildProcess.wait(process)
      }
    }
    #expect(try eventually { try output.text().contains("serving") })
    let read = ["cat"]
    #expect(try ChildProcess.run(user + read + ["/proc/\(pid)/maps"]).status != 0)
    // The control: this user reads those of other processes.
    #expect(try ChildProcess.run(user + read + ["/proc/\(other)/maps"]).status == 0)
    let limits = try ChildProcess.run(user + read + ["/proc/\(pid)/limits"]).text
    #expect(limits.contains(#/Max core file size +0 +0 /#), "\(limits)")
    // Nor does another user read the embedded database.
    for suffix in ["", "-wal"] {
      let mode = try FileManager.default.attributesOfItem(atPath: path("keys.db") + suffix)
      #expect(mode[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test(arguments: [0o644, 0o604, 0o620, 0o606] as [mode_t])
  func `A key file that others can read or change is refused`(mode: mode_t) throws {
    let list = [
      ServerProgram.path, "account", "list", "--embedded", path("keys.db"), "--server-key",
      path("server-key"),
    ]
    chmod(path("server-key"), mode)
    let refused = try ChildProcess.capture(user + list)
    #expect(refused.status == 5 && refused.errors.contains(path("server-key")), "\(refused.errors)")
    // The controls: only the owner, or his group too.
    for safe in [0o600, 0o400, 0o640] as [mode_t] {
      chmod(path("server-key"), safe)
      #expect(try ChildProcess.capture(user + list).status == 0)
    }
    chmod(path("key"), mode)
    let unserved = try ChildProcess.capture(user + serve)
    #expect(unserved.status == 5 && unserved.errors.contains(path("key")), "\(unserved.errors)")
  }

  @Test func `A link to a key file is judged by the file`() throws {
    try write("open", String(repeating: "0a", count: 32), mode: 0o644)
    for (target, status) in [("open", 5), ("server-key", 0)] as [(String, Int32)] {
      symlink(path(target), path("link \(target)"))
      let list = [
        ServerProgram.path, "account", "list", "--embedded", path("keys.db"), "--server-key",
        path("link \(target)"),
      ]
      #expect(try ChildProcess.capture(user + list).status == status)
    }
  }
}
