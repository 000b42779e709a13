import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import AtRestKeychain
import AtRestSimulation
import Foundation
import Synchronization
import Testing

@Suite struct OfflineTests {
  /// A clock that a test moves.
  private final class Clock: Sendable {
    let reading = Mutex(
      OfflineClock.Reading(boot: Data(count: 16), sinceBoot: 1000, system: 1_800_000_000_000))

    /// Lets time pass. The system's clock may show another time.
    func pass(seconds: UInt64, system: Int64? = nil) {
      reading.withLock {
        $0.sinceBoot += seconds * 1000
        $0.system += (system ?? Int64(seconds)) * 1000
      }
    }

    /// Restarts the machine, which is off for a time.
    func restart(seconds: Int64) {
      reading.withLock {
        $0.boot = RandomBytes.data(count: 16)
        $0.sinceBoot = 10
        $0.system += seconds * 1000
      }
    }
  }

  private final class Setting: Sendable {
    let clock = Clock()
    let device: SimulatedDevice
    let transport: TestTransport
    let client: KeyServerClient

    init(_ server: TestServer) throws {
      device = try SimulatedDevice(passcode: "1234")
      transport = TestTransport(try server.transport())
      client = try KeyServerClient.enrol(
        server.store.createCode(for: "eva"), label: "", key: PrivateKey.generate(.p256),
        transport: transport,
        offline: OfflineKeys(
          in: device.keychain(),
          clock: OfflineClock { [clock] in clock.reading.withLock { $0 } }))
    }

    func share() throws -> Data { Data(copying: try client.share("disk")) }
  }

  /// Runs a closure with a device that has a share and is offline.
  private func run(
    seconds: UInt32, _ body: @escaping @Sendable (Setting, KeyServerStore, Data) throws -> Void
  ) async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva", policy: AccountPolicy(offlineSeconds: seconds))
    try await TestServer.run(store) { server in
      let setting = try Setting(server)
      _ = try setting.client.share("disk", creating: true)
      let share = try setting.share()
      setting.transport.isOffline = true
      try body(setting, store, share)
    }
  }

  @Test func `A share is used until the limit, and no longer`() async throws {
    try await run(seconds: 3600) { setting, _, share in
      try #expect(setting.share() == share)
      setting.clock.pass(seconds: 3599)
      try #expect(setting.share() == share)
      setting.clock.pass(seconds: 2)
      expectError(.offlineExpired) { try setting.share() }
      // It is gone.
      expectError(.keyServerOffline) { try setting.share() }
      setting.transport.isOffline = false
      try #expect(setting.share() == share)
    }
  }

  @Test func `Without a policy nothing is kept`() async throws {
    try await run(seconds: 0) { setting, _, _ in
      expectError(.keyServerOffline) { try setting.share() }
      let items = try setting.device.keychain().items(matching: KeychainQuery(.genericPassword))
      #expect(items.isEmpty)
    }
  }

  @Test func `An answer of the server begins the time anew`() async throws {
    try await run(seconds: 3600) { setting, _, share in
      setting.clock.pass(seconds: 3000)
      setting.transport.isOffline = false
      _ = try setting.share()
      setting.transport.isOffline = true
      setting.clock.pass(seconds: 3000)
      try #expect(setting.share() == share)
    }
  }

  @Test func `A clock that is set back does not extend the time`() async throws {
    try await run(seconds: 3600) { setting, _, share in
      for _ in 0..<3 {
        setting.clock.pass(seconds: 1000, system: -86_400)
        try #expect(setting.share() == share)
      }
      setting.clock.pass(seconds: 1000, system: -86_400)
      expectError(.offlineExpired) { try setting.share() }
    }
  }

  @Test func `Time counts across a restart, and a clock that is behind is refused`() async throws {
    try await run(seconds: 3600) { setting, _, share in
      setting.clock.pass(seconds: 1000)
      try #expect(setting.share() == share)
      setting.clock.restart(seconds: -3600)
      expectError(.offlineExpired) { try setting.share() }
      // The owner corrects the clock.
      setting.clock.pass(seconds: 0, system: 3600 + 1000)
      try #expect(setting.share() == share)
      setting.clock.restart(seconds: 2000)
      expectError(.offlineExpired) { try setting.share() }
    }
  }

  @Test func `A revocation removes what was kept`() async throws {
    try await run(seconds: 3600) { setting, store, share in
      try store.revokeDevice(setting.client.identity.device)
      // The device cannot know it yet. The policy accepts that.
      try #expect(setting.share() == share)
      setting.transport.isOffline = false
      expectError(.revoked) { try setting.share() }
      setting.transport.isOffline = true
      expectError(.keyServerOffline) { try setting.share() }
    }
  }

  @Test func `A wrapped key is unwrapped without the server`() async throws {
    try await run(seconds: 3600) { setting, _, _ in
      setting.transport.isOffline = false
      let key = Data(repeating: 9, count: 32)
      let wrapped = try setting.client.wrap(
        SecretBytes(key), under: "documents", context: Data("a".utf8))
      setting.transport.isOffline = true
      let unwrapped = try setting.client.unwrap(
        wrapped, under: "documents", context: Data("a".utf8))
      #expect(Data(copying: unwrapped) == key)
      // The server has to take part in wrapping.
      expectError(.keyServerOffline) {
        try setting.client.wrap(SecretBytes(key), under: "documents", context: Data())
      }
    }
  }

  @Test func `A passphrase always needs the server`() async throws {
    try await run(seconds: 3600) { setting, _, _ in
      setting.transport.isOffline = false
      _ = try setting.client.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
      setting.transport.isOffline = true
      expectError(.keyServerOffline) {
        try setting.client.harden(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
      }
    }
  }

  @Test func `What is kept never leaves the device`() async throws {
    try await run(seconds: 3600) { setting, _, _ in
      let items = try setting.device.keychain().items(matching: KeychainQuery(.genericPassword))
      #expect(items.count == 1)
      #expect(items.allSatisfy { $0.protection == .accessible(.whenUnlockedThisDeviceOnly) })
      setting.device.lock()
      expectError(.locked) { try setting.share() }
    }
  }
}
