import AtRestCrypto
import Foundation
import Testing

@testable import AtRestAgent

/// A store that was moved away from a running agent, or removed, is locked, because no program can lock it at its place.
struct MovedStoreTests {
  @Test(arguments: [false, true]) func itIsLocked(isRemoved: Bool) throws {
    let run = try AgentRun()
    try run.unlock()
    // Control: a store at its place stays unlocked.
    run.service.doRegularWork()
    #expect(run.service.isUnlocked)
    let store = run.location.store
    if isRemoved {
      try FileManager.default.removeItem(at: store)
    } else {
      try FileManager.default.moveItem(
        at: store, to: store.deletingLastPathComponent().appendingPathComponent("moved"))
    }
    run.service.doRegularWork()
    #expect(!run.service.isUnlocked)
  }
}
