#if os(Linux)
  @_spi(Tools) import AtRestKeybag
  import AtRestKeychain
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// `atrest lock` needs no socket: the lock is announced, and confirmed, in the store's folder.
  struct AnnouncedLockTests {
    private func claim(_ run: AgentRun) throws -> AgentClaim {
      try AgentClaim(
        store: run.location.store, socket: "/no/such/socket", identity: run.service.identity)
    }

    /// The agent listens nowhere.
    @Test func aLockNeedsNoSocket() throws {
      let run = try AgentRun()
      try run.unlock()
      let service = run.service
      run.stopListening()
      #expect(throws: (any Error).self) { try run.connect() }
      try service.unlock(AgentRun.secret(AgentRun.passcode), for: Peer.itself)
      let claim = try claim(run)
      service.confirmLocks()
      let locks = service.locks
      #expect(AgentLock.lock(storeIn: run.location.store, patience: .seconds(60)))
      #expect(!service.isUnlocked && service.locks > locks)
      withExtendedLifetime(claim) {}
      // The log names the lock, and not the process, which is not known.
      #expect(
        eventually {
          service.log.last(10).contains { $0.operation == "lock" && $0.subject == "announced" }
        })
    }

    /// Only an agent confirms a lock.
    @Test func aLockIsNotConfirmedByOthers() throws {
      let run = try AgentRun()
      try run.unlock()
      // No agent holds the store.
      #expect(!AgentLock.lock(storeIn: run.location.store, patience: .seconds(60)))
      #expect(run.service.isUnlocked)
      // One holds it, and does not answer, as one that was stopped.
      let claim = try claim(run)
      #expect(!AgentLock.lock(storeIn: run.location.store, patience: .milliseconds(50)))
      withExtendedLifetime(claim) {}
    }

    /// The command asks over the socket when the agent has not confirmed.
    @Test func theCommandLocks() throws {
      let run = try AgentRun()
      let agent = try AgentProgram(run.location, in: run.folder)
      let atrest = try CommandLineProgram(run)
      for _ in 0..<3 {
        #expect(try atrest.withPasscode("unlock").status == 0)
        #expect(try agent.connect().document(.status, as: AgentStatus.self).isUnlocked)
        #expect(try atrest("lock").status == 0)
        #expect(try !agent.connect().document(.status, as: AgentStatus.self).isUnlocked)
      }
      agent.kill()
      #expect(try atrest("lock").status == 3)
    }
  }

  extension Peer {
    /// This process.
    fileprivate static var itself: Peer {
      Peer(user: geteuid(), process: getpid(), evidence: [])
    }
  }
#endif
