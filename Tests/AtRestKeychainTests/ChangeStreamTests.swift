import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import AtRestSimulation
import Testing

/// Observers are told of a change once it is durable.
@Suite struct ChangeStreamTests {
  private struct Failure: Error {}

  /// Returns the changes that a closure made. The stream ends with the keychain.
  private func changes(
    _ keychain: Keychain, _ body: () throws -> Void
  ) async throws -> [KeychainChange] {
    let stream = keychain.changes
    try body()
    keychain.close()
    var heard: [KeychainChange] = []
    for await change in stream { heard.append(change) }
    return heard
  }

  @Test func eachChangeIsToldInOrder() async throws {
    let keychain = try SimulatedDevice().keychain()
    var reference: PersistentReference?
    let heard = try await changes(keychain) {
      reference = try keychain.put(password())
      try keychain.change(password(), "new")
      try keychain.move(password(), to: password("adam"))
      try keychain.delete(password("adam"))
    }
    #expect(heard.map(\.kind) == [.added, .updated, .updated, .deleted])
    #expect(heard.allSatisfy { $0.reference == reference })
  }

  @Test func whatDidNotHappenIsNotTold() async throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password())
    let heard = try await changes(keychain) {
      _ = refusal { try keychain.put(password()) }
      _ = try keychain.text(password())
      try? keychain.transaction {
        try keychain.put(password("b"))
        throw Failure()
      }
    }
    #expect(heard.isEmpty)
  }

  @Test func everyListenerHears() async throws {
    let keychain = try SimulatedDevice().keychain()
    let other = keychain.changes
    let heard = try await changes(keychain) { try keychain.put(password()) }
    var also: [KeychainChange] = []
    for await change in other { also.append(change) }
    #expect(heard == also && heard.count == 1)
  }

  @Test func changesOfAnotherObjectAreToldAsExternal() async throws {
    let store = try DiskStore()
    let second = try await Keychain.open(
      store.keybag, identity: ApplicationIdentity("com.example.app"))
    let heard = try await changes(second) {
      try store.keychain.put(password("a"))
      try store.keychain.put(password("b"))
      #expect(try second.text(password("b")) == "s3cr3t")
    }
    #expect(heard.map(\.kind) == [.external])
    #expect(heard.first?.reference == nil)
  }
}
