import Dispatch
import KeychainTesting
import Security
import Testing

/// Tests code that calls the keychain on a queue.
@Suite struct QueueTraitTests {
  @Test(.phone(onEveryQueue: true), .given { try Token.save() }, .lockedPhone)
  func aQueueUsesThePhone() async throws {
    #expect(await onAQueue { Token.read() } == errSecInteractionNotAllowed)
    let device = try SimulatedDevice.current
    #expect(await onAQueue { (try? SimulatedDevice.current) === device })
  }

  @Test(.phone(onEveryQueue: true), .given { try Token.save() }, .restoredElsewhere)
  func aQueueUsesTheNextPhone() async throws {
    #expect(await onAQueue { Token.read() } == errSecSuccess)
  }

  // Control: the phone of a test that says nothing is not the queue's. The queue may use that of a test
  // that runs at the same time.
  @Test(.phone) func aQueueOfAnotherTestDoesNot() async throws {
    let device = try SimulatedDevice.current
    #expect(await onAQueue { (try? SimulatedDevice.current) !== device })
  }

  private func onAQueue<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "keychain").async { continuation.resume(returning: body()) }
    }
  }
}
