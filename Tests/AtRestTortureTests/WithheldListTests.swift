import AtRestCrypto
import AtRestKeychain
import Foundation
import GRDB
import Testing

/// The command line reports a list that is not complete.
@Suite struct WithheldListTests {
  private static func list(_ scratch: Scratch) throws -> (output: String, status: Int32) {
    let call = try PowerScenario.command(scratch, ["list", "--json"])
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: call[0])
    process.arguments = Array(call.dropFirst())
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  @Test func aRemovedRowEndsWithStatus6() throws {
    let scratch = try Scratch()
    try PowerScenario.run(scratch, PowerScenario.command(scratch, ["init", "--no-passcode"]))
    for account in ["eva", "adam"] {
      let file = scratch.folder.appendingPathComponent("secret")
      try Data("secret".utf8).write(to: file)
      try PowerScenario.run(
        scratch,
        PowerScenario.command(
          scratch,
          ["add", "--service", "mail", "--account", account, "--secret-file", file.path]))
    }
    // Control: without damage, the list succeeds.
    #expect(try Self.list(scratch).status == 0)
    let queue = try DatabaseQueue(path: scratch.store.appendingPathComponent("keychain.db").path)
    try queue.write { try $0.execute(sql: "DELETE FROM item WHERE id = 1") }
    try queue.close()
    let (output, status) = try Self.list(scratch)
    #expect(status == 6)
    #expect(output.contains("adam") && output.contains("withheld") && output.contains("damaged"))
  }
}
