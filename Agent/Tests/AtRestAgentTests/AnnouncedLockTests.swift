#if os(Linux)
  import AtRestCrypto
  @_spi(Tools) import AtRestKeybag
  @_spi(Tools) import AtRestKeychain
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

    /// The second number in the file counts only if it is one of the next after the announced one, and was not
    /// there before.
    @Test(
      arguments: [(0x8000_0005, 0), (5, 4), (5, 6), (5, 900_000), (.max, 1)] as [(UInt32, UInt32)])
    func onlyTheNumberItselfConfirms(_ number: UInt32, _ confirmed: UInt32) throws {
      let run = try AgentRun()
      let claim = try claim(run)
      let file = run.location.store.appendingPathComponent("lock").path
      let handle = try #require(FileHandle(forWritingAtPath: file))
      var numbers = [number, confirmed]
      try numbers.withUnsafeMutableBytes { try handle.write(contentsOf: Data($0)) }
      #expect(!AgentLock.lock(storeIn: run.location.store, patience: .milliseconds(50)))
      withExtendedLifetime(claim) {}
    }

    /// A lock that comes while the store is locked counts too: an unlock may have begun.
    @Test func everyAnnouncedLockCounts() throws {
      let run = try AgentRun()
      let claim = try claim(run)
      run.service.confirmLocks()
      for _ in 0..<3 {
        let locks = run.service.locks
        #expect(AgentLock.lock(storeIn: run.location.store, patience: .seconds(60)))
        #expect(run.service.locks > locks)
      }
      withExtendedLifetime(claim) {}
      // Only a lock that locked something is in the log.
      #expect(!run.service.log.last(10).contains { $0.operation == "lock" })
    }

    /// The agent of a store that was wiped goes on, and another store may take the place.
    @Test func theAgentOfAWipedStoreConfirmsNothing() throws {
      let run = try AgentRun()
      try run.unlock()
      run.service.confirmLocks()
      try run.location.openKeybag().wipe()
      #expect(eventually { run.service.keybag.isWiped })
      let created = try Keybag.create(
        at: run.location.store, device: run.location.makeDevice(),
        passcode: SecretBytes(utf8: AgentRun.passcode))
      // The agent of the new store hangs.
      let claim = try claim(run)
      #expect(!AgentLock.lock(storeIn: run.location.store, patience: .milliseconds(500)))
      withExtendedLifetime((claim, created)) {}
    }

    /// A keybag without a passcode follows no announced lock, so the agent confirms none: the command asks for it
    /// over the socket.
    @Test func aStoreWithoutAPasscodeIsLocked() throws {
      let run = try AgentRun()
      run.stopListening()
      try FileManager.default.removeItem(at: run.location.store)
      try FileManager.default.removeItem(at: run.location.device)
      try Keybag.create(at: run.location.store, device: run.location.makeDevice()).close()
      let agent = try AgentProgram(run.location, in: run.folder)
      func isUnlocked() throws -> Bool {
        try agent.connect().document(.status, as: AgentStatus.self).isUnlocked
      }
      #expect(try isUnlocked())
      #expect(!AgentLock.lock(storeIn: run.location.store, patience: .milliseconds(500)))
      let command = try CommandLineProgram(run)
      #expect(try command("lock").status == 0)
      #expect(try !isUnlocked())
      // It is unlocked without a question, and takes no passcode.
      let refused = #expect(throws: AtRestError.self) {
        try agent.connect().send(.unlock(passcode: AgentRun.secret("a passcode")))
      }
      #expect(refused?.code == .passcodeNotSet)
      #expect(try !isUnlocked())
      #expect(try command("unlock").status == 0)
      #expect(try isUnlocked())
    }

    /// The log names what locked the store, and has it before what came after it.
    @Test func theLogNamesTheEvent() throws {
      let run = try AgentRun()
      try run.unlock()
      func other() throws -> Keybag { try run.location.openKeybag() }
      try other().changePasscode(
        from: SecretBytes(utf8: AgentRun.passcode), to: SecretBytes(utf8: "the second passcode"))
      func subjects() -> [String] {
        run.service.log.last(20).filter { ["lock", "unlock"].contains($0.operation) }.map {
          $0.operation + $0.subject
        }
      }
      #expect(eventually { subjects().contains("lockpasscode changed") })
      try run.connect().send(.unlock(passcode: AgentRun.secret("the second passcode")))
      try other().wipe()
      #expect(eventually { subjects().last == "lockwiped" })
      let found = subjects().filter { $0 != "lockannounced" }
      #expect(found == ["unlock", "lockpasscode changed", "unlock", "lockwiped"])
    }

    @Test func anotherStoreIsNotLocked() throws {
      let run = try AgentRun()
      try run.unlock()
      let agent = try AgentProgram(run.location, in: run.folder)
      let atrest = try CommandLineProgram(run)
      #expect(try atrest.withPasscode("unlock").status == 0)
      func isUnlocked() throws -> Bool {
        try agent.connect().document(.status, as: AgentStatus.self).isUnlocked
      }
      let another = String(repeating: "0", count: 32)
      #expect(try atrest("lock", "--expect-store", another).status == 6)
      #expect(try isUnlocked())
      #expect(try atrest("lock", "--expect-store", run.service.identity.text).status == 0)
      #expect(try !isUnlocked())
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

  extension AnnouncedLockTests {
    /// The command says for what it waits, and the lock is carried out as soon as the agent goes on.
    @Test func anAgentThatWasStoppedIsWaitedFor() throws {
      let run = try AgentRun()
      let agent = try AgentProgram(run.location, in: run.folder)
      let atrest = try CommandLineProgram(run)
      #expect(try atrest.withPasscode("unlock").status == 0)
      #expect(kill(agent.identifier, SIGSTOP) == 0)
      let begun = ContinuousClock.now
      let waited = try atrest("lock")
      #expect(waited.status == 1)
      #expect(waited.text.contains("has not confirmed the lock"), "\(waited.text)")
      #expect(waited.text.contains("kill -CONT"), "\(waited.text)")
      #expect(ContinuousClock.now - begun >= .seconds(17))
      #expect(kill(agent.identifier, SIGCONT) == 0)
      func isUnlocked() throws -> Bool {
        try agent.connect().document(.status, as: AgentStatus.self).isUnlocked
      }
      #expect(try eventually { try !isUnlocked() })
    }
  }

  extension Peer {
    /// This process.
    fileprivate static var itself: Peer {
      Peer(user: geteuid(), process: getpid(), evidence: [])
    }
  }
#endif
