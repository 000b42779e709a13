import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@testable import AtRestAgent
@_spi(Tools) @testable import AtRestKeybag

/// A file of a former store is read through the agent, once a backup of that store was restored.
struct FormerFileTests {
  @Test(arguments: FileProtection.allCases)
  func itIsReadThroughTheAgent(_ protection: FileProtection) throws {
    let client = try FileClient()
    let former = try Keybag.create(
      in: MemoryStorage(), device: MemoryDeviceKey(), passcode: nil,
      options: Keybag.Options())
    try ProtectedFiles(former).write(
      FileClient.contents, to: client.path("a"), protection: protection)
    // Control: before the restore.
    #expect(client.code { _ = try client.files.read(client.path("a")) } == .notPermitted)

    // Another process restores the backup. Neither the client nor the agent is told.
    let direct = try client.run.location.openKeybag()
    try direct.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try direct.adopt(former.fileKeySets())
    #expect(try client.files.read(client.path("a")) == FileClient.contents)
    #expect(client.keybag.lockState == .beforeFirstUnlock)

    try client.lock()
    let isOpen = protection == .completeUntilFirstAuthentication || protection == .none
    #expect(
      client.code { _ = try client.files.read(client.path("a")) } == (isOpen ? nil : .locked))
  }
}
