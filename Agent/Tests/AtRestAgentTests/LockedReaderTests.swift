import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// A lock refuses those who read, and does not end their connections: their answers were sent.
struct LockedReaderTests {
  @Test func readersKeepTheirConnections() throws {
    let run = try AgentRun()
    try run.grant("mail")
    let hasEnded = Atomic(false)
    let served = Atomic(0)
    let codes = Mutex<Set<AtRestError.Code>>([])
    let readers = DispatchGroup()
    for _ in 0..<6 {
      let connection = try run.connect()
      readers.enter()
      Thread.detachNewThread {
        defer { readers.leave() }
        while !hasEnded.load(ordering: .relaxed) {
          do {
            _ = try connection.secret(.get(AgentRun.mail, groups: []))
            served.add(1, ordering: .relaxed)
          } catch {
            let code = (error as? AtRestError)?.code
            codes.withLock { _ = $0.insert(code ?? .system) }
            if code != .locked { return }
          }
        }
      }
    }
    let owner = try run.connect()
    try owner.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    #expect(eventually { served.load(ordering: .relaxed) > 0 })
    for _ in 0..<200 {
      try owner.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
      try owner.send(.lock)
    }
    hasEnded.store(true, ordering: .relaxed)
    readers.wait()
    #expect(codes.withLock { $0 } == [.locked])
  }
}
