import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The program `atrest-keyserver-client` against the running server.
@Suite struct ClientProgramTests {
  private let program: ServerProgram
  private let store: KeyServerStore
  private let folder = TemporaryFile()

  init() throws {
    let database = try TestDatabase(.embedded)
    store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    program = try ServerProgram(database)
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
  }

  private func file(_ name: String, _ text: String = "") throws -> String {
    let path = "\(folder.path)/\(name)"
    if !text.isEmpty { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    return path
  }

  private func client(
    _ arguments: [String]
  ) throws -> (status: Int32, output: String, errors: String) {
    try ChildProcess.capture([ServerProgram.path + "-client"] + arguments)
  }

  private func enrol(_ device: String, code: String) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try client([
      "enrol", "--device", file(device), "--host", "localhost", "--port", "\(program.port)",
      "--trust", program.certificate.certificate, "--code-file", file("code", code + "\n"),
    ])
  }

  @Test func `A file is protected and opened again, and a damaged one costs no attempt`() throws {
    try store.createAccount("eva")
    #expect(try enrol("laptop", code: store.createCode(for: "eva")).status == 0)
    let device = ["--device", try file("laptop")]
    let right = ["--passphrase-file", try file("right", "correct horse\n")]
    let value = try file("value", "a value\n")
    let sealed = try file("sealed")
    let protected = try client(
      ["protect", "--set-passphrase", value, sealed] + device + right)
    #expect(protected.status == 0, "\(protected.errors)")
    let data = try Data(contentsOf: URL(fileURLWithPath: sealed))
    #expect(data.range(of: Data("a value".utf8)) == nil)

    let opened = try client(["open", sealed] + device + right)
    #expect(opened.status == 0 && opened.output == "a value\n")
    #expect(try store.accounts()[0].attempts == 0)
    // Each use of the password KDF takes seconds in a debug build, so the rest is tested before it.
    let copy = try file("damaged", "x" + String(repeating: " ", count: 200))
    let damaged = try client(["open", copy] + device + right)
    #expect(damaged.status == 6 && damaged.output.isEmpty)
    let missing = try client(["open", file("missing")] + device + right)
    #expect(missing.status == 3)
    #expect(try store.accounts()[0].attempts == 0)
    #expect(program.stop() == 0)
  }

  @Test func `A share is the same until the device is revoked`() throws {
    try store.createAccount("eva")
    let code = try store.createCode(for: "eva")
    let device = ["--device", try file("laptop")]
    #expect(try client(["share", "disk"] + device).status == 3)
    #expect(try enrol("laptop", code: code).status == 0)
    #expect(try client(["share", "disk"] + device).status == 3)
    let share = try client(["share", "disk", "--create"] + device)
    #expect(share.status == 0 && share.output.count == 65)
    #expect(try client(["share", "disk"] + device).output == share.output)
    try store.revokeDevice(store.devices()[0].id)
    let refused = try client(["share", "disk"] + device)
    #expect(refused.status == 5 && refused.output.isEmpty)
    #expect(program.stop() == 0)
  }

  @Test func `A code enrols one device, whose key only its owner can read`() throws {
    try store.createAccount("eva")
    let code = try store.createCode(for: "eva")
    #expect(try enrol("laptop", code: code).status == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: file("laptop") + "/key.pem")
    #expect(mode[.posixPermissions] as? Int == 0o600)
    #expect(try enrol("phone", code: code).status == 5)
    // The folder of a device is not overwritten.
    #expect(try enrol("laptop", code: store.createCode(for: "eva")).status == 1)
    #expect(program.stop() == 0)
  }

  @Test func `A server that is not there is a failure, and wrong usage is told apart`() throws {
    try store.createAccount("eva")
    #expect(try enrol("laptop", code: store.createCode(for: "eva")).status == 0)
    #expect(program.stop() == 0)
    #expect(try client(["share", "disk", "--device", file("laptop")]).status == 1)
    #expect(try client(["share", "--device", file("laptop")]).status == 2)
  }
}
