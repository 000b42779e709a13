import AtRest
import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

/// A Vault whose keys need the key server.
@Suite struct VaultTests {
  private static let message = VaultRecord<String>("message", .message)

  /// A device with a Vault, and its client.
  private final class Setting: Sendable {
    let device: SimulatedDevice
    let transport: TestTransport
    let client: KeyServerClient
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-keyserver-vault-\(UUID().uuidString)", isDirectory: true)

    init(_ server: TestServer) throws {
      device = try SimulatedDevice(passcode: "1234")
      transport = TestTransport(try server.transport())
      client = try KeyServerClient.enrol(
        server.store.createCode(for: "eva"), label: "", key: PrivateKey.generate(.p256),
        transport: transport)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens the Vault, as a new process would.
    func account(_ change: (inout Vault.Options) -> Void) throws -> Compartment {
      var options = Vault.Options()
      options.passphraseKDF = try TestKDF.fast
      options.compositeKDF = try TestKDF.fast
      change(&options)
      return try Vault.open(in: folder, keychain: device.keychain(), options: options).logIn("eva")
    }

    func hardened() throws -> Compartment {
      try account { $0.passphraseHardener = { [client] _ in client } }
    }

    func composite() throws -> Compartment {
      try account {
        $0.compositeKey = CompositeKey([
          .deviceIdentifier, .server { [client] in try client.share("documents") },
        ])
      }
    }
  }

  private static let passphrase = "seven green turtles sing at dawn"
  private static let other = "eight purple walruses dance at dusk"

  private func run(
    rules: AttemptRules = .standard, policy: AccountPolicy = AccountPolicy(),
    suite: EvaluationSuite = .ristretto255,
    _ body: @escaping @Sendable (Setting, KeyServerStore) throws -> Void
  ) async throws {
    let store = try TestDatabase(.embedded).store(rules: rules)
    try store.createAccount("eva", policy: policy, suite: suite)
    try await TestServer.run(store) { server in try body(Setting(server), store) }
  }

  @Test func `A value under a hardened passphrase is read again after a restart`() async throws {
    try await run { setting, store in
      let first = try setting.hardened()
      try first.setPassphrase(SecretBytes(utf8: Self.passphrase))
      try first.store("hello", in: Self.message)

      let account = try setting.hardened()
      expectError(.passphraseRequired) { try account.value(in: Self.message) }
      expectError(.authenticationFailed) {
        try account.unlock(passphrase: SecretBytes(utf8: Self.other))
      }
      #expect(try store.accounts()[0].attempts == 1)
      expectError(.passphraseRequired) { try account.value(in: Self.message) }
      try account.unlock(passphrase: SecretBytes(utf8: Self.passphrase))
      #expect(try account.value(in: Self.message) == "hello")
      #expect(try store.accounts()[0].attempts == 0)
      // The control: the passphrase without the server opens nothing.
      let without = try setting.account { _ in }
      expectError(.invalidArgument) {
        try without.unlock(passphrase: SecretBytes(utf8: Self.passphrase))
      }
    }
  }

  @Test func `Each refusal of a passphrase is an error of its own`() async throws {
    let rules = AttemptRules(limit: 3, delays: [0, 60])
    try await run(rules: rules) { setting, store in
      let account = try setting.hardened()
      try account.setPassphrase(SecretBytes(utf8: Self.passphrase))
      account.lock()
      func unlock(_ passphrase: String = Self.passphrase) throws {
        try account.unlock(passphrase: SecretBytes(utf8: passphrase))
      }
      setting.transport.isOffline = true
      expectError(.keyServerOffline) { try unlock() }
      setting.transport.isOffline = false
      expectError(.authenticationFailed) { try unlock(Self.other) }
      expectError(.authenticationFailed) { try unlock(Self.other) }
      let error = expectError(.throttled) { try unlock() }
      #expect((error?.cause as? RetryTime)?.date != nil)
      try store.unlockAccount("eva")
      try unlock()
      account.lock()
      try store.revokeDevice(setting.client.identity.device)
      expectError(.revoked) { try unlock() }
      try store.deleteAccount("eva")
      expectError(.notEnrolled) { try unlock() }
      // No refusal touched the value's item: it is still one for this passphrase.
      #expect(try account.hasPassphrase)
    }
  }

  @Test func `A value stays readable when the account moves to another suite`() async throws {
    try await run(suite: .p384) { setting, store in
      let first = try setting.hardened()
      try first.setPassphrase(SecretBytes(utf8: Self.passphrase))
      try first.store("hello", in: Self.message)
      for _ in 0..<2 {
        let account = try setting.hardened()
        expectError(.authenticationFailed) {
          try account.unlock(passphrase: SecretBytes(utf8: Self.other))
        }
        try account.unlock(passphrase: SecretBytes(utf8: Self.passphrase))
        #expect(try account.value(in: Self.message) == "hello")
        #expect(try store.accounts()[0].suite == .ristretto255)
      }
      try first.changePassphrase(
        from: SecretBytes(utf8: Self.passphrase), to: SecretBytes(utf8: Self.other))
      let account = try setting.hardened()
      try account.unlock(passphrase: SecretBytes(utf8: Self.other))
      #expect(try account.value(in: Self.message) == "hello")
    }
  }

  @Test func `A changed passphrase replaces the former one`() async throws {
    try await run { setting, _ in
      let first = try setting.hardened()
      try first.setPassphrase(SecretBytes(utf8: Self.passphrase))
      try first.store("hello", in: Self.message)
      try first.changePassphrase(
        from: SecretBytes(utf8: Self.passphrase), to: SecretBytes(utf8: Self.other))
      let account = try setting.hardened()
      expectError(.authenticationFailed) {
        try account.unlock(passphrase: SecretBytes(utf8: Self.passphrase))
      }
      try account.unlock(passphrase: SecretBytes(utf8: Self.other))
      #expect(try account.value(in: Self.message) == "hello")
    }
  }

  /// A hardener that fails in the middle of a change.
  private struct Interrupted: PassphraseHardener {
    struct Failure: Error {}
    let base: KeyServerClient
    let afterServer: Bool

    func setPassphrase(
      _ passphrase: borrowing SecretBytes, kdf: PasswordKDF
    ) throws -> SecretBytes { try base.setPassphrase(passphrase, kdf: kdf) }

    func harden(_ passphrase: borrowing SecretBytes, kdf: PasswordKDF) throws -> SecretBytes {
      try base.harden(passphrase, kdf: kdf)
    }

    func changePassphrase(
      from old: borrowing SecretBytes, to new: borrowing SecretBytes, kdf: PasswordKDF,
      _ prepare: (borrowing SecretBytes, borrowing SecretBytes) throws -> Void
    ) throws {
      try base.changePassphrase(from: old, to: new, kdf: kdf) {
        try prepare($0, $1)
        if !afterServer { throw Failure() }
      }
      throw Failure()
    }
  }

  @Test(arguments: [false, true])
  func `An interrupted change leaves the passphrase that the server has`(afterServer: Bool)
    async throws
  {
    try await run { setting, _ in
      let first = try setting.account {
        $0.passphraseHardener = { _ in
          Interrupted(base: setting.client, afterServer: afterServer)
        }
      }
      try first.setPassphrase(SecretBytes(utf8: Self.passphrase))
      try first.store("hello", in: Self.message)
      #expect(throws: Interrupted.Failure.self) {
        try first.changePassphrase(
          from: SecretBytes(utf8: Self.passphrase), to: SecretBytes(utf8: Self.other))
      }
      let account = try setting.hardened()
      let (valid, invalid) =
        afterServer ? (Self.other, Self.passphrase) : (Self.passphrase, Self.other)
      expectError(.authenticationFailed) {
        try account.unlock(passphrase: SecretBytes(utf8: invalid))
      }
      try account.unlock(passphrase: SecretBytes(utf8: valid))
      #expect(try account.value(in: Self.message) == "hello")
      // It can be changed again.
      let third = "nine yellow badgers hum at midnight"
      try account.changePassphrase(
        from: SecretBytes(utf8: valid), to: SecretBytes(utf8: third))
      account.lock()
      try account.unlock(passphrase: SecretBytes(utf8: third))
      #expect(try account.value(in: Self.message) == "hello")
    }
  }

  @Test func `A passphrase that a crash left at the server only is set again`() async throws {
    try await run { setting, _ in
      // The first half of setting it.
      _ = try setting.client.setPassphrase(SecretBytes(utf8: Self.passphrase), kdf: TestKDF.fast)
      let account = try setting.hardened()
      expectError(.authenticationFailed) {
        try account.setPassphrase(SecretBytes(utf8: Self.other))
      }
      try account.setPassphrase(SecretBytes(utf8: Self.passphrase))
      try account.store("hello", in: Self.message)
      expectError(.duplicate) { try account.setPassphrase(SecretBytes(utf8: Self.passphrase)) }
    }
  }

  @Test func `A composite key needs the share, and each refusal is an error of its own`()
    async throws
  {
    try await run { setting, store in
      _ = try setting.client.share("documents", creating: true)
      try setting.composite().store("hello", in: Self.message)
      let account = try setting.composite()
      #expect(try account.value(in: Self.message) == "hello")
      setting.transport.isOffline = true
      expectError(.keyServerOffline) { try account.value(in: Self.message) }
      setting.transport.isOffline = false
      #expect(try account.value(in: Self.message) == "hello")
      try store.setAccount("eva", revoked: true)
      expectError(.revoked) { try account.value(in: Self.message) }
      try store.setAccount("eva", revoked: false)
      #expect(try account.value(in: Self.message) == "hello")
      try store.revokeDevice(setting.client.identity.device)
      expectError(.revoked) { try account.value(in: Self.message) }
    }
  }

  @Test func `A share that was rotated away is not a missing salt`() async throws {
    try await run { setting, _ in
      _ = try setting.client.share("documents", creating: true)
      let account = try setting.composite()
      try account.store("hello", in: Self.message)
      try setting.client.rotateShare("documents")
      // Another share is another key.
      expectError(.damaged) { try account.value(in: Self.message) }
      let first = try setting.account {
        $0.compositeKey = CompositeKey([
          .deviceIdentifier,
          .server { [client = setting.client] in try client.share("documents", version: 1) },
        ])
      }
      #expect(try first.value(in: Self.message) == "hello")
      try setting.client.withdrawShares("documents", before: 2)
      expectError(.notPermitted) { try first.value(in: Self.message) }
    }
  }
}
