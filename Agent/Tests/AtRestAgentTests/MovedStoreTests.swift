import AtRestCrypto
import Foundation
import Testing

@testable import AtRestAgent

/// A store that was moved away from a running agent is locked, because no program can lock it at its place.
struct MovedStoreTests {
  @Test func itIsLocked() throws {
    let run = try AgentRun()
    try run.unlock()
    // Control: a store at its place stays unlocked.
    run.service.doRegularWork()
    #expect(run.service.isUnlocked)
    let store = run.location.store
    try FileManager.default.moveItem(
      at: store, to: store.deletingLastPathComponent().appendingPathComponent("moved"))
    run.service.doRegularWork()
    #expect(!run.service.isUnlocked)
  }
}
