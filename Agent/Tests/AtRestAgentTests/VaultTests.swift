import AtRest
import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import GRDB
import Testing

@testable import AtRestAgent

/// A vault in a process that has not unlocked the store reads through the agent.
struct VaultTests {
  private static let small = VaultRecord<Data>("small", .document)
  private static let large = VaultRecord<Data>("large", .document)
  private static let counted = VaultRecord<Data>("counted", .document, keep: Retention(uses: 2))
  private static let contents = Data(repeating: 7, count: 100_000)

  /// A vault with values that another process stored, and an agent.
  private struct Client {
    let files: FileClient
    let vault: Vault
    let device: Compartment

    /// - Parameter group: The access group that is granted, or nil for none.
    init(grant group: String? = "app", usesAgent: Bool = true) throws {
      files = try FileClient(grant: nil)
      if let group { try files.grant(group, mayWrite: false) }
      let writer = try files.run.location.openKeybag()
      try writer.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
      let stored = try Self.open(files, writer, usesAgent: false).device
      try stored.store(Data("small".utf8), in: VaultTests.small)
      try stored.store(Data("counted".utf8), in: VaultTests.counted)
      try stored.store(VaultTests.contents, in: VaultTests.large)
      vault = try Self.open(files, files.keybag, usesAgent: usesAgent)
      device = try vault.device
    }

    static func open(_ files: FileClient, _ keybag: Keybag, usesAgent: Bool) throws -> Vault {
      let keychain = try Keychain.open(
        keybag, identity: ApplicationIdentity("app"), usesAgent: usesAgent)
      return try Vault.open(in: files.path("vault"), keychain: keychain)
    }

    func code(_ body: () throws -> Void) -> AtRestError.Code? { files.code(body) }
  }

  @Test func valuesAreRead() throws {
    let client = try Client()
    #expect(try client.device.value(in: Self.small) == Data("small".utf8))
    #expect(try client.device.value(in: Self.large) == Self.contents)
    let handle = try client.device.open(Self.large)
    #expect(try handle.read(upToCount: 10, at: 99_995) == Self.contents.prefix(5))
    #expect(client.files.keybag.lockState == .beforeFirstUnlock)
  }

  /// Without the agent, the same values are locked.
  @Test func withoutTheAgentTheStoreIsLocked() throws {
    let client = try Client(usesAgent: false)
    #expect(client.code { _ = try client.device.value(in: Self.small) } == .locked)
    #expect(client.code { _ = try client.device.value(in: Self.large) } == .locked)
  }

  @Test func withoutAGrantTheVaultDoesNotOpen() throws {
    let error = #expect(throws: AtRestError.self) { try Client(grant: nil) }
    #expect(error?.code == .notPermitted)
  }

  @Test func aLockOfTheAgentReachesTheVault() throws {
    let client = try Client()
    let handle = try client.device.open(Self.large)
    #expect(try handle.read(upToCount: 1, at: 0) == Self.contents.prefix(1))
    try client.files.lock()
    #expect(client.code { _ = try client.device.value(in: Self.small) } == .locked)
    #expect(client.code { _ = try client.device.value(in: Self.large) } == .locked)
    #expect(client.code { _ = try handle.read(upToCount: 1, at: 0) } == .locked)
    try client.files.unlock()
    #expect(try client.device.value(in: Self.small) == Data("small".utf8))
    #expect(try client.device.value(in: Self.large) == Self.contents)
  }

  /// The agent ends a connection without requests. That is no lock.
  @Test func anotherConnectionKeepsHandlesOpen() throws {
    let client = try Client()
    let handle = try client.device.open(Self.large)
    try client.files.restart()
    try client.files.unlock()
    #expect(try handle.read(upToCount: 1, at: 0) == Self.contents.prefix(1))
  }

  @Test func theEndOfTheAgentLocksOpenHandles() throws {
    let client = try Client()
    let handle = try client.device.open(Self.large)
    client.files.agent.kill()
    #expect(client.code { _ = try handle.read(upToCount: 1, at: 0) } == .locked)
  }

  @Test func databasesAreReadUntilTheLock() throws {
    let client = try Client()
    let record = VaultRecord<Data>("archive", .document)
    let writer = try client.files.run.location.openKeybag()
    try writer.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try Client.open(client.files, writer, usesAgent: false).device.database(in: record).write {
      try $0.execute(sql: "CREATE TABLE letter (text); INSERT INTO letter VALUES ('Meet')")
    }
    let database = try client.device.database(in: record)
    func count() throws -> Int? {
      try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM letter") }
    }
    #expect(try count() == 1)
    try client.files.lock()
    #expect(client.code { _ = try count() } == .locked)
    try client.files.unlock()
    #expect(try count() == 1)
  }

  /// The agent carries out no transactions. The error says that to unlock it does not help.
  @Test func storingSaysThatThisProcessHasToUnlock() throws {
    let client = try Client()
    let error = #expect(throws: AtRestError.self) {
      try client.device.store(Data("new".utf8), in: Self.small)
    }
    #expect(error?.code == .locked)
    #expect(error?.message.contains("This process has not unlocked the store.") == true)
    #expect(error?.remedy.contains("unlock(passcode:)") == true)
    for body in [
      { try client.device.store(Self.contents, in: Self.large) },
      { _ = try client.device.value(in: Self.counted) },
    ] {
      let error = #expect(throws: AtRestError.self, performing: body)
      #expect(error?.code == .locked && error?.remedy.contains("unlock(passcode:)") == true)
    }
    // Nothing was changed.
    #expect(try client.device.value(in: Self.small) == Data("small".utf8))
    #expect(try client.device.value(in: Self.large) == Self.contents)
    // The way out.
    try client.vault.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try client.device.store(Data("new".utf8), in: Self.small)
    #expect(try client.device.value(in: Self.small) == Data("new".utf8))
    #expect(try client.device.value(in: Self.counted) == Data("counted".utf8))
  }

  /// Control: without an agent, the way out is to unlock the store, which the error says.
  @Test func withoutAnAgentTheErrorNamesNone() throws {
    let client = try Client(usesAgent: false)
    let error = #expect(throws: AtRestError.self) {
      try client.device.store(Data("new".utf8), in: Self.small)
    }
    #expect(error?.code == .locked && error?.message.contains("agent") == false)
  }
}
