import AtRestCrypto
import AtRestKeyServerStore
import Foundation
import Testing

/// A folder that somebody prepared before a device's key is written to it.
@Suite struct PreparedDeviceFolderTests {
  private let program: ServerProgram
  private let store: KeyServerStore
  private let place = TemporaryFile()
  private var device: String { "\(place.path)/device" }

  init() throws {
    let database = try TestDatabase(.embedded)
    // With the system's clock, which the program has too.
    store = try KeyServerStore(Database(database.place), serverKey: SecretBytes(database.serverKey))
    program = try ServerProgram(database)
    try store.createAccount("eva")
    try FileManager.default.createDirectory(
      atPath: device, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  private func enrol() throws -> (status: Int32, output: String, errors: String) {
    let code = TemporaryFile()
    try code.write(store.createCode(for: "eva") + "\n")
    return try ChildProcess.capture([
      ServerProgram.path + "-client", "enrol", "--device", device, "--host", "localhost", "--port",
      "\(program.port)", "--trust", program.certificate.certificate, "--code-file", code.path,
    ])
  }

  private func status(_ path: String) -> stat {
    var status = stat()
    lstat(path, &status)
    return status
  }

  @Test(arguments: ["link", "hard link", "file for all", "pipe"])
  func `A prepared file does not get the key`(kind: String) throws {
    let (key, victim) = ("\(device)/key.pem", "\(place.path)/victim")
    try Data("kept".utf8).write(to: URL(fileURLWithPath: victim))
    switch kind {
    case "link": symlink(victim, key)
    case "hard link": link(victim, key)
    case "pipe": mkfifo(key, 0o666)
    default:
      try Data("prepared".utf8).write(to: URL(fileURLWithPath: key))
      chmod(key, 0o666)
    }
    let enrolled = try enrol()
    #expect(enrolled.status == 0, "\(enrolled.errors)")
    let made = status(key)
    #expect(made.st_mode == S_IFREG | 0o600 && made.st_nlink == 1 && made.st_uid == geteuid())
    #expect(try String(contentsOfFile: victim, encoding: .utf8) == "kept")
    // The control: the key is there.
    #expect(try String(contentsOfFile: key, encoding: .utf8).contains("PRIVATE KEY"))
  }

  @Test(arguments: [0o777, 0o720, 0o702] as [mode_t])
  func `A folder that others can write to is refused, before the code is used`(mode: mode_t) throws
  {
    chmod(device, mode)
    let refused = try enrol()
    #expect(refused.status == 5 && refused.errors.contains("Others can write to the folder"))
    #expect(try store.devices().isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: device).isEmpty)
    // The control.
    chmod(device, 0o700)
    #expect(try enrol().status == 0)
  }

  @Test(.enabled(if: getuid() == 0, "Only root can give a folder away."))
  func `A folder of somebody else is refused`() throws {
    chown(device, 65534, 65534)
    let refused = try enrol()
    #expect(refused.status == 5 && refused.errors.contains("Others can write to the folder"))
    #expect(try store.devices().isEmpty)
  }

  @Test func `A link to a folder is judged by the folder`() throws {
    let target = "\(place.path)/target"
    try FileManager.default.createDirectory(
      atPath: target, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
    chmod(target, 0o777)
    rmdir(device)
    symlink(target, device)
    #expect(try enrol().status == 5)
  }
}
